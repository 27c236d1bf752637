internal import FFmpegKit
package import MediaAsset
package import MediaEngine

/// Pictures that a movie's edit list hides, where the new file has no edit list.
enum HiddenPictures {
    /// How many of them come before the first shown picture, which is built on them.
    ///
    /// Reads the stream up to there.
    static func count(before stream: Int, of source: AssetSource, in format: ContainerFormat) throws -> Int {
        guard source.file != nil else { return 0 }
        let demuxer = try source.open()
        guard demuxer.streams.indices.contains(stream) else { return 0 }
        demuxer.select(streams: [stream])
        let info = demuxer.streams[stream]
        var pictures = CopiedPictures(info, form: .init(format, info))
        for _ in 0..<demuxer.policy.maximumPackets {
            guard let packet = try demuxer.readPacket() else {
                _ = try pictures.finish()
                break
            }
            if try !pictures.add(packet).isEmpty { break }
        }
        return pictures.hiddenCount
    }

    /// The losses of the tracks of a job.
    ///
    /// - Parameter counts: How many pictures of each are shown that the source hides.
    static func losses(_ tracks: [PipelineJob.Track], _ counts: [Int], in type: AVFileType) -> [ExportLoss] {
        zip(tracks, counts).filter { $0.1 > 0 }.map { track, count in
            ExportLoss(
                .media, "the edit list of \(track.name)",
                reason: "\(type.name) files have none: \(count) hidden picture\(count == 1 ? "" : "s"), on which "
                    + "others are built, \(count == 1 ? "is" : "are") shown\(type == .mpeg2TransportStream ? "" : " for a moment")",
                effect: .changed, trackID: track.trackID, trait: .frames)
        }
    }
}
