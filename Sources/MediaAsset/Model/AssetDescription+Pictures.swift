package import MediaCore

extension AssetDescription {
    /// Where the track that stills are made of shows pictures; sound may begin
    /// earlier and go on longer.
    ///
    /// `nil` where the asset's duration is not known.
    package var pictureRange: CMTimeRange? {
        guard duration.isNumeric else { return nil }
        let whole = CMTimeRange(start: .zero, duration: duration)
        guard let track = videoTrack, track.timeRange.start.isNumeric, track.timeRange.duration.isNumeric else {
            return whole
        }
        let common = whole.intersection(track.timeRange)
        return common.duration > .zero ? common : whole
    }

    /// The middles of so many equal shares of the time in which there are pictures.
    ///
    /// - Throws: `AVError.operationNotSupportedForAsset` where the asset's
    ///   duration is not known.
    package func evenTimes(_ count: Int, in part: CMTimeRange? = nil) throws -> [CMTime] {
        guard let pictureRange else {
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "the file does not tell its duration, so that there are no even times in it")
        }
        let common = part.map { $0.intersection(pictureRange) } ?? pictureRange
        let range = common.duration > .zero ? common : part ?? pictureRange
        return range.middles(ofShares: Int32(clamping: count))
    }
}
