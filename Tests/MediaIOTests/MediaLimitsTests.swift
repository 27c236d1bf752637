import Foundation
import MediaIO
import TestSupport
import Testing

@Suite struct `Limits` {
    @Test(arguments: MediaLimits.Name.allCases)
    func `Limits have a default within their range, and take the nearest value of it`(_ name: MediaLimits.Name) {
        #expect(name.range.contains(name.defaultValue))
        #expect(name.range.lowerBound > 0)
        var limits = MediaLimits()
        #expect(limits[name] == name.defaultValue)
        for (given, kept) in [
            (Int64.min, name.range.lowerBound), (-1, name.range.lowerBound), (0, name.range.lowerBound),
            (name.range.lowerBound, name.range.lowerBound), (name.range.upperBound, name.range.upperBound),
            (.max, name.range.upperBound),
        ] {
            limits[name] = given
            #expect(limits[name] == kept)
        }
        limits[name] = name.defaultValue
        #expect(limits == MediaLimits())
    }

    @Test func `Limits have a property for each name`() {
        var limits = MediaLimits()
        limits.pixels = 1
        limits.artworkPixels = 2
        limits.frames = 3
        limits.streams = 4
        limits.packets = 5
        limits.indexEntries = 6
        limits.metadataSize = 7000
        limits.chapters = 8
        limits.nesting = 9
        limits.probeSize = 10_000
        limits.pipeSize = 11
        limits.outputSize = 12
        limits.encodingMemory = 16_000_000
        limits.textLength = 13
        limits.openTime = .seconds(14)
        limits.time = .milliseconds(15)
        #expect(
            MediaLimits.Name.allCases.map { limits[$0] } == [
                1, 2, 3, 4, 5, 6, 7000, 8, 9, 10_000, 11, 12, 16_000_000, 14_000, 15, 13,
            ])
    }

    @Test(
        arguments: [
            (Duration.microseconds(1), 1), (.microseconds(1500), 2), (.seconds(2), 2000), (.zero, 1), (.seconds(-5), 1),
            (.seconds(Int64.max), 86_400_000), (.seconds(Int64.min), 1), (.nanoseconds(1_000_001), 2),
        ] as [(Duration, Int64)])
    func `Limits of time are rounded up to milliseconds`(_ duration: Duration, _ milliseconds: Int64) {
        var limits = MediaLimits()
        limits.time = duration
        #expect(limits[.time] == milliseconds)
        #expect(limits.time == .milliseconds(milliseconds))
    }

    @Test func `Limits are encoded by their names, and clamped to their range when decoded`() throws {
        var limits = MediaLimits()
        limits.metadataSize = 5000
        limits.openTime = .seconds(1)
        let data = try JSONEncoder().encode(limits)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains("\"metadata-size\":5000") && text.contains("\"open-time\":1000"))
        #expect(try JSONDecoder().decode(MediaLimits.self, from: data) == limits)
        let wild = try JSONDecoder().decode(
            MediaLimits.self, from: Data(text.replacing("5000", with: "-5000").utf8))
        #expect(wild.metadataSize == 1024)
    }

    /// The document is what people go by.
    @Test func `Limits are listed in the document with their defaults and ranges`() throws {
        let url = Fixture.folder.deletingLastPathComponent().appendingPathComponent("docs/limits.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.contains("…") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        #expect(
            rows.map { $0[0] }
                == MediaLimits.Name.allCases.filter { $0 != .time }.map { "`\($0.rawValue)`" }
                .inserting("`time`", before: "`text`"))
        for row in rows {
            let name = try #require(MediaLimits.Name(rawValue: row[0].trimmingCharacters(in: ["`"])))
            #expect(row[1] == String(name.defaultValue), "\(name)")
            #expect(row[2] == "\(name.range.lowerBound)…\(name.range.upperBound)", "\(name)")
        }
    }
}

extension [String] {
    fileprivate func inserting(_ new: String, before other: String) -> [String] {
        flatMap { $0 == other ? [new, $0] : [$0] }
    }
}
