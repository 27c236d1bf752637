internal import Foundation
internal import FuzzDriver
internal import MediaCore
internal import MediaIO
internal import MediaMetadata
internal import MetadataFormats
internal import ToolDocuments

/// Reads a file, writes it with the same and with no metadata, and reads what comes of that.
func readAndRewrite(_ bytes: [UInt8], _ format: any MetadataFormat.Type) {
    let file = RandomAccessFile(bytes: bytes)
    guard let old = try? format.init(reading: file) else { return }
    let metadata = old.metadata
    _ = MediaItem(entries: metadata.entries)
    var empty = metadata
    empty.entries = []
    empty.tracks = []
    empty.chapterLists = []
    for version in [metadata, empty] { write(version, into: old, of: bytes) }
}

private func write(_ metadata: FileMetadata, into old: any MetadataFormat, of bytes: [UInt8]) {
    guard let change = try? old.rewritten(with: metadata) else { return }
    // A file of a few bytes may claim gigabytes; what is not there is not copied.
    guard change.rewrite.byteCount < 1 << 24, let result = bytesOf(change.rewrite, bytes) else { return }
    _ = try? type(of: old).init(reading: RandomAccessFile(bytes: result))
}

/// The new version of a file in memory.
func bytesOf(_ rewrite: FileRewrite, _ source: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    for segment in rewrite.segments {
        switch segment {
        case .bytes(let bytes): result += bytes
        case .source(let range):
            expect(
                range.upperBound <= UInt64(source.count),
                "the rewrite copies bytes \(range) of a file of \(source.count) bytes")
            result += source[Int(range.lowerBound)..<Int(range.upperBound)]
        }
    }
    return result
}

/// Reads a file's metadata as `share-safe` does, and overwrites what it finds.
func prepareForSharing(_ bytes: [UInt8]) {
    let file = RandomAccessFile(bytes: bytes)
    guard let format = try? FileMetadata.format(reading: file) else { return }
    var metadata = format.metadata
    _ = metadata.privateDetails(withoutTracks: [])
    metadata.entries = MetadataSharing.shareable(metadata.entries)
    for index in metadata.tracks.indices {
        metadata.tracks[index].entries = MetadataSharing.shareable(metadata.tracks[index].entries)
    }
    metadata.chapterLists = metadata.chapterLists.map(\.forSharing)
    write(metadata, into: format, of: bytes)
    let overlay =
        metadata.container == .matroska
        ? (try? MatroskaScrub(file))?.overlay : SimpleFileScrub(file).overlay
    guard let overlay, !overlay.isEmpty else { return }
    let result = bytesOf(overlay.rewrite(of: file), bytes)
    expect(result?.count == bytes.count, "\(bytes.count) bytes became \(result?.count ?? 0)")
}

/// A small file of each format, which names and documents are applied to.
private let examples: [(bytes: [UInt8], memory: MemoryFile)] = {
    let folder = ProcessInfo.processInfo.environment["AVTOOL_FUZZ_CORPUS"] ?? "Fuzzing/Corpus"
    let names = [
        "isoBaseMedia/a.m4a", "isoBaseMedia/b.mov", "id3/a.mp3", "flac/a.flac", "ogg/a.ogg", "matroska/a.mka",
        "riff/a.wav", "aiff/a.aiff",
    ]
    return names.compactMap { name in
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)"),
            let memory = data.withUnsafeBytes({ MemoryFile($0) })
        else { fatalError("there is no \(folder)/\(name)") }
        return ([UInt8](data), memory)
    }
}()

/// Applies the JSON of `metadata set --from` and `chapters set` to a file whose format the number of bytes decides.
func readDocument(_ bytes: [UInt8]) {
    let example = examples[bytes.count % examples.count]
    guard var file = try? MetadataFile(path: example.memory.path) else { return }
    ToolDocuments.read(bytes, into: &file)
    guard let format = try? FileMetadata.format(reading: RandomAccessFile(bytes: example.bytes)) else { return }
    write(file.metadata, into: format, of: example.bytes)
    var metadata = file.metadata
    let (lists, _) = metadata.chapterLists.forms(
        for: metadata.container, origin: CMTime(value: 21, timescale: 1000))
    metadata.chapterLists = lists
    write(metadata, into: format, of: example.bytes)
}

/// Sets metadata by names and values that people type, one a line; lines that begin with an exclamation mark are
/// names that are removed.
func assignNames(_ bytes: [UInt8]) {
    let example = examples[bytes.count % examples.count]
    guard var file = try? MetadataFile(path: example.memory.path) else { return }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(20)
    for line in lines where line.hasPrefix("!") { try? file.remove(String(line.dropFirst())) }
    let assignments = lines.compactMap { try? MetadataAssignment(String($0)) }
    try? file.set(assignments)
    for assignment in assignments {
        _ = try? MetadataName(assignment.name.text)
        try? file.set([assignment])
        try? file.set([assignment], inTrack: 1)
    }
    file.apply(file.mediaItem)
    guard let format = try? FileMetadata.format(reading: RandomAccessFile(bytes: example.bytes)) else { return }
    write(file.metadata, into: format, of: example.bytes)
}
