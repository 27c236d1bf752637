internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MetadataDocument {
    /// FFmpeg's names of what people call otherwise.
    ///
    /// Source: FFmpeg's documentation and libavformat/avformat.h, "Public Metadata API".
    private static let ffmpegNames = [
        "album-artist": "album_artist", "encoded-by": "encoded_by", "episode": "episode_sort",
        "season": "season_number",
        "sort-title": "sort_name", "gapless": "gapless_playback", "creation-date": "creation_time",
        "episode-id": "episode_id", "media-type": "media_type", "hd-video": "hd_video", "sort-artist": "sort_artist",
        "sort-album": "sort_album", "sort-album-artist": "sort_album_artist", "sort-composer": "sort_composer",
        "sort-show": "sort_show",
    ]

    /// A metadata file that `ffmpeg -i … -map_metadata` takes.
    ///
    /// - Parameters:
    ///   - tracks: The numbers of the file's tracks in their order: FFmpeg counts sections.
    ///   - chapters: What the chapters look like in such a file, which begins with a line that says that it is one.
    func ffmetadata(tracks: [Int64], chapters: String?) -> String {
        var text = ";FFMETADATA1\n" + Self.lines(items)
        let sections = tracks.map { lines(ofTrack: $0) }
        let last = sections.lastIndex { !$0.isEmpty } ?? -1
        for section in sections[...last] { text += "[STREAM]\n" + section }
        return text + (chapters.map { String($0.drop { $0 != "\n" }.dropFirst()) } ?? "")
    }

    private func lines(ofTrack id: Int64) -> String {
        let label = metadata.labels.first { $0.trackID == id }
        let facts = [
            ("language", label?.languageTag.map { LanguageCodes.iso639(of: $0) }), ("title", label?.name),
            ("handler_name", label?.handlerName),
        ]
        let entries = metadata.tracks.filter { $0.trackID == id }.flatMap(\.entries).filter { !$0.isTrackName }
        return facts.map { name, value in value.map { Self.line(name, $0) } ?? "" }.joined()
            + Self.lines(Self.items(entries))
    }

    private static func lines(_ items: [PlainMetadata.Item]) -> String {
        var known: Set<String> = []
        return items.map { item in
            let name = ffmpegNames[item.name] ?? item.name
            // FFmpeg has one value for each name, with the language behind it where there are several.
            let key = known.insert(name).inserted ? name : name + "-" + (item.languageTag ?? item.keySpace ?? "other")
            return line(key, item.values.joined(separator: ";"))
        }.joined()
    }

    private static func line(_ key: String, _ value: String) -> String {
        "\(FFMetadataText.escaped(key))=\(FFMetadataText.escaped(value))\n"
    }
}
