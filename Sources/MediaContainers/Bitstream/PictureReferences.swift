package import MediaCore

/// Follows which earlier pictures each picture of a stream refers to, from
/// headers alone.
///
/// Each entry point that resets the decoder starts it anew.
package protocol PictureReferences: Sendable {
    /// Takes the next sample in decoding order.
    ///
    /// - Returns: `nil` if its references cannot be told; then those of no
    ///   later picture can be, up to the next such entry point.
    mutating func add(_ bytes: UnsafeRawBufferPointer, number: Int64) -> ReferringPicture?

    /// A sample's headers and next to nothing of its data, for
    /// a decoder that has to know of a picture that nobody needs; `nil` where
    /// the decoder need not know.
    func hollow(_ bytes: UnsafeRawBufferPointer, _ picture: ReferringPicture) -> [UInt8]?
}

/// One picture's place in the web of references.
package struct ReferringPicture: Sendable {
    /// Whether later pictures may refer to it.
    package let isReference: Bool
    /// The numbers of the samples whose pictures it may be predicted from.
    package let refersTo: Set<Int64>
    /// The bits of each slice's header after the unit's first byte, and how its data are coded.
    var slices: [(headerBits: Int, usesCABAC: Bool)] = []
}

/// Readers of references by codec.
package enum PictureReferencesReader {
    /// - Returns: `nil` for codecs whose references are not followed.
    package static func make(codec: Codec, extradata: [UInt8]) -> (any PictureReferences)? {
        switch codec {
        case .h264: H264References(extradata: extradata)
        case .hevc: HEVCReferences(extradata: extradata)
        case .av1: AV1References(extradata: extradata)
        default: nil
        }
    }
}
