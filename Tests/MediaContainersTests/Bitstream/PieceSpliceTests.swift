import MediaCore
import Testing

@testable import MediaContainers

@Suite struct `Pieces of coded pictures` {
    /// Bits, most significant first; numbers are written as Exp-Golomb codes.
    private static func bits(_ parts: Any...) -> [UInt8] {
        var text = ""
        for part in parts {
            if let fixed = part as? String {
                text += fixed
            } else if let number = part as? Int {
                let code = String(number + 1, radix: 2)
                text += String(repeating: "0", count: code.count - 1) + code
            }
        }
        text += "1"
        while !text.count.isMultiple(of: 8) { text += "0" }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: 8) {
            let first = text.index(text.startIndex, offsetBy: start)
            bytes.append(UInt8(text[first..<text.index(first, offsetBy: 8)], radix: 2) ?? 0)
        }
        return bytes
    }

    private static func unit(_ header: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0, 0, 1, header] + NALUnits.escaped(payload)
    }

    /// Frame numbers and order counts of four bits, and fields.
    private static let parameters =
        unit(0x67, bits("01000010", "0000000000011110", 0, 0, 0, 0, 2, "0", 1, 1, "0", "0", "0", "0", "0"))
        + unit(0x68, bits(0, 0, "0", "0", 0, 0, 0, "0", "00", 0, 0, 0, "0", "0", "0"))

    /// A slice of a field: its kind as headers have it, its numbers, and what data it has.
    private static func slice(
        _ header: UInt8 = 0x61, kind: Int, number: String, field: String, order: String, isReference: Bool = true
    ) -> [UInt8] {
        // P slices have a number of references and a list that is not changed.
        let lists = kind == 0 ? "00" : ""
        return unit(header, bits(0, kind, 0, number, field, order, lists, isReference ? "0" : "", 0, "10110111"))
    }

    private static func headers(of packet: [UInt8]) -> [H264SliceHeader] {
        let table = H264ParameterTable(extradata: parameters)
        var found: [H264SliceHeader] = []
        packet.withUnsafeBytes { bytes in
            NALUnits(codec: .h264, extradata: []).forEach(in: bytes) { unit in
                if let header = table.header(of: unit) { found.append(header) }
                return true
            }
        }
        return found
    }

    private static func follow(_ packet: [UInt8], _ splice: inout PieceSplice) -> [UInt8]? {
        let outcome = packet.withUnsafeBytes { splice.follow($0) }
        if case .changed(let bytes) = outcome { return bytes }
        return nil
    }

    @Test func `The first field becomes an IDR picture, and numbers begin with it`() throws {
        var splice = try #require(PieceSplice(codec: .h264, extradata: Self.parameters, piece: 1))
        let frame =
            Self.slice(kind: 7, number: "1110", field: "10", order: "1100")
            + Self.slice(kind: 0, number: "1110", field: "11", order: "1101")
        let first = Self.headers(of: try #require(Self.follow(frame, &splice)))
        #expect(first.map(\.isIDR) == [true, false])
        #expect(first.map(\.frameNumber) == [0, 0])
        #expect(first.map(\.orderCountLow) == [0, 1])
        #expect(first.map(\.field) == [.top, .bottom])
        // Numbers go on beyond the greatest.
        let next = Self.slice(kind: 0, number: "0000", field: "10", order: "0010")
        let second = Self.headers(of: try #require(Self.follow(next, &splice)))
        #expect(second.map(\.frameNumber) == [2] && second.map(\.orderCountLow) == [6])
        #expect(second.map(\.isIDR) == [false])
    }

    @Test func `Pictures from the next IDR picture on stay as they are`() throws {
        var splice = try #require(PieceSplice(codec: .h264, extradata: Self.parameters, piece: 1))
        _ = Self.follow(Self.slice(kind: 7, number: "1110", field: "10", order: "1100"), &splice)
        let identified = Self.unit(0x65, Self.bits(0, 7, 0, "0000", "10", 0, "0000", "00", 0, "10110111"))
        #expect(Self.follow(identified, &splice) == nil)
        #expect(Self.follow(Self.slice(kind: 0, number: "0001", field: "10", order: "0010"), &splice) == nil)
    }

    @Test func `A piece that begins with predicted pictures cannot follow another`() throws {
        for slice in [
            Self.slice(kind: 0, number: "0001", field: "10", order: "0010"),
            Self.slice(0x01, kind: 7, number: "0001", field: "10", order: "0010", isReference: false),
            Self.slice(kind: 7, number: "0001", field: "10", order: "0010").dropLast(4) + [],
        ] {
            var splice = try #require(PieceSplice(codec: .h264, extradata: Self.parameters, piece: 1))
            let outcome = Array(slice).withUnsafeBytes { splice.follow($0) }
            guard case .impossible = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
    }

    @Test func `Zeros before a start code belong to no slice`() throws {
        let slices = [
            Self.slice(kind: 7, number: "1110", field: "10", order: "1100"),
            Self.slice(kind: 7, number: "1110", field: "10", order: "1100"),
        ]
        var (splice, other) = (
            try #require(PieceSplice(codec: .h264, extradata: Self.parameters, piece: 1)),
            try #require(PieceSplice(codec: .h264, extradata: Self.parameters, piece: 1))
        )
        let plain = try #require(Self.follow(slices[0] + slices[1], &splice))
        #expect(Self.follow([0] + slices[0] + [0, 0] + slices[1] + [0], &other) == plain)
        #expect(Self.headers(of: plain).count == 2)
    }

    @Test func `A packet with an IDR slice stays as it is, whatever comes before it`() throws {
        var splice = try #require(PieceSplice(codec: .h264, extradata: Self.parameters, piece: 1))
        let prefix = Self.unit(0x6e, [0x80, 0, 7])
        let identified = Self.unit(0x65, Self.bits(0, 7, 0, "0000", "10", 0, "0000", "00", 0, "10110111"))
        #expect(Self.follow(prefix + identified, &splice) == nil)
        #expect(Self.follow(Self.slice(kind: 0, number: "0001", field: "10", order: "0010"), &splice) == nil)
    }

    /// Some cameras put several units with start codes behind one length.
    @Test func `Pictures whose slices cannot be told apart stay as they are`() throws {
        var splice = try #require(PieceSplice(codec: .h264, extradata: Self.parameters, piece: 1))
        let prefix = Self.unit(0x6e, [0x80, 0, 7])
        #expect(Self.follow(prefix, &splice).map(Self.headers)?.isEmpty != false)
        #expect(Self.follow(Self.slice(kind: 0, number: "0001", field: "10", order: "0010"), &splice) == nil)
    }

    @Test func `A unit that becomes too long for its length is refused`() throws {
        // Lengths of a byte.
        var configuration: [UInt8] = [1, 66, 0, 30, 0xfc, 0xe1]
        let sets = Self.parameters.split(separator: [0, 0, 1] as [UInt8]).map(Array.init)
        for (index, set) in sets.enumerated() {
            if index == 1 { configuration.append(1) }
            configuration += [0, UInt8(set.count)] + set
        }
        var splice = try #require(PieceSplice(codec: .h264, extradata: configuration, piece: 1))
        let short = Self.slice(kind: 7, number: "1110", field: "10", order: "1100").dropFirst(3)
        let packet = [2, 9, 0x10, 255] + short.dropLast() + Array(repeating: 0x55, count: 256 - short.count)
        guard case .impossible = packet.withUnsafeBytes({ splice.follow($0) }) else {
            Issue.record("it was not refused")
            return
        }
    }

    @Test func `Pictures of clean random access become broken links`() throws {
        var splice = try #require(PieceSplice(codec: .hevc, extradata: [], piece: 1))
        let picture: [UInt8] = [0, 0, 1, 0x4e, 1, 5, 0, 0, 0, 1, 0x2a, 1, 0x80, 0, 0, 1, 0x2a, 1, 0x40, 9]
        let message: [UInt8] = [0, 0, 0, 1, 0x4e, 1, 5, 0]
        // What says that pictures before are not shown is taken away.
        #expect(
            Self.follow(picture, &splice)
                == message + [0, 0, 0, 1, 0x20, 1, 0x80] + [0, 0, 0, 1, 0x20, 1, 0, 9])
        #expect(Self.follow(picture, &splice) == nil)
        #expect(PieceSplice(codec: .mpeg2Video, extradata: [], piece: 1) == nil)
    }
}
