internal import FFmpegKit

extension AssetSource {
    /// More pictures than this are not read for a rate.
    private static let measuredPictures = 500

    /// Sets the rates of pictures from their times where the container neither counts them nor states a rate that can
    /// be true.
    func measureFrameRates(of description: inout AssetDescription, interrupt: Interrupt) throws {
        for (position, track) in description.tracks.enumerated() where track.sampleCount == nil {
            guard let video = track.video, video.lacksFrameRate else { continue }
            do {
                let spacing = try pictureSpacing(ofStream: track.streamIndex, interrupt: interrupt)
                if let spacing { description.tracks[position].video?.setFrameRate(spacing) }
            } catch let error as FFmpegError {
                throw publicError(for: error)
            }
        }
    }

    private func pictureSpacing(ofStream index: Int, interrupt: Interrupt) throws -> PictureSpacing? {
        let demuxer = try open(interrupt: interrupt)
        demuxer.select(streams: [index])
        var pictures = demuxer.makeShownPictures(ofStream: index)
        var ticks: [Int64] = []
        while ticks.count < Self.measuredPictures, let packet = try Self.read(demuxer) {
            guard packet.streamIndex == index, pictures.shows(packet) else { continue }
            if let time = packet.presentationTicks { ticks.append(time) }
        }
        return PictureSpacing(ticks: ticks, timeBase: demuxer.streams[index].timeBase)
    }

    /// The next packet, `nil` where the file ends or is damaged: the pictures before tell the rate.
    private static func read(_ demuxer: Demuxer) throws(FFmpegError) -> Packet? {
        do {
            return try demuxer.readPacket()
        } catch {
            guard [.damaged, .inputOutput].contains(error.kind) else { throw error }
            return nil
        }
    }
}
