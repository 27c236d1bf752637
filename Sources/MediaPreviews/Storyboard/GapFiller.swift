internal import ImageGeneration
internal import MediaCore
internal import MediaIO
internal import MediaImage

/// Gives each interval a picture, also those that have none of their own.
struct GapFiller {
    private(set) var tiles: [Storyboard.Tile] = []
    private var last: TilePicture?
    /// Intervals before the first picture.
    private var early: [(time: CMTime, reason: String)] = []

    /// Intervals seen so far.
    var count: Int { tiles.count + early.count }

    /// The pictures to draw next.
    ///
    /// - Parameter isAccepting: Whether an interval without a picture is filled
    ///   with another's instead of failing.
    /// - Throws: Why there is no picture.
    mutating func pictures(
        from result: Stills<TilePicture>.Element, accepting isAccepting: Bool
    ) throws -> [TilePicture] {
        switch result {
        case .success(let picture):
            let waiting = early
            early = []
            for gap in waiting { tiles.append(Self.tile(picture.tile, standingInAt: gap.time, gap.reason)) }
            tiles.append(picture.tile)
            last = picture
            return Array(repeating: picture, count: waiting.count + 1)
        case .failure(let failure):
            guard isAccepting, let error = failure.error as? AVError, !(error.underlying is MediaLimitError) else {
                throw failure.error
            }
            guard let last else {
                early.append((failure.requestedTime, error.reason))
                return []
            }
            tiles.append(Self.tile(last.tile, standingInAt: failure.requestedTime, error.reason))
            return [last]
        }
    }

    /// All tiles.
    ///
    /// - Throws: Why there is no picture, if there is none at all.
    func finish() throws -> [Storyboard.Tile] {
        if let reason = early.first?.reason { throw AVError(.decodeFailed, reason: reason) }
        return tiles
    }

    private static func tile(
        _ other: Storyboard.Tile, standingInAt time: CMTime, _ reason: String
    ) -> Storyboard.Tile {
        Storyboard.Tile(
            requestedTime: time, actualTime: other.actualTime, isSyncSample: other.isSyncSample, isExact: false,
            damage: other.damage, gap: reason)
    }
}
