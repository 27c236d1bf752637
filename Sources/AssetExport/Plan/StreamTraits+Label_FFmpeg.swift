internal import FFmpegKit
internal import MediaMetadata
internal import MetadataFormats

extension StreamTraits {
    /// Has muxers write language and purpose as the source's headers say them.
    ///
    /// An AVI file's names have their place before the media, where only the muxer makes room for them.
    ///
    /// Matroska has the older codes of languages, MP4 the newer ones.
    mutating func take(_ label: TrackLabel, for container: FileMetadata.Container) {
        for (role, disposition) in TrackLabel.Roles.dispositions where label.roles.contains(role) {
            self.disposition.insert(disposition)
        }
        if container == .riff { metadata["title"] = label.name }
        if let tag = label.languageTag {
            language = LanguageCodes.iso639(of: tag, isBibliographic: container == .matroska)
        }
    }
}

extension TrackLabel.Roles {
    fileprivate static let dispositions: [(TrackLabel.Roles, Disposition)] = [
        (.forced, .forced), (.hearingImpaired, .hearingImpaired), (.visualImpaired, .visualImpaired),
        (.commentary, .commentary), (.original, .original), (.dub, .dub),
    ]

    init(_ disposition: Disposition) {
        self = []
        for (role, own) in Self.dispositions where disposition.contains(own) { insert(role) }
    }
}
