import CFFmpeg
import MediaContainers
import Testing

@testable import FFmpegKit

@Suite struct `Layers of HEVC` {
    /// A video parameter set for so many layers, behind a start code.
    private func parameters(layers: UInt8) -> [UInt8] {
        [0, 0, 0, 1, 0x40, 0x01, 0x0c | (layers - 1) >> 4, (layers - 1) << 4 | 0x01, 0xff, 0xff]
    }

    @Test func `Layers of HEVC are announced by the video parameter set`() {
        #expect(HEVCLayers.areAnnounced(in: parameters(layers: 2)))
        #expect(HEVCLayers.areAnnounced(in: parameters(layers: 17)))
        #expect(!HEVCLayers.areAnnounced(in: parameters(layers: 1)))
        #expect(!HEVCLayers.areAnnounced(in: []))
        #expect(!HEVCLayers.areAnnounced(in: [0, 0, 0, 1, 0x40]))
    }

    private func packet(_ stream: Int32, _ bytes: [UInt8]) throws -> Packet {
        let packet = try #require(Packet(bytes: bytes, like: Packet()))
        packet.pointer.pointee.stream_index = stream
        return packet
    }

    @Test func `Layers of HEVC are joined into one packet, other streams' packets keep their order`() throws {
        let (base, upper): ([UInt8], [UInt8]) = ([0, 0, 1, 0x02, 0x01, 7], [0, 0, 1, 0x02, 0x09, 8])
        var source = try [
            packet(0, base), packet(1, [1]), packet(0, upper), packet(1, [2]), packet(0, base), packet(0, upper),
            packet(1, [3]),
        ]
        var join = LayerJoin(streams: [0])
        var made: [[UInt8]] = []
        while let packet = try join.next({ () throws(FFmpegError) in source.isEmpty ? nil : source.removeFirst() }) {
            made.append(packet.withBytes { Array($0) })
        }
        #expect(made == [base + upper, [1], [2], base + upper, [3]])
    }

    @Test func `Layers of HEVC read before a failure are delivered before it`() throws {
        let failure = FFmpegError(kind: .damaged, operation: .read, reason: "it ends here")
        var source = try [packet(0, [0, 0, 1, 0x02, 0x01, 7])]
        var join = LayerJoin(streams: [0])
        func next() throws(FFmpegError) -> Packet? {
            try join.next { () throws(FFmpegError) in
                if source.isEmpty { throw failure }
                return source.removeFirst()
            }
        }
        #expect(try next()?.byteCount == 6)
        #expect(throws: FFmpegError.self) { try next() }
    }
}
