import AssetExport
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

/// An item that tells of the old file's container, in the key space of each format that has such items.
private struct Fact: CustomTestStringConvertible, Sendable {
    let entry: MetadataEntry
    let container: FileMetadata.Container
    /// Whether it is no longer true even in a file of the same kind.
    let isStaleAlways: Bool

    init(
        _ keySpace: AVMetadataKeySpace, _ key: String, _ value: String, of container: FileMetadata.Container,
        info: String? = nil, isStaleAlways: Bool = true
    ) {
        let code = keySpace == .iTunes ? MetadataKey(fourCharacters: key) : nil
        entry = MetadataEntry(
            keySpace, code ?? .text(key), .text(value), extras: info.map { [.info: .text($0)] } ?? [:])
        (self.container, self.isStaleAlways) = (container, isStaleAlways)
    }

    var testDescription: String { "\(entry.identifier.rawValue) of \(container)" }
}

@Suite("Facts of a container")
struct ContainerFactTests {
    private static let fileTypes: [(FileMetadata.Container, AVFileType)] = [
        (.isoBaseMedia, .mp4), (.quickTime, .mov), (.matroska, .matroska), (.id3, .mp3), (.flac, .flac), (.ogg, .ogg),
        (.riff, .wav), (.other, .mpeg2TransportStream),
    ]

    private static let facts: [Fact] = [
        Fact(.iTunes, "@too", "HandBrake 1.7.2", of: .isoBaseMedia, isStaleAlways: false),
        Fact(.iTunes, "@too", "Lavf59.27.100", of: .isoBaseMedia),
        Fact(.iTunesFreeForm, "com.apple.iTunes.encoder", "x", of: .isoBaseMedia, isStaleAlways: false),
        Fact(.quickTimeMetadata, "encoder", "Lavf59.27.100", of: .quickTime),
        Fact(.id3, "TSSE", "LAME 3.100", of: .id3, isStaleAlways: false),
        Fact(.id3, "TSSE", "Lavf59.27.100", of: .id3),
        Fact(.id3, "TXXX", "isom", of: .id3, info: "major_brand"),
        Fact(.audioFile, "ISFT", "Adobe Premiere", of: .riff, isStaleAlways: false),
        Fact(.audioFile, "ISFT", "Lavf59.27.100", of: .riff),
        Fact(.vorbisComment, "ENCODER", "oggenc", of: .ogg, isStaleAlways: false),
        Fact(.vorbisComment, "major_brand", "isom", of: .ogg),
        Fact(.matroska, "ENCODER", "Lavf59.27.100", of: .matroska),
        Fact(.matroska, "MAJOR_BRAND", "isom", of: .matroska),
        Fact(.matroska, "MINOR_VERSION", "512", of: .matroska),
        Fact(.matroska, "COMPATIBLE_BRANDS", "isomiso2", of: .matroska),
        Fact(.matroska, "HANDLER_NAME", "VideoHandler", of: .matroska),
        Fact(.matroska, "VENDOR_ID", "[0][0][0][0]", of: .matroska),
        Fact(.matroska, "ALPHA_MODE", "1", of: .matroska),
        Fact(.matroska, "BPS-eng", "128000", of: .matroska),
        Fact(.matroska, "DURATION", "00:00:01.000000000", of: .matroska),
        Fact(.matroska, "_STATISTICS_TAGS", "BPS DURATION", of: .matroska),
        Fact(.libavformat, "WMFSDKVersion", "12.0", of: .other),
        Fact(.libavformat, "major_brand", "isom", of: .other),
    ]

    // itsk/%A9too was left out on purpose, and the audit called it lost.
    @Test(arguments: facts)
    private func `Facts of a container are neither written to another kind of file nor missed there`(
        _ fact: Fact
    ) throws {
        let source = FileMetadata(container: fact.container, entries: [fact.entry])
        for (container, fileType) in Self.fileTypes where container != fact.container {
            let (made, losses) = try ExportMetadata().applied(to: source, for: fileType, trackIDs: [:])
            #expect(made.entries == [] && losses == [], "\(container)")
            #expect(ExportMetadata().expected(of: source.entries, staysSame: false) == [], "\(container)")
        }
    }

    @Test(arguments: facts)
    private func `Facts of a container are missed in the same kind of file if they are written there`(
        _ fact: Fact
    ) throws {
        let source = FileMetadata(container: fact.container, entries: [fact.entry])
        let fileType = try #require(Self.fileTypes.first { $0.0 == fact.container }).1
        let (made, _) = try ExportMetadata().applied(to: source, for: fileType, trackIDs: [:])
        #expect(made.entries == (fact.isStaleAlways ? [] : [fact.entry]))
        #expect(ExportMetadata().expected(of: source.entries, staysSame: true) == made.entries)
    }

    @Test(arguments: [
        Fact(.vorbisComment, "DURATION", "long", of: .ogg), Fact(.matroska, "ARTIST", "somebody", of: .matroska),
        Fact(.id3, "TXXX", "x", of: .id3, info: "mood"),
    ])
    private func `Items that people wrote are no facts of a container`(_ fact: Fact) {
        for isSame in [true, false] {
            #expect(ExportMetadata().expected(of: [fact.entry], staysSame: isSame) == [fact.entry])
        }
    }
}
