import Foundation
import TestSupport
import Testing

@testable import FFmpegKit

@Suite struct `Files of kinds that cannot be read` {
    private static func ftyp(_ major: String, _ others: String...) -> [UInt8] {
        let size = UInt8(16 + 4 * others.count)
        return [0, 0, 0, size] + Array("ftyp\(major)".utf8) + [0, 0, 0, 0] + others.flatMap { Array($0.utf8) }
    }

    @Test(
        arguments: [
            (ftyp("heic", "mif1"), "a HEIC picture"), (ftyp("mif1", "heic"), "a HEIC picture"),
            (ftyp("mif1", "miaf"), "a HEIF picture"), (ftyp("crx ", "isom"), "a Canon raw photo (CR3)"),
            (Array("%PDF-1.7".utf8), "a PDF document"), ([0xff, 0x0a, 0, 0], "a JPEG XL picture"),
            ([0, 0, 0, 12] + Array("JXL \r\n".utf8), "a JPEG XL picture"),
            (Array("PK\u{3}\u{4}".utf8), "a ZIP archive, or a document in one"),
            (Array("<?xml version=\"1.0\"?>\n<svg>".utf8), "an SVG drawing"),
            (Array("\n<!DOCTYPE html><html>".utf8), "a web page"),
            (Array("II*\0".utf8) + [0, 0, 0, 0] + Array("CR\u{2}".utf8), "a Canon raw photo (CR2)"),
            (Array("RIFF\0\0\0\0WEBPVP8X\n\0\0\0".utf8) + [2, 0], "an animated WebP picture"),
            ([0, 0, 0, 1] + Array("RED1".utf8), "a RED raw film (R3D)"),
        ] as [([UInt8], String)])
    func `Files of kinds that cannot be read are named in the error`(_ bytes: [UInt8], _ name: String) {
        #expect(ForeignFormat(bytes)?.name == name)
    }

    @Test(
        arguments: [
            [], [0], Array("ftyp".utf8), ftyp("isom", "mp42"), Array("RIFF\0\0\0\0AVI LIST".utf8),
            [0, 0, 0, 255] + Array("ftypheif".utf8),
        ] as [[UInt8]])
    func `Media files and short files are not taken for kinds that cannot be read`(_ bytes: [UInt8]) {
        #expect(ForeignFormat(bytes) == nil)
    }

    // "moov atom not found" was all that was said of these.
    @Test func `A movie without its index is told from an image that has none`() throws {
        let error = try #require(Fixture("truncated-no-moov.mp4").openFailure())
        #expect(error.reason.contains("index (moov) is missing") && error.kind == .damaged)
        let folder = try TemporaryFolder()
        try Data(Self.ftyp("heic", "mif1") + [0, 0, 0, 8] + Array("mdat".utf8)).write(
            to: folder.url.appendingPathComponent("x.heic"))
        let other = #expect(throws: FFmpegError.self) {
            try Demuxer.open(folder.path("x.heic"), policy: SafetyPolicy(), interrupt: Interrupt())
        }
        #expect(other?.kind == .unsupported && other?.reason == "a HEIC picture: this is not supported")
    }

    @Test func `Formats that open files unchecked cannot be allowed`() {
        for name in ["concat", "dash", "image2", "sdp", "rtsp", "lavfi-no", "", "hls,concat"] {
            #expect(FormatAllowance.objection(toAllowing: name) != nil, "\(name)")
        }
        for name in ["hls", "smk"] { #expect(FormatAllowance.objection(toAllowing: name) == nil, "\(name)") }
    }

    // The hook was passed by: a demuxer that opens files itself opened them.
    @Test func `A list of files to join opens nothing even if it is allowed`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Fixture("movie.mp4").path, toPath: folder.path("movie.mp4"))
        try Data("ffconcat version 1.0\nfile movie.mp4\n".utf8).write(to: folder.url.appendingPathComponent("list.txt"))
        var policy = SafetyPolicy()
        policy.additionalFormats = ["concat"]
        #expect(throws: FFmpegError.self) {
            try Demuxer.open(folder.path("list.txt"), policy: policy, interrupt: Interrupt())
        }
    }
}
