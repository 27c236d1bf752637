internal import FFmpegKit
package import MediaAsset
internal import MediaContainers
internal import MediaCore

/// What a container can say of copied sound.
enum CopiedSound {
    /// Refuses AAC that cannot be divided into the frames of a container without headers.
    static func check(
        _ track: TrackDescription, _ stream: StreamInfo, in format: ContainerFormat, fileType: AVFileType
    ) throws(AVError) {
        guard track.codecType == .aac, format.container.has(.hasADTSFrames),
            let reason = ADTSFrames.refusal(of: stream.extradata)
        else { return }
        throw AVError(
            .operationNotSupportedForAsset,
            reason:
                "\(fileType.name) files cannot hold the sound of track \(track.trackID) as it is: it has \(reason); "
                + "a Matroska file can hold almost anything, and presets that encode anew fit any source")
    }
}
