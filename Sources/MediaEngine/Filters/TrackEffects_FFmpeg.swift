package import FFmpegKit
package import MediaAsset
package import MediaCore

/// What is done to the pictures or the sound of one track before they are encoded.
package struct TrackEffects: Sendable {
    /// How much of pictures and sound is left, on the new file's timeline.
    package var fades = RampTimeline(initial: Float(1))
    /// What samples are multiplied by besides.
    package var gain: Float = 1
    /// How loud sound is to become, in LUFS; `nil` for as loud as `gain` makes it.
    package var loudness: Double?
    /// What is laid over pictures.
    package var patch: PicturePatch?

    package init() {}

    /// Whether nothing changes.
    package var isEmpty: Bool { fades.isEmpty && gain == 1 && loudness == nil && patch == nil }

    /// A picture at a time of the new file.
    package func applied(to picture: Frame, at time: CMTime) throws -> Frame {
        var result = picture
        if let patch { result = try result.blended(with: patch) }
        if !fades.isEmpty { result = try result.faded(to: Double(fades.value(at: time))) }
        return result
    }
}
