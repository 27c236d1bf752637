package import FFmpegKit
package import MediaAsset
package import MediaCore

/// What a preset makes of one track: all that the pipeline and the plan need to know.
package struct TrackConversion: Sendable {
    /// How the track is encoded.
    package var encoding: TrackEncoding
    /// What the new track says of itself besides its codec.
    package var traits: StreamTraits
    /// The same for people.
    package var summary: ConversionSummary
    /// How often the pictures are gone through.
    package var passes = 1
}

extension StreamInfo {
    /// Fails with the reason if no decoder may be used for it.
    package func checkHasDecoder() throws(AVError) {
        if let objection = decoder.objection(to: codec) { throw AVError(.decoderNotFound, reason: objection) }
    }
}

extension ContainerFormat {
    /// Whether the samples of a track of pictures or sound can be read from it as they are.
    package func canHold(_ track: TrackDescription) -> Bool {
        guard canHold(codec: track.codecType) else { return false }
        return track.codecType != .uncompressedVideo || canHold(uncompressed: track.codecTag)
    }
}

extension StreamInfo {
    /// The track by its number in the container, or else its position.
    package var nameOfTrack: String { "track \(containerID > 0 ? containerID : index + 1)" }
}
