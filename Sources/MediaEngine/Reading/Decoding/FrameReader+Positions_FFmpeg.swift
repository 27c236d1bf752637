package import FFmpegKit
package import MediaAsset
package import MediaCore

extension FrameReader {
    /// A reader for some times, for which a pass over the file is made first if that is less work than to decode all that lies
    /// before them.
    ///
    /// - Parameters:
    ///   - targets: What times are, in the stream's ticks.
    ///   - always: Whether a pass is made wherever one is of any use.
    package static func make(
        of source: AssetSource, streamIndex: Int, cancellation: Cancellation, always: Bool = false,
        targets: (TimeBase) -> [Int64]
    ) throws -> (reader: FrameReader, targets: [Int64]) {
        let reader = try FrameReader(source: source, streamIndex: streamIndex)
        let wanted = targets(reader.timeBase)
        guard reader.lacksPositions, try always || isPassWorthwhile(to: wanted.max(), reader, source),
            try source.makeFramesKnown(ofStream: streamIndex, cancellation)
        else { return (reader, wanted) }
        reader.finish()
        return (try FrameReader(source: source, streamIndex: streamIndex), wanted)
    }

    /// To read a film takes a small part of the time that it takes to decode it.
    private static func isPassWorthwhile(to last: Int64?, _ reader: FrameReader, _ source: AssetSource) throws -> Bool {
        let description = try source.describe()
        guard let last else { return false }
        let place = reader.timeBase.time(of: last) - description.origin
        guard place.isNumeric, place > shortestDecode else { return false }
        guard description.duration.isNumeric else { return true }
        return CMTimeMultiply(place, multiplier: passesForADecode) > description.duration
    }

    /// What is decoded in no time to speak of.
    private static let shortestDecode = CMTime(value: 10, timescale: 1)
    /// How many passes over a film take as long as to decode it, at the least.
    private static let passesForADecode: Int32 = 10
}
