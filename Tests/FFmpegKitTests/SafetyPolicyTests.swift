import Foundation
import TestSupport
import Testing

@testable import FFmpegKit

@Suite struct `Formats and codecs that are read by default` {
    /// The names in the first column of the tables below a heading of the document.
    private func names(below heading: String) throws -> [String] {
        let url = Fixture.folder.deletingLastPathComponent().appendingPathComponent("docs/codecs.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading) } ?? ""
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .flatMap { $0.split(separator: "|")[0].split(separator: "`") }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && $0 != "," }
    }

    @Test func `Demuxers and decoders that are on are in the document with their reasons`() throws {
        let on = SafetyPolicy.formats + SafetyPolicy.videoDecoders + SafetyPolicy.audioDecoders
        #expect(try names(below: "On").sorted() == on.sorted())
    }

    @Test func `Decoders in the document's list of what is off are off`() throws {
        let off = try names(below: "Off")
        #expect(off.count >= 50)
        let on = SafetyPolicy.videoDecoders + SafetyPolicy.audioDecoders
        #expect(Set(off).isDisjoint(with: on))
        #expect(!SafetyPolicy.formats.contains("rm"))
    }

    @Test(arguments: ["vp6f", "svq1", "cook", "hap"])
    func `A decoder can be allowed by its name`(_ name: String) {
        #expect(FormatAllowance.objection(toAllowing: name) == nil)
        var policy = SafetyPolicy()
        #expect(!policy.allowsDecoder(name))
        policy.additionalFormats = [name]
        #expect(policy.allowsDecoder(name))
        #expect(!policy.allowsNesting)
    }
}
