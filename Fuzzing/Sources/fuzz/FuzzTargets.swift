internal import FuzzDriver
internal import MediaMetadata
internal import MetadataFormats

/// The process's entry, as the package manager names it for this module.
@_cdecl("fuzz_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    FuzzDriver.run(count, arguments, formatTargets.merging(otherTargets) { first, _ in first })
}

/// The readers and writers of each format of metadata, by the name of its first kind of file.
private var formatTargets: [String: FuzzDriver.Target] {
    var targets: [String: FuzzDriver.Target] = [:]
    for format in FileMetadata.formats {
        guard let name = format.containers.first?.name else { continue }
        targets[name] = { bytes in readAndRewrite(bytes, format) }
    }
    return targets
}

private let otherTargets: [String: FuzzDriver.Target] = [
    "bitstream": readSamples,
    "boxes": readBoxes,
    "chapters": readChapterText,
    "documents": readDocument,
    "movieCutting": cutMovie,
    "names": assignNames,
    "pictures": readPicture,
    "playlists": readPlaylist,
    "presets": readPreset,
    "samples": scrubSamples,
    "sharing": prepareForSharing,
    "textCoding": decodeText,
    "timeArithmetic": calculate,
    "times": readTimes,
]
