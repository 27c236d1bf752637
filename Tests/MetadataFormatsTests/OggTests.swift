import Foundation
import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

/// A codec's header packets, the comments left open.
struct OggCodecCase: Sendable, CustomTestStringConvertible {
    let name: String
    let first: [UInt8]
    let commentSign: [UInt8]
    var ending: [UInt8] = []
    var further: [[UInt8]] = []
    var testDescription: String { name }

    static let vorbis = OggCodecCase(
        name: "Vorbis", first: [1] + Array("vorbis".utf8) + VorbisBytes.noise(23),
        commentSign: [3] + Array("vorbis".utf8),
        ending: [1], further: [[5] + Array("vorbis".utf8) + VorbisBytes.noise(4000)])
    static let opus = OggCodecCase(
        name: "Opus", first: Array("OpusHead".utf8) + VorbisBytes.noise(11), commentSign: Array("OpusTags".utf8))
    static let speex = OggCodecCase(
        name: "Speex", first: Array("Speex   ".utf8) + VorbisBytes.noise(72), commentSign: [])
    static let theora = OggCodecCase(
        name: "Theora", first: [0x80] + Array("theora".utf8) + VorbisBytes.noise(35),
        commentSign: [0x81] + Array("theora".utf8), further: [[0x82] + Array("theora".utf8) + VorbisBytes.noise(3000)])
    static let vp8 = OggCodecCase(
        name: "VP8", first: Array("OVP80".utf8) + [1] + VorbisBytes.noise(20),
        commentSign: Array("OVP80".utf8) + [2, 0x20])
    static let all = [vorbis, opus, speex, theora, vp8]

    func commentPacket(_ comments: [String], tail: [UInt8] = []) -> [UInt8] {
        commentSign + VorbisBytes.comments(comments) + ending + tail
    }

    func pages(
        _ comments: [String], serial: UInt32 = 1, tail: [UInt8] = [], segmentsPerPage: Int = 255, audioPages: Int = 20
    ) -> [OggBytes] {
        let audio = (0..<audioPages).map { [VorbisBytes.noise(300 + $0, seed: $0), VorbisBytes.noise(40, seed: $0)] }
        return OggBytes.stream(
            [[first], [commentPacket(comments, tail: tail)] + further] + audio, serial: serial,
            segmentsPerPage: segmentsPerPage)
    }
}

private func rewritten(
    _ bytes: [UInt8], _ change: (inout FileMetadata) -> Void
) throws -> (bytes: [UInt8], losses: [MetadataLoss], method: FileRewriteMethod) {
    let file = RandomAccessFile(bytes: bytes)
    var metadata = try OggFormat.read(file)
    change(&metadata)
    let rewrite = try OggFormat.rewrite(file, with: metadata)
    return (rewrite.rewrite.result(of: bytes), rewrite.losses, rewrite.rewrite.method(for: file))
}

private func read(_ bytes: [UInt8]) throws -> FileMetadata { try OggFormat.read(RandomAccessFile(bytes: bytes)) }

@Suite struct `Ogg files` {
    /// Made by FFmpeg 5.1, its comments by mutagen 1.48 with 24 bytes of padding.
    static let real =
        Data(
            base64Encoded: """
                T2dnUwACAAAAAAAAAABeKxpaAAAAADYSKsEBE09wdXNIZWFkAQE4AYC7AAAAAABPZ2dTAAAAAAAAAAAAAF4rGloBAAAAqSGFEAGY\
                T3B1c1RhZ3MNAAAATGF2ZjU5LjI3LjEwMAUAAAAdAAAAZW5jb2Rlcj1MYXZjNTkuMzcuMTAwIGxpYm9wdXMMAAAAdGl0bGU9U3Rp\
                bGxlDgAAAGFydGlzdD1OaWVtYW5kDAAAAGNvbW1lbnQ9ZWlucwwAAABjb21tZW50PXp3ZWkAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AABPZ2dTAAS4CAAAAAAAAF4rGloCAAAASTmywgMHBgYIC+Y7I6tgCAissw7GCAissw7G
                """
        ).map(Array.init) ?? []

