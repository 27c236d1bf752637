extension MetadataEntry {
    /// Whether it is about the container or the coded samples of the file that it stands in, so that it is not true of
    /// another file made of it: the numbers that mkvmerge counts, the brand of an MP4 file, the program that muxed.
    ///
    /// Exports leave out just these, and audits miss all but these.
    ///
    /// - Parameter isSame: Whether the other file is of the same kind, where the name of the program that made the
    ///   sound may still be right.
    package func isOfContainer(staysSame isSame: Bool) -> Bool {
        if isTechnical { return true }
        guard let name = freeName else { return isProgram && isStale(isSame) }
        if Self.facts.contains(name) { return true }
        let isCounted = Self.statistics.contains(name) || name.hasPrefix("_statistics_")
        if isCounted, keySpace != .vorbisComment { return true }
        return name == "encoder" && isStale(isSame)
    }

    /// Whether it is what FFmpeg tells as metadata that is none: a fact of the container, which a new file has its own
    /// of, or what a track says in fields of its own.
    var isTechnical: Bool { keySpace == .libavformat && Self.technicalNames.contains(key.text) }

    /// The name of an entry whose key space has names of all kinds, in small letters.
    private var freeName: String? {
        switch keySpace {
        case .matroska, .quickTimeMetadata, .vorbisComment, .libavformat: return key.text.lowercased()
        case .iTunesFreeForm: return (key.text.split(separator: ".").last.map(String.init) ?? key.text).lowercased()
        case .id3: return key.text == "TXXX" ? (info ?? "").lowercased() : nil
        default: return nil
        }
    }

    /// Whether it names the program that wrote the file.
    private var isProgram: Bool {
        switch (keySpace, key.text) {
        case (.iTunes, "@too"), (.id3, "TSSE"), (.id3, "TSS"), (.audioFile, "ISFT"): true
        default: false
        }
    }

    private func isStale(_ isSame: Bool) -> Bool { !isSame || text?.hasPrefix("Lav") == true }

    /// Tags that mkvmerge and FFmpeg count for each track.
    private static let statistics: Set<String> = [
        "bps", "bps-eng", "duration", "duration-eng", "number_of_frames", "number_of_frames-eng", "number_of_bytes",
        "number_of_bytes-eng",
    ]
    /// Facts of MP4 files, which FFmpeg writes into other ones as tags, and one of VP8's and VP9's samples.
    private static let facts: Set<String> = [
        "major_brand", "minor_version", "compatible_brands", "handler_name", "vendor_id", "alpha_mode",
    ]
    private static let technicalNames: Set<String> = [
        "major_brand", "minor_version", "compatible_brands", "encoder", "creation_time", "language", "vendor_id",
        "handler_name", "duration", "DURATION", "variant_bitrate", "id3v2_priv.WM/MediaClassPrimaryID", "WMFSDKVersion",
        "WMFSDKNeeded", "IsVBR", "DeviceConformanceTemplate", "hasAudio", "hasVideo", "hasMetadata", "hasKeyframes",
        "canSeekToEnd", "datasize", "videosize", "audiosize", "lasttimestamp", "lastkeyframetimestamp",
        "lastkeyframelocation", "videodatarate", "audiodatarate", "videocodecid", "audiocodecid", "framerate",
        "audiosamplerate", "audiosamplesize", "stereo", "width", "height", "filesize", "totalduration", "totaldatarate",
        "bytelength",
    ]
}
