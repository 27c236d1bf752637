/// By how many threads encoders give the same packets on every machine.
package enum EncoderThreads {
    /// A number of threads that always gives the same packets, and whether another number would give others.
    ///
    /// libvpx codes rows of VP9 in one way by one thread, and in another by any other number.
    package static func reproducible(byEncoder name: String) -> (count: Int, isFixed: Bool) {
        name == "libvpx-vp9" ? (2, false) : (1, true)
    }

    /// The parameters, as ``EncoderParameters`` has them, that bound the threads of an encoder that takes others than libavcodec's;
    /// `nil` for all other encoders.
    ///
    /// x265 also notes in its headers which processor it found, unless it is told not to.
    package static func parameters(ofEncoder name: String, threads: Int) -> String? {
        ["libx265": "pools=\(threads):info=0", "libsvtav1": "lp=\(threads)"][name]
    }
}
