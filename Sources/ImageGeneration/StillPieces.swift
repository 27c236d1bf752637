internal import MediaAsset
package import MediaCore
package import MediaIO
internal import MediaImage

/// Keeps stills for another process that joins them.
package struct StillPieceWriter: Sendable {
    private let piece: PieceWriter

    package init(_ head: PieceHead, at place: OutputPlace, limits: MediaLimits) throws {
        piece = try PieceWriter(head, at: place, limits: limits)
    }

    /// Adds what became of the next time.
    ///
    /// - Parameter index: The request's position in the list of all; as it says itself if `nil`.
    package func add(_ result: Stills<Still>.Element, as index: Int? = nil) throws {
        let answer: StillAnswer
        var pixels: [[UInt8]] = []
        switch result {
        case .success(let still):
            answer = StillAnswer(
                index: index ?? still.index, .still(StillFacts(still), images: still.images.map(ImageHeader.init)))
            pixels = still.images.map { Array($0.pixels) }
        case .failure(let failure):
            answer = StillAnswer(index: index ?? failure.index, .failure(ErrorMessage(failure.error)))
        }
        var message = MessageWriter()
        message.put(RecordedTime(time: result.requestedTime))
        message.put(answer)
        var length = MessageWriter()
        length.put(message.bytes.count)
        try piece.add([length.bytes, message.bytes] + pixels)
    }

    /// Gives the piece its name.
    package func complete() throws { try piece.complete() }
}

/// Stills that other processes have kept, in the order in which they were asked for.
package final class StillPieceReader {
    private let pieces: PieceSet
    private var current: PieceReader?
    /// The piece that comes next.
    private var index = 0

    package init(_ pieces: PieceSet) { self.pieces = pieces }

    /// What became of the time that was asked for next.
    ///
    /// - Throws: ``PieceError`` if the pieces have no more, or those of another time.
    package func next(at time: CMTime) throws -> Stills<Still>.Element {
        while true {
            if let record = try current?.next() { return try result(record, at: time) }
            guard pieces.paths.indices.contains(index) else {
                throw PieceError(path: pieces.paths.last ?? "", reason: "there are too few pictures")
            }
            current = try pieces.open(index)
            index += 1
        }
    }

    private func result(_ record: [UInt8], at time: CMTime) throws -> Stills<Still>.Element {
        let damaged = PieceError(path: pieces.paths[index - 1], reason: "it is damaged")
        do {
            var outer = MessageReader(Array(record.prefix(8)))
            let length = try outer.integer(in: 0...max(0, record.count - 8))
            var message = MessageReader(Array(record[8..<(8 + length)]))
            let requested = try message.value(RecordedTime.self).time
            let answer = try message.value(StillAnswer.self)
            guard requested == time else { throw damaged }
            switch answer.outcome {
            case .failure(let error):
                return .failure(StillFailure(index: answer.index, requestedTime: requested, error: error.error))
            case .still(let facts, let headers):
                let images = try CGImage.images(headers, in: record[(8 + length)...])
                guard !images.isEmpty else { throw damaged }
                let entry = StillPlan.Entry(index: answer.index, requestedTime: requested)
                return .success(facts.still(for: entry, images: images))
            }
        } catch is MessageError {
            throw damaged
        }
    }
}

/// A time that was asked for.
private struct RecordedTime: MessageValue {
    let time: CMTime

    init(time: CMTime) { self.time = time }

    func write(to message: inout MessageWriter) { message.put(time) }

    init(from message: inout MessageReader) throws(MessageError) { time = try message.value() }
}

extension Stills<Still>.Element {
    fileprivate var requestedTime: CMTime {
        switch self {
        case .success(let still): still.requestedTime
        case .failure(let failure): failure.requestedTime
        }
    }
}
