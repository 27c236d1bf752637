package import MediaAsset
package import MediaCore

extension AssetDescription {
    /// The part of a range that the asset has.
    ///
    /// - Returns: `nil` if that is all of it.
    package func range(within range: CMTimeRange) throws -> CMTimeRange? {
        guard range.isValid, range.start.isNumeric, !range.duration.isIndefinite, range.duration > .zero else {
            throw AVError(.invalidSourceMedia, reason: "the time range is empty or no range at all")
        }
        let start = CMTimeMaximum(.zero, range.start)
        guard duration.isNumeric else {
            return start == .zero && range.end.isPositiveInfinity ? nil : CMTimeRange(start: start, end: range.end)
        }
        guard start < duration else {
            throw AVError(
                .invalidSourceMedia,
                reason: "the range starts at \(start.secondsText()) s, but the duration is "
                    + "\(duration.durationText()) s")
        }
        guard range.end > .zero else {
            throw AVError(.invalidSourceMedia, reason: "the range ends before the asset begins")
        }
        let end = range.end.isNumeric ? CMTimeMinimum(range.end, duration) : duration
        return start == .zero && end == duration ? nil : CMTimeRange(start: start, end: end)
    }
}

extension TrackDescription {
    /// The track in the words of a loss.
    package var nameForPeople: String {
        let codec = codecOrTag
        return "track \(trackID) (\(mediaType.name)\(codec.isEmpty ? "" : ", \(codec)"))"
    }
}

extension TrackDescription {
    /// The codec's name, or where FFmpeg has none for it, the container's code.
    package var codecOrTag: String { codec.isEmpty || codecType == .unknown ? codecTag : codec }
}
