// What of audio mixes is not offered, so that code which uses it is told.

extension AVAudioMixInputParameters {
    /// Not offered.
    @available(*, unavailable, message: "Sound cannot be worked on by callbacks; read it, and write it anew.")
    public var audioTapProcessor: MTAudioProcessingTap? {
        get { nil }
        set {}
    }
}