    @Test func `Ogg files by another program are read, and changed in place while there is padding`() throws {
        #expect(OggFormat.recognizes(Array(Self.real.prefix(64)), RandomAccessFile(bytes: Self.real)))
        let metadata = try read(Self.real)
        #expect(
            metadata.entries.map(\.short) == [
                "encoder=Lavc59.37.100 libopus", "title=Stille", "artist=Niemand", "comment=eins", "comment=zwei",
            ])
        #expect(metadata.problems == [])
        #expect(try rewritten(Self.real) { _ in }.method == .unchanged)
        let new = try rewritten(Self.real) { $0.entries.append(.comment("album", "x")) }
        #expect(new.method == .inPlace)
        #expect(new.bytes.count == Self.real.count)
        #expect(OggBytes.pages(of: new.bytes)?.count == 3)
        #expect(try read(new.bytes).entries == metadata.entries + [.comment("album", "x")])
    }

    @Test(arguments: OggCodecCase.all, [10, 3000, 40000, 62000])
    func `Ogg files of all codecs take other comments, and nothing else changes`(
        _ codec: OggCodecCase, _ size: Int
    ) throws {
        let old = codec.pages(["TITLE=Alt", "ARTIST=A"])
        let text = String(repeating: "x", count: size)
        let new = try rewritten(OggBytes.file(old)) { $0.entries = [.comment("TITLE", text), $0.entries[1]] }
        let pages = try #require(OggBytes.pages(of: new.bytes))
        #expect(pages.count == old.count || size == 62000)
        #expect(Array(pages.suffix(20)).map(\.body) == Array(old.suffix(20)).map(\.body))
        #expect(Array(pages.suffix(20)).map(\.position) == Array(old.suffix(20)).map(\.position))
        let packets = OggBytes.packets(pages, serial: 1)
        let expected = codec.commentPacket(["TITLE=\(text)", "ARTIST=A"])
        #expect(packets[0] == codec.first)
        #expect(packets[1].starts(with: expected))
        #expect(packets[1].dropFirst(expected.count).allSatisfy { $0 == 0 })
        #expect(Array(packets.dropFirst(2)) == Array(OggBytes.packets(old, serial: 1).dropFirst(2)))
        #expect(try read(new.bytes).entries.map(\.short) == ["TITLE=\(text)", "ARTIST=A"])
        let none = try rewritten(new.bytes) { $0.entries = [] }
        #expect(OggBytes.pages(of: none.bytes) != nil)
        var nothing = FileMetadata(container: .ogg)
        nothing.labels = [TrackLabel(trackID: 1)]
        #expect(try read(none.bytes) == nothing)
    }

    @Test func `Ogg files keep the number of pages when comments shrink or grow within them`() throws {
        let codec = OggCodecCase.vorbis
        let old = codec.pages(["A=1", "B=" + String(repeating: "x", count: 5000)], segmentsPerPage: 4)
        for size in [0, 100, 5000, 30000] {
            let new = try rewritten(OggBytes.file(old)) {
                $0.entries = [.comment("C", String(repeating: "y", count: size))]
            }
            let pages = try #require(OggBytes.pages(of: new.bytes))
            #expect(pages.count == old.count)
            #expect(pages.suffix(20) == old.suffix(20))
        }
    }

    @Test func `Ogg files get their pages renumbered when there are more or fewer of them`() throws {
        let codec = OggCodecCase.vorbis
        let old = codec.pages(["A=1"])
        let large = try rewritten(OggBytes.file(old)) {
            $0.entries.append(.comment("B", String(repeating: "x", count: 300_000)))
        }
        let pages = try #require(OggBytes.pages(of: large.bytes))
        #expect(pages.count == old.count + 4)
        #expect(pages.last?.sequence == UInt32(pages.count - 1))
        #expect(pages.filter { $0.segments.allSatisfy { $0 == 255 } }.allSatisfy { $0.position == UInt64.max })
        let back = try rewritten(large.bytes) { $0.entries.removeLast() }
        #expect(OggBytes.packets(try #require(OggBytes.pages(of: back.bytes)), serial: 1).count == 43)
        #expect(back.bytes.count < 80000)
    }

    @Test func `Ogg files keep what follows the comments unless it is padding`() throws {
        for (tail, isKept) in [([UInt8](repeating: 0, count: 9), false), ([1, 2, 3], true), ([2, 1, 3], false)] {
            let old = OggCodecCase.opus.pages(["A=1"], tail: tail)
            let new = try rewritten(OggBytes.file(old)) { $0.entries.append(.comment("B", "2")) }
            let packet = OggBytes.packets(try #require(OggBytes.pages(of: new.bytes)), serial: 1)[1]
            let comments = OggCodecCase.opus.commentPacket(["A=1", "B=2"])
            #expect(packet.starts(with: comments))
            #expect((Array(packet.dropFirst(comments.count)) == tail) == isKept)
        }
        let old = OggCodecCase.speex.pages(["A=1"], tail: [0, 7])
        let new = try rewritten(OggBytes.file(old)) { $0.entries = [] }
        let packet = OggBytes.packets(try #require(OggBytes.pages(of: new.bytes)), serial: 1)[1]
        #expect(packet == OggCodecCase.speex.commentPacket([], tail: [0, 7]))
    }

    @Test func `Ogg pages with the end of comments and other data are kept together`() throws {
        let codec = OggCodecCase.opus
        var old = OggBytes.stream(
            [[codec.first], [codec.commentPacket(["A=1"]), VorbisBytes.noise(600)], [VorbisBytes.noise(100)]])
        old[1].position = 960
        let new = try rewritten(OggBytes.file(old)) {
            $0.entries.append(.comment("B", String(repeating: "x", count: 100_000)))
        }
        let pages = try #require(OggBytes.pages(of: new.bytes))
        #expect(pages.count == 4)
        #expect(pages.map(\.position) == [0, UInt64.max, 960, old[2].position])
        #expect(OggBytes.packets(pages, serial: 1).suffix(2) == [VorbisBytes.noise(600), VorbisBytes.noise(100)])
    }

    @Test func `Ogg files take images as comments`() throws {
        let new = try rewritten(OggBytes.file(OggCodecCase.opus.pages(["A=1"]))) {
            $0.entries.append(
                MetadataEntry(.vorbisComment, .text("METADATA_BLOCK_PICTURE"), .data(VorbisBytes.png)))
        }
        let packet = OggBytes.packets(try #require(OggBytes.pages(of: new.bytes)), serial: 1)[1]
        let block = VorbisBytes.picture(numbers: [7, 5, 24, 0], data: VorbisBytes.png)
        let comments = ["A=1", "METADATA_BLOCK_PICTURE=" + `Pictures of FLAC`.base64(block)]
        #expect(packet.starts(with: OggCodecCase.opus.commentPacket(comments)))
        #expect(try read(new.bytes).entries[1].value == .data(VorbisBytes.png))
    }

    @Test func `Ogg files of Theora have less than 64 KiB of comments, as players read no more`() throws {
        let old = OggCodecCase.theora.pages(["A=1"])
        let new = try rewritten(OggBytes.file(old)) {
            $0.entries.append(.comment("B", String(repeating: "x", count: 65536)))
            $0.entries.append(.comment("C", String(repeating: "x", count: 65400)))
        }
        #expect(new.losses.map(\.item) == ["vorb/B"])
        #expect(OggBytes.packets(try #require(OggBytes.pages(of: new.bytes)), serial: 1)[1].count <= 65535)
    }
}

@Suite struct `Ogg files of several streams` {
    /// Two streams whose pages take turns, after a skeleton's beginning.
    static func multiplexed(_ first: [OggBytes], _ second: [OggBytes]) -> [OggBytes] {
        let skeleton = OggBytes.stream([[Array("fishead\0".utf8) + VorbisBytes.noise(56)], [[]]], serial: 99)
        var pages = [skeleton[0], first[0], second[0]]
        for index in 1..<max(first.count, second.count) {
            if index < first.count { pages.append(first[index]) }
            if index < second.count { pages.append(second[index]) }
            if index == 3 { pages.append(skeleton[1]) }
        }
        return pages
    }

    static let pages = multiplexed(
        OggCodecCase.theora.pages(["TITLE=Bild"], serial: 0xFFFF_FFFE),
        OggCodecCase.vorbis.pages(["TITLE=Ton"], serial: 7, segmentsPerPage: 5, audioPages: 30))

    @Test func `Ogg files of several streams give the first one's comments to the asset`() throws {
        let metadata = try read(OggBytes.file(Self.pages))
        #expect(metadata.entries == [.comment("TITLE", "Bild")])
        #expect(metadata.tracks == [.init(trackID: 3, entries: [.comment("TITLE", "Ton")])])
        #expect(metadata.problems == [])
    }

    @Test func `Ogg files of several streams give the asset the comments of audio if only that has some`() throws {
        for comments in [["A=1"], []] {
            let pages = Self.multiplexed(
                OggCodecCase.theora.pages([], serial: 1), OggCodecCase.opus.pages(comments, serial: 7))
            let metadata = try read(OggBytes.file(pages))
            #expect(metadata.entries.map(\.short) == comments)
            #expect(metadata.tracks == [])
            let new = try rewritten(OggBytes.file(pages)) { $0.entries = [.comment("B", "2")] }
            let packets = OggBytes.packets(try #require(OggBytes.pages(of: new.bytes)), serial: 7)
            #expect(packets[1].starts(with: OggCodecCase.opus.commentPacket(["B=2"])))
        }
    }

    @Test func `Ogg files of several streams change only those whose comments change`() throws {
        for size in [10, 30000, 200_000] {
            let new = try rewritten(OggBytes.file(Self.pages)) {
                $0.tracks[0].entries = [.comment("LYRICS", String(repeating: "x", count: size))]
            }
            let pages = try #require(OggBytes.pages(of: new.bytes))
            for serial: UInt32 in [0xFFFF_FFFE, 99] {
                #expect(pages.filter { $0.serial == serial } == Self.pages.filter { $0.serial == serial })
            }
            let old = OggBytes.packets(Self.pages, serial: 7)
            #expect(OggBytes.packets(pages, serial: 7).dropFirst(2) == old.dropFirst(2))
            #expect(try read(new.bytes).tracks.first?.entries.first?.key == .text("LYRICS"))
        }
    }

    @Test func `Comments for missing Ogg streams are reported as lost`() throws {
        let new = try rewritten(OggBytes.file(Self.pages)) {
            $0.tracks.append(.init(trackID: 9, entries: [.comment("X", "1")]))
            $0.tracks.append(.init(trackID: 1, entries: [.comment("Y", "1")]))
        }
        #expect(new.losses.map(\.item) == ["vorb/X", "vorb/Y"])
        let foreign = OggBytes.file(OggBytes.stream([[Array("unknown!".utf8)], [[1, 2, 3]]]))
        let none = try rewritten(foreign) { $0.entries = [.comment("X", "1")] }
        #expect(none.losses.map(\.item) == ["vorb/X"])
        #expect(none.bytes == foreign)
    }

    @Test func `Chained Ogg files give the entries of all their links`() throws {
        let links = [("Eins", UInt32(1)), ("Zwei", 2), ("Drei", 3)].map { title, serial in
            OggBytes.file(OggCodecCase.vorbis.pages(["TITLE=\(title)"], serial: serial))
        }
        let metadata = try read(Array(links.joined()))
        #expect(metadata.entries == [.comment("TITLE", "Eins")])
        #expect(metadata.links == [[.comment("TITLE", "Zwei")], [.comment("TITLE", "Drei")]])
        #expect(try read(links[0]).links == [])
    }

    @Test func `Chained Ogg files have only their first link changed`() throws {
        let link = OggCodecCase.vorbis.pages(["TITLE=Zwei"])
        let file = OggBytes.file(OggCodecCase.vorbis.pages(["TITLE=Eins"]) + link)
        let new = try rewritten(file) { $0.entries.append(.comment("L", String(repeating: "x", count: 200_000))) }
        #expect(OggBytes.pages(of: new.bytes) != nil)
        #expect(new.bytes.suffix(OggBytes.file(link).count) == OggBytes.file(link)[...])
        // The first link's end is not marked: the next one begins with a first page of the same number.
        var open = OggCodecCase.vorbis.pages(["TITLE=Eins"])
        open[open.count - 1].flags = 0
        let unmarked = try rewritten(OggBytes.file(open + link)) {
            $0.entries.append(.comment("L", String(repeating: "x", count: 200_000)))
        }
        #expect(unmarked.bytes.suffix(OggBytes.file(link).count) == OggBytes.file(link)[...])
    }

    @Test func `Ogg streams with equal chapters are changed together`() throws {
        let comments = ["CHAPTER001=00:00:00.000", "CHAPTER001NAME=a"]
        let pages = Self.multiplexed(
            OggCodecCase.theora.pages(comments + ["T=1"], serial: 1), OggCodecCase.vorbis.pages(comments, serial: 2))
        let metadata = try read(OggBytes.file(pages))
        #expect(metadata.chapterLists.count == 1)
        let new = try rewritten(OggBytes.file(pages)) { $0.chapterLists[0].chapters[0].titles = [.init("b")] }
        let read = try #require(OggBytes.pages(of: new.bytes))
        for (serial, start) in [(UInt32(1), OggCodecCase.theora), (2, .vorbis)] {
            let packet = OggBytes.packets(read, serial: serial)[1]
            let expected = [comments[0], "CHAPTER001NAME=b"] + (serial == 1 ? ["T=1"] : [])
            #expect(packet.starts(with: start.commentPacket(expected)))
        }
    }
}

@Suite struct `FLAC within Ogg` {
    static func block(_ type: UInt8, _ content: [UInt8], isLast: Bool = false) -> [UInt8] {
        [type | (isLast ? 0x80 : 0), 0, UInt8(content.count >> 8), UInt8(content.count & 255)] + content
    }

    static func pages(count: UInt16) -> [OggBytes] {
        let first =
            [0x7F] + Array("FLAC".utf8) + [1, 0, UInt8(count >> 8), UInt8(count & 255)] + Array("fLaC".utf8)
            + block(0, VorbisBytes.noise(34))
        let packets = [
            block(4, VorbisBytes.comments(["TITLE=Alt"])), block(2, VorbisBytes.noise(400)),
            block(6, VorbisBytes.picture(data: VorbisBytes.png)), block(1, [0, 0, 0], isLast: true),
        ]
        return OggBytes.stream(
            [[first]] + packets.map { [$0] } + (0..<5).map { [[0xFF, 0xF8] + VorbisBytes.noise(90, seed: $0)] })
    }

    @Test func `FLAC within Ogg has comments and images as blocks, and counts them`() throws {
        for count: UInt16 in [4, 0] {
            let old = Self.pages(count: count)
            let metadata = try read(OggBytes.file(old))
            #expect(metadata.entries.map(\.short) == ["TITLE=Alt", "METADATA_BLOCK_PICTURE:33"])
            let new = try rewritten(OggBytes.file(old)) {
                $0.entries[0].value = .text(String(repeating: "x", count: 70000))
                $0.entries.append(
                    MetadataEntry(.vorbisComment, .text("METADATA_BLOCK_PICTURE"), .data(VorbisBytes.jpeg)))
            }
            #expect(new.losses == [])
            let pages = try #require(OggBytes.pages(of: new.bytes))
            let packets = OggBytes.packets(pages, serial: 1)
            #expect(packets[0][7...8] == (count == 0 ? [0, 0] : [0, 5]))
            #expect(packets.map { $0[0] } == [0x7F, 4, 2, 6, 6, 0x81] + Array(repeating: 0xFF, count: 5))
            #expect(packets[2] == Self.block(2, VorbisBytes.noise(400)))
            #expect(packets.suffix(5) == OggBytes.packets(old, serial: 1).suffix(5))
            let none = try rewritten(new.bytes) { $0.entries = [] }
            #expect(try read(none.bytes).entries == [])
            let less = OggBytes.packets(try #require(OggBytes.pages(of: none.bytes)), serial: 1)
            #expect(less[0][7...8] == (count == 0 ? [0, 0] : [0, 3]))
        }
    }
}

@Suite struct `Damaged Ogg files` {
    @Test func `Ogg files cut off anywhere are read and changed without harm`() {
        for count in 0...`Ogg files`.real.count {
            let file = RandomAccessFile(bytes: Array(`Ogg files`.real.prefix(count)))
            guard var metadata = try? OggFormat.read(file) else { continue }
            if count < 210 { #expect(!metadata.problems.isEmpty) }
            metadata.entries.append(.comment("A", String(repeating: "x", count: count % 16 == 0 ? 70000 : 10)))
            _ = try? OggFormat.rewrite(file, with: metadata)
        }
    }

    @Test func `Ogg files with any byte changed are read and changed without harm`() {
        for place in `Ogg files`.real.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = `Ogg files`.real
                bytes[place] = value
                let file = RandomAccessFile(bytes: bytes)
                guard var metadata = try? OggFormat.read(file) else { continue }
                metadata.entries.append(
                    .comment("A", String(repeating: "x", count: value == 1 && place % 16 == 0 ? 70000 : 10)))
                _ = try? OggFormat.rewrite(file, with: metadata)
            }
        }
    }

    @Test func `Ogg files are read in spite of a wrong checksum`() throws {
        var bytes = `Ogg files`.real
        bytes[120] ^= 1
        let metadata = try read(bytes)
        #expect(metadata.entries.count == 5)
        #expect(metadata.problems == ["the page at byte 47 has a wrong checksum"])
    }

    @Test func `Ogg files with lost pages report them, and pages after a hole are found`() throws {
        let codec = OggCodecCase.vorbis
        let old = codec.pages(["A=" + String(repeating: "x", count: 5000)], segmentsPerPage: 5)
        let lost = OggBytes.file(Array(old[..<2] + old[3...]))
        #expect(try read(lost).problems.contains { $0.hasSuffix("is not the next one of its stream") })
        let hole = OggBytes.file(Array(old[..<10])) + VorbisBytes.noise(100) + OggBytes.file(Array(old[10...]))
        let new = try rewritten(hole) { $0.entries[0].value = .text(String(repeating: "y", count: 600_000)) }
        let last = try #require(new.bytes.suffix(old[old.count - 1].bytes.count).littleEndian32(at: 18))
        #expect(last > old[old.count - 1].sequence)
        let renumbered = old[10...].map { page in
            var page = page
            page.sequence += last - old[old.count - 1].sequence
            return page
        }
        let tail = VorbisBytes.noise(100) + OggBytes.file(renumbered)
        #expect(new.bytes.suffix(tail.count) == tail[...])
    }

    @Test(.timeLimit(.minutes(5)))
    func `Ogg files with endless pages, packets or comments are read within limits`() throws {
        let first = OggBytes.stream([[OggCodecCase.opus.first]])
        let empty = OggBytes(serial: 5, sequence: 0, segments: [], body: []).bytes
        let endless = OggBytes.file(first) + (0..<70000).flatMap { _ in empty }
        #expect(try read(endless).problems.count == 2)
        let small = OggBytes(
            sequence: 1, segments: [UInt8](repeating: 4, count: 255), body: (0..<255).flatMap { _ in [2, 0, 0, 0] })
        let flac =
            OggBytes.file(Array(`FLAC within Ogg`.pages(count: 0)[..<1])) + (0..<100).flatMap { _ in small.bytes }
        #expect(try read(flac).problems.contains("stream 1: there are too many packets"))
        let comments = VorbisBytes.comments([[UInt8]]()).dropLast(4) + [0xFF, 0xFF, 0xFF, 0xFF]
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        let packet = Array("OpusTags".utf8) + comments + zeros
        let many = OggBytes.file(OggBytes.stream([[OggCodecCase.opus.first], [packet]]))
        #expect(try read(many).entries.count == 1 << 16)
    }

    @Test func `Ogg files without any stream are refused`() {
        #expect(throws: MetadataError.self) { try read([]) }
        #expect(throws: MetadataError.self) { try read(Array("OggS".utf8)) }
    }
}
