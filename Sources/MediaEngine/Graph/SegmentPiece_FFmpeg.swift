internal import FFmpegKit
internal import MediaIO

/// What a piece of an export holds: the packets of some segments of its pictures, in order.
enum SegmentRecord: MessageValue {
    /// The first record: what the file says of all segments.
    case header([UInt8])
    case packet(Packet, segment: Int)
    /// A segment has no more packets.
    case end(segment: Int)
    /// The last record.
    case outcome(SegmentCounts)

    func write(to message: inout MessageWriter) {
        switch self {
        case .header(let bytes):
            message.put(0)
            message.put(bytes)
        case .packet(let packet, let segment):
            message.put(1)
            message.put(segment)
            message.put(PacketMessage(packet))
        case .end(let segment):
            message.put(2)
            message.put(segment)
        case .outcome(let counts):
            message.put(3)
            message.put(counts)
        }
    }

    init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .header(try message.list())
        case 1:
            let segment = try message.integer(Int.self)
            self = .packet(try message.value(PacketMessage.self).packet, segment: segment)
        case 2: self = .end(segment: try message.integer())
        case 3: self = .outcome(try message.value())
        default: throw MessageError()
        }
    }
}

/// What is known of segments when they are made; damage and jumps of time are none that segments are made of.
struct SegmentCounts: MessageValue, Equatable {
    var frames = 0
    var dropped = 0
    /// Where the source is cut off, if a segment reaches there.
    var tornEnd: String?

    init() {}

    static func += (sum: inout SegmentCounts, other: SegmentCounts) {
        sum.frames += other.frames
        sum.dropped += other.dropped
        sum.tornEnd = sum.tornEnd ?? other.tornEnd
    }

    func write(to message: inout MessageWriter) {
        for count in [frames, dropped] { message.put(count) }
        message.put(tornEnd ?? "")
    }

    init(from message: inout MessageReader) throws(MessageError) {
        // Sums of any number of these are still numbers.
        let range = 0...(1 << 40)
        (frames, dropped) = (try message.integer(in: range), try message.integer(in: range))
        let reason = try message.text()
        tornEnd = reason.isEmpty ? nil : reason
    }
}

/// Keeps the packets of segments for another process.
final class PieceOutlet: PacketOutlet {
    private let writer: PieceWriter

    init(_ writer: PieceWriter) { self.writer = writer }

    func send(_ packet: Packet, of segment: Int) throws {
        try writer.add(SegmentRecord.packet(packet, segment: segment))
    }

    func finish(_ segment: Int) throws { try writer.add(SegmentRecord.end(segment: segment)) }
}

/// Hands on the packets of segments that other processes have encoded, in order.
final class SegmentPieceStage: Stage {
    private let pieces: PieceSet
    private let header: [UInt8]
    private let outlet: any PacketOutlet
    private let count: Int
    private let frames: FrameCount

    /// - Parameters:
    ///   - header: What the file says for all segments.
    ///   - count: How many segments there are.
    init(_ pieces: PieceSet, header: [UInt8], count: Int, outlet: any PacketOutlet, frames: FrameCount) {
        (self.pieces, self.header, self.count, self.outlet, self.frames) = (pieces, header, count, outlet, frames)
    }

    func run() throws -> SegmentCounts {
        var (counts, next) = (SegmentCounts(), 0)
        for index in pieces.paths.indices {
            var piece = try pieces.open(index)
            guard case .header(let found)? = try piece.next(SegmentRecord.self) else { throw piece.damaged }
            guard found == header else {
                throw PieceError(path: pieces.paths[index], reason: "its encoder begins with another header")
            }
            var isWhole = false
            while let record: SegmentRecord = try piece.next() {
                guard !isWhole else { throw piece.damaged }
                switch record {
                case .packet(let packet, let segment) where segment == next:
                    try outlet.send(packet, of: segment)
                    if !packet.isDiscarded { frames.add() }
                case .end(let segment) where segment == next:
                    try outlet.finish(segment)
                    next += 1
                case .outcome(let found):
                    counts += found
                    isWhole = true
                case .header, .packet, .end:
                    throw PieceError(path: pieces.paths[index], reason: "segment \(next) is missing or there twice")
                }
            }
            guard isWhole else { throw piece.damaged }
        }
        guard next == count else {
            throw PieceError(path: pieces.paths.last ?? "", reason: "segment \(next) of \(count) is missing")
        }
        return counts
    }
}
