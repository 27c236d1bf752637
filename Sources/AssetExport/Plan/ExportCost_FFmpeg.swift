internal import FFmpegKit
package import MediaAsset
internal import MediaCore
package import MediaEngine

/// What exports take of a processor core, by what was measured with FFmpeg 5.1.
struct ExportCost {
    private static let opening = 0.06
    private static let secondsPerByte = 2e-9
    private static let secondsPerDecodedPixel = 2.5e-9
    /// Of sound, for each second of it.
    private static let secondsPerSecond = 0.02

    private(set) var seconds = Self.opening

    /// Adds what is copied.
    mutating func add(byteCount: Int64?) { seconds += Double(byteCount ?? 0) * Self.secondsPerByte }

    /// Adds a track that is encoded anew.
    ///
    /// - Parameter duration: Seconds of it.
    mutating func add(_ encoding: TrackEncoding, of track: TrackDescription?, passes: Int, duration: Double) {
        guard case .video(let video) = encoding.encoder.media else {
            seconds += duration * Self.secondsPerSecond
            return
        }
        let rate = track?.video?.nominalFrameRate ?? 0
        let frames = duration * (rate > 0 && rate < 1000 ? rate : 25)
        let source = track?.video?.codedSize ?? PixelSize(width: video.width, height: video.height)
        let made = Double(video.width) * Double(video.height)
        let encoder = EncoderTraits.known[encoding.encoder.name]?.nanosecondsPerPixel ?? 20
        let pixels = Double(source.width) * Double(source.height)
        seconds += frames * Double(passes) * (pixels * Self.secondsPerDecodedPixel + made * encoder * 1e-9)
    }
}

extension PipelinePlanner {
    /// What the export takes of a core; `nil` if the film does not tell how long it is.
    func estimatedCoreSeconds(_ duration: CMTime) -> Double? {
        guard duration.isNumeric else { return nil }
        var cost = ExportCost()
        if conversions.count < tracks.count { cost.add(byteCount: asset.byteCount) }
        for (index, conversion) in conversions {
            let stream = tracks[index].stream
            cost.add(
                conversion.encoding, of: asset.tracks.first { $0.streamIndex == stream }, passes: conversion.passes,
                duration: duration.seconds)
        }
        return cost.seconds
    }
}
