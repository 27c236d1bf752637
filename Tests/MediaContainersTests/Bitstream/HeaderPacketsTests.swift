import MediaCore
import Testing

@testable import MediaContainers

@Suite struct HeaderPacketsTests {
    private static func header(_ kind: UInt8, _ name: String, _ rest: [UInt8]) -> [UInt8] {
        [kind] + Array(name.utf8) + rest
    }

    private let identification = header(
        1, "vorbis", [0, 0, 0, 0, 1, 0x80, 0xBB, 0, 0] + [0, 0, 0, 0, 1, 2, 3, 4] + [0, 0, 0, 0, 0xB8, 1])
    private let setup = header(5, "vorbis", [9, 8, 7, 6])

    private func headers() throws -> HeaderPackets {
        try #require(HeaderPackets(codec: .vorbis, extradata: [2, 30, 20] + identification + [3] + setup))
    }

    @Test func `Headers of Vorbis are told from its sound`() throws {
        let headers = try headers()
        for header in [identification, setup, Self.header(3, "vorbis", [1, 2])] {
            #expect(header.withUnsafeBytes { headers.contain($0) })
            #expect(header.withUnsafeBytes { headers.agree(with: $0) })
        }
        #expect(!([0x42, 1, 2, 3] as [UInt8]).withUnsafeBytes { headers.contain($0) })
        #expect(!([] as [UInt8]).withUnsafeBytes { headers.contain($0) })
    }

    @Test func `Other settings do not agree, other bit rates do`() throws {
        let headers = try headers()
        var rates = identification
        rates[21] ^= 1
        #expect(rates.withUnsafeBytes { headers.agree(with: $0) })
        for place in [11, 12, 28] {
            var other = identification
            other[place] ^= 1
            #expect(!other.withUnsafeBytes { headers.agree(with: $0) })
        }
        #expect(!(setup + [1]).withUnsafeBytes { headers.agree(with: $0) })
        #expect(!Self.header(5, "vorbis", [9, 8, 7, 5]).withUnsafeBytes { headers.agree(with: $0) })
    }

    @Test func `Codecs without headers among their packets have none`() {
        #expect(HeaderPackets(codec: .opus, extradata: []) == nil)
        #expect(HeaderPackets(codec: .theora, extradata: []) != nil)
    }
}
