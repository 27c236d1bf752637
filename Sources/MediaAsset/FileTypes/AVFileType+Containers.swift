package import MediaContainers
internal import MediaCore
package import MediaMetadata
internal import MetadataFormats

extension AVFileType {
    /// The name for people: the usual extension.
    package var name: String { preferredFilenameExtension.isEmpty ? rawValue : preferredFilenameExtension }

    /// The kind of movie file, `nil` for what is none.
    package var movieBrand: MovieBrand? {
        switch self {
        case .mov: .quickTime
        case .mp4: .mp4
        case .m4v: .m4v
        case .m4a: .m4a
        default: nil
        }
    }

    /// Whether there is room for a single track of pictures or sound.
    package var holdsOneTrack: Bool {
        [.gif, .mp3, .flac, .wav, .aiff, .aifc, .caf, .ac3, .eac3, .opus].contains(self)
    }

    /// Which of our writers of metadata the file is for.
    package var metadataContainer: FileMetadata.Container {
        FileMetadata.Container.all.first { $0.typeIdentifiers.contains(rawValue) } ?? .other
    }
}
