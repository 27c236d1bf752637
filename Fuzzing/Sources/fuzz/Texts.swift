internal import AssetExport
internal import Foundation
internal import FuzzDriver
internal import MediaCore
internal import MediaIO
internal import MediaMetadata
internal import PictureFiles

/// Chapters as text, in each of the forms, written in all of them.
func readChapterText(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let format = ChapterTextFormat.detect(text), let lists = try? format.parse(text) else { return }
    for list in lists {
        for other in ChapterTextFormat.allCases {
            _ = other.text(of: list, assetDuration: CMTime(value: 100, timescale: 1))
        }
    }
}

/// Reads a preset, which must be the same after it was written.
func readPreset(_ bytes: [UInt8]) {
    guard let preset = try? ExportPreset(json: Data(bytes)) else { return }
    guard let text = try? preset.json(), let again = try? ExportPreset(json: text) else {
        fatalError("a preset that was read cannot be written and read")
    }
    expect(again == preset, "a preset is another one after it was written")
}

/// All that is read of a picture without decoding it.
func readPicture(_ bytes: [UInt8]) {
    PictureFiles.read(bytes)
    _ = MetadataDataType.ofPicture(bytes)
    if let shared = PictureFile.shareable(bytes) {
        expect(PictureFile.shareable(shared) != nil, "a picture that was made shareable is not")
    }
}

/// Reads a playlist, to find out whether a file is one that it names.
func readPlaylist(_ bytes: [UInt8]) {
    guard let memory = bytes.withUnsafeBytes({ MemoryFile($0) }) else { return }
    // What is there already makes the run look at what its inputs name.
    try? RunFiles(reading: [memory.path]).check("/dev/null", replaces: true)
    try? RunFiles(reading: [memory.path]).checkIsNoInput("/proc/self/exe")
}

/// Text from bytes in all codings, and text for people, pages and names of files of it.
func decodeText(_ bytes: [UInt8]) {
    let texts = [
        TextCoding.utf8OrLatin1(bytes), TextCoding.utf16(bytes, isBigEndian: true),
        TextCoding.utf16(bytes, isBigEndian: false), String(latin1: bytes),
    ]
    for text in texts {
        let limit = Int(bytes.first ?? 0)
        expect(text.utf8Prefix(limit).count <= limit, "\(limit) bytes were asked for")
        _ = (text.printable(limit: limit), text.quoted(limit: limit), text.singleLine(limit: limit), text.htmlEscaped)
        expect(
            TextCoding.utf16(TextCoding.utf16LittleEndianWithMark(text), isBigEndian: true) == text,
            "text is another one after it was written")
    }
    expect(String(latin1: bytes).latin1 == bytes, "bytes are others after they were text")
    expect(String(pathBytes: bytes).pathBytes == bytes || bytes.contains(0), "a name is another one after it was text")
    _ = String(pathBytes: bytes).withVisiblePathBytes
    _ = JSONSyntax.placeOfError(in: Data(bytes))
}
