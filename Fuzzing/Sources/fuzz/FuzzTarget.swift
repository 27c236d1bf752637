internal import Bitstream
internal import Foundation
internal import MediaFile
internal import MediaMetadata
internal import MediaTime
internal import MediaTypes

/// What the fuzzer's bytes are fed to; `AVTOOL_FUZZ_TARGET` names it.
private let target: @Sendable ([UInt8]) -> Void = {
    let name = ProcessInfo.processInfo.environment["AVTOOL_FUZZ_TARGET"] ?? ""
    if let format = formats[name] { return { bytes in readAndRewrite(bytes, format) } }
    if name == "chapters" { return readChapterText }
    if name == "bitstream" { return readSamples }
    FileHandle.standardError.write(
        Data("AVTOOL_FUZZ_TARGET must be one of \(formats.keys.sorted() + ["bitstream", "chapters"])\n".utf8))
    exit(64)
}()

private let formats: [String: any MetadataFormat.Type] = [
    "iso": ISOBaseMediaFormat.self,
    "id3": ID3Format.self,
    "riff": RIFFFormat.self,
    "aiff": AIFFFormat.self,
    "flac": FLACFormat.self,
    "ogg": OggFormat.self,
    "matroska": MatroskaFormat.self,
]

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The process's entry, as the package manager names it for this module.
@_cdecl("fuzz_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var (count, arguments) = (count, arguments)
    return runFuzzer(&count, &arguments) { start, count in
        target([UInt8](UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
}

/// Reads a file, writes it with the same and with no metadata, and reads what comes of that.
private func readAndRewrite(_ bytes: [UInt8], _ format: any MetadataFormat.Type) {
    let file = RandomAccessFile(bytes: bytes)
    guard let old = try? format.init(reading: file) else { return }
    let metadata = old.metadata
    _ = MediaItem(entries: metadata.entries)
    var empty = metadata
    empty.entries = []
    empty.tracks = []
    empty.chapterLists = []
    for version in [metadata, empty] {
        guard let change = try? old.rewritten(with: version) else { continue }
        // A file of a few bytes may claim gigabytes; what is not there is not copied.
        guard change.rewrite.byteCount < 1 << 24, let result = bytesOf(change.rewrite, bytes) else { continue }
        _ = try? format.init(reading: RandomAccessFile(bytes: result))
    }
}

private func bytesOf(_ rewrite: FileRewrite, _ source: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    for segment in rewrite.segments {
        switch segment {
        case .bytes(let bytes): result += bytes
        case .source(let range):
            guard range.upperBound <= UInt64(source.count) else {
                fatalError("the rewrite copies bytes \(range) of a file of \(source.count) bytes")
            }
            result += source[Int(range.lowerBound)..<Int(range.upperBound)]
        }
    }
    return result
}

private func readChapterText(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let format = ChapterTextFormat.detect(text), let lists = try? format.parse(text) else { return }
    for list in lists {
        for other in ChapterTextFormat.allCases {
            _ = other.text(of: list, assetDuration: CMTime(value: 100, timescale: 1))
        }
    }
}

/// A codec, the length of its configuration and the configuration, then samples, each after its length in a byte
/// (255: all that is left).
private func readSamples(_ bytes: [UInt8]) {
    let codecs: [Codec] = [.h264, .hevc, .av1, .mpeg4, .mpeg2Video, .vp8, .vp9]
    guard bytes.count > 2 else { return }
    let codec = codecs[Int(bytes[0]) % codecs.count]
    let configuration = Array(bytes[2...].prefix(Int(bytes[1])))
    var rest = bytes[2...].dropFirst(configuration.count)
    let classifier = EntryClassifier(codec: codec, extradata: configuration)
    let disposable = DisposablePictures(codec: codec, extradata: configuration, isIntraOnly: false)
    let units = NALUnits(codec: codec, extradata: configuration)
    var references = PictureReferencesReader.make(codec: codec, extradata: configuration)
    var mpeg4 = MPEG4PictureReader(extradata: configuration)
    _ = HEVCAlpha.isAnnounced(in: configuration)
    var number: Int64 = 0
    while let length = rest.popFirst() {
        let sample = Array(length == 255 ? rest : rest.prefix(Int(length)))
        rest = rest.dropFirst(sample.count)
        sample.withUnsafeBytes { bytes in
            _ = (classifier.classify(bytes), disposable.contains(bytes), mpeg4.next(bytes))
            _ = (ClosedCaptions.areHeld(by: bytes), units.resetPictureOrder(in: bytes, isHEVC: codec == "hevc"))
            if let picture = references?.add(bytes, number: number), let hollow = references?.hollow(bytes, picture) {
                hollow.withUnsafeBytes { _ = classifier.classify($0) }
            }
        }
        number += 1
    }
}
