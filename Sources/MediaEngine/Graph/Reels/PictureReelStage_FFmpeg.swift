package import FFmpegKit
package import MediaCore

/// Puts the pictures of a reel's pieces one after the other, on a thread of its own.
///
/// The next piece is opened while one is decoded, and no other.
package final class PictureReelStage: Stage {
    private let lanes: ReelLanes
    private let encoding: TrackEncoding
    private let reel: Reel
    private let timeBase: TimeBase
    private let output: any PictureOutlet
    private var outcome = ReelOutcome()
    private var thinning: FrameThinning

    package init(
        _ lanes: ReelLanes, _ encoding: TrackEncoding, _ reel: Reel, timeBase: TimeBase, output: any PictureOutlet
    ) {
        (self.lanes, self.encoding, self.reel, self.timeBase, self.output) = (lanes, encoding, reel, timeBase, output)
        thinning = FrameThinning(encoding.reelLimit)
    }

    package func run() throws -> ReelOutcome {
        var following: (index: Int, pictures: BoundedChannel<EncodeStage.Item>)?
        for (index, piece) in reel.pieces.enumerated() {
            guard piece.clip != nil else {
                try output.showNothing(at: timeBase.ticks(nearest: piece.target.start))
                continue
            }
            let pictures = try following.flatMap { $0.index == index ? $0.pictures : nil } ?? start(index)
            following = nil
            if let next = reel.pieces.indices.dropFirst(index + 1).first(where: { reel.pieces[$0].clip != nil }) {
                following = (next, try start(next))
            }
            try pass(pictures, of: piece)
        }
        try output.end(at: timeBase.ticks(nearest: reel.duration))
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
            guard thinning.keeps(timeBase.time(of: start + moved)) else { continue }
            try output.show(frame, at: start + moved)
        }
        if isEmpty { try output.showNothing(at: start) }
    }
}

/// What takes the pictures of a reel, on the thread that has them.
package protocol PictureOutlet: Sendable {
    /// A picture is shown from a time on.
    func show(_ frame: Frame, at ticks: Int64) throws
    /// Nothing is shown from a time on.
    func showNothing(at ticks: Int64) throws
    /// The last picture ends.
    func end(at ticks: Int64) throws
}

/// Takes pictures for what encodes them: black ones where there is nothing.
package struct EncodedPictures: PictureOutlet {
    private let channel: BoundedChannel<EncodeStage.Item>
    private let black: Frame

    package init(_ channel: BoundedChannel<EncodeStage.Item>, _ video: VideoSettings) throws(FFmpegError) {
        self.channel = channel
        black = try Frame.black(width: video.width, height: video.height, pixelFormat: video.pixelFormat)
    }

    package func show(_ frame: Frame, at ticks: Int64) throws {
        _ = try channel.send(.frame(frame, ticks), bytes: frame.byteCount)
    }

    package func showNothing(at ticks: Int64) throws { try show(black, at: ticks) }

    package func end(at ticks: Int64) throws {
        _ = try channel.send(.end(ticks))
        channel.finish()
    }
}
