package import MediaAsset
internal import MediaCore

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
