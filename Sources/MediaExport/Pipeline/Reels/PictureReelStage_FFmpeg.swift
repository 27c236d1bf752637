internal import FFmpegKit
internal import MediaAsset
internal import MediaConcurrency
internal import MediaTime

/// Puts the pictures of a reel's pieces one after the other, on a thread of its own.
///
/// The next piece is opened while one is decoded, and no other.
final class PictureReelStage: Stage {
    private let lanes: ReelLanes
    private let encoding: TrackEncoding
    private let reel: Reel
    private let timeBase: TimeBase
    private let output: BoundedChannel<EncodeStage.Item>
    private var outcome = ReelOutcome()
    /// What is shown where there is nothing.
    private var black: Frame?
    private var hasShown = false
    /// When the first picture is shown, where that is before its piece begins.
    private var early: Int64?

    init(
        _ lanes: ReelLanes, _ encoding: TrackEncoding, _ reel: Reel, timeBase: TimeBase,
        output: BoundedChannel<EncodeStage.Item>
    ) {
        (self.lanes, self.encoding, self.reel, self.timeBase, self.output) = (lanes, encoding, reel, timeBase, output)
    }

    func run() throws -> ReelOutcome {
        var following: (index: Int, pictures: BoundedChannel<EncodeStage.Item>)?
        for (index, piece) in reel.pieces.enumerated() {
            guard piece.clip != nil else {
                try showNothing(piece.target)
                continue
            }
            let pictures = try following.flatMap { $0.index == index ? $0.pictures : nil } ?? start(index)
            following = nil
            if let next = reel.pieces.indices.dropFirst(index + 1).first(where: { reel.pieces[$0].clip != nil }) {
                following = (next, try start(next))
            }
            try pass(pictures, of: piece)
        }
        _ = try output.send(.end(timeBase.ticks(nearest: reel.duration)))
        output.finish()
        return outcome
    }

    /// Shows black, or through a gap that is hardly one the picture before it or else the one after it.
    private func showNothing(_ range: CMTimeRange) throws {
        let start = timeBase.ticks(nearest: range.start)
        guard range.duration < CompositionContent.bridgedGap else { return try sendBlack(at: start) }
        if !hasShown { early = start }
    }

    private func start(_ index: Int) throws -> BoundedChannel<EncodeStage.Item> {
        guard let clip = reel.pieces[index].clip else { return BoundedChannel(capacity: 1) }
        let (lane, pictures) = try lanes.startPictures(clip, encoding, timeBase: timeBase)
        outcome.lanes.append(lane)
        return pictures
    }

    /// Sends the pictures of a piece on, at the times at which the composition shows them.
    private func pass(_ pictures: BoundedChannel<EncodeStage.Item>, of piece: Reel.Piece) throws {
        let start = timeBase.ticks(nearest: piece.target.start)
        let end = timeBase.ticks(nearest: piece.target.end)
        let stretch = piece.stretch
        var isEmpty = true
        while let item = try pictures.receive() {
            guard case .frame(let frame, let ticks) = item else { continue }
            let scaled = (Int128(ticks) * stretch.numerator + stretch.denominator / 2) / stretch.denominator
            guard let moved = Int64(exactly: scaled), start + moved < end else { continue }
            isEmpty = false
            try send(frame, at: start + moved)
        }
        if isEmpty { try showNothing(piece.target) }
    }

    private func send(_ frame: Frame, at ticks: Int64) throws {
        _ = try output.send(.frame(frame, early ?? ticks), bytes: frame.byteCount)
        (early, hasShown) = (nil, true)
    }

    private func sendBlack(at ticks: Int64) throws {
        guard case .video(let video) = encoding.encoder.media else { return }
        let frame =
            try black
            ?? Frame.black(width: video.width, height: video.height, pixelFormat: video.pixelFormat)
        black = frame
        try send(frame, at: ticks)
    }
}
