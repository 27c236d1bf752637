package import MediaAsset
internal import MediaContainers
internal import MediaCore
package import MediaMetadata
internal import MetadataFormats

extension AVFileType {
    /// The name for people: the usual extension.
    package var name: String { preferredFilenameExtension.isEmpty ? rawValue : preferredFilenameExtension }

    /// The kind of movie file, `nil` for what is none.
    var movieBrand: MovieBrand? {
        switch self {
        case .mov: .quickTime
        case .mp4: .mp4
        case .m4v: .m4v
        case .m4a: .m4a
        default: nil
        }
    }

    /// Whether there is room for a single track of pictures or sound.
    var holdsOneTrack: Bool {
        [.gif, .mp3, .flac, .wav, .aiff, .aifc, .caf, .ac3, .eac3, .opus].contains(self)
    }

    /// Which of our writers of metadata the file is for.
    package var metadataContainer: FileMetadata.Container {
        FileMetadata.Container.all.first { $0.typeIdentifiers.contains(rawValue) } ?? .other
    }
}

extension ExportPreset {
    /// Whether all samples stay as they are.
    package var isPassthrough: Bool { !encodes }

    /// The kinds of files for people.
    package var fileTypeNames: String { fileTypes.map(\.name).joined(separator: ", ") }

    /// The kind of file to make if nobody says which.
    ///
    /// - Parameter filenameExtension: The source's, which tells what its container leaves open.
    package func usualFileType(for asset: AssetDescription, filenameExtension: String) -> AVFileType? {
        guard video == .passthrough || audio == .passthrough else { return fileTypes.first }
        let own = AVFileType(filenameExtension: filenameExtension).flatMap { fileTypes.contains($0) ? $0 : nil }
        if isPassthrough {
            return own ?? asset.likelyFileTypes.first { fileTypes.contains($0) } ?? fileTypes.first { $0 == .matroska }
        }
        let candidates = (own.map { [$0] } ?? []) + fileTypes
        return candidates.first { canCopy(asset.tracks, into: $0) } ?? candidates.first
    }
}

extension AssetDescription {
    /// The kinds of file that it may be, by its container.
    fileprivate var likelyFileTypes: [AVFileType] {
        let hasPictures = tracks.contains { $0.mediaType == .video }
        let names = container.split(separator: ",").map(String.init)
        let first: AVFileType? =
            containerType.isMovie
            ? (hasPictures ? .mov : .m4a)
            : containerType.isMatroska
                ? (hasPictures ? .matroska : .matroskaAudio) : names.first.flatMap { AVFileType(filenameExtension: $0) }
        return ([first] + names.dropFirst().map { AVFileType(filenameExtension: $0) }).compactMap(\.self)
    }
}
