internal import FFmpegKit
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
                try sendBlack(at: timeBase.ticks(nearest: piece.target.start))
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
            _ = try output.send(.frame(frame, start + moved), bytes: frame.byteCount)
        }
        if isEmpty { try sendBlack(at: start) }
    }

    private func sendBlack(at ticks: Int64) throws {
        guard case .video(let video) = encoding.encoder.media else { return }
        let frame =
            try black
            ?? Frame.black(width: video.width, height: video.height, pixelFormat: video.pixelFormat)
        black = frame
        _ = try output.send(.frame(frame, ticks), bytes: frame.byteCount)
    }
}
