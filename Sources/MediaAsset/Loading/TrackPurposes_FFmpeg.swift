internal import FFmpegKit
internal import MediaContainers
internal import MediaIO

extension TrackDescription {
    /// Takes over what FFmpeg tells of a stream's purpose, from the flags of Matroska and the like.
    mutating func takePurposes(_ disposition: Disposition) {
        isDefault = disposition.contains(.default)
        let isSound = mediaType == .audio
        add(disposition.contains(.forced) ? [.containsOnlyForcedSubtitles] : [])
        if disposition.contains(.hearingImpaired) {
            add(isSound ? [.enhancesSpeechIntelligibility] : AVMediaCharacteristic.captions)
        }
        add(disposition.contains(.captions) ? AVMediaCharacteristic.captions : [])
        let describes = !disposition.isDisjoint(with: [.visualImpaired, .textDescriptions])
        add(describes ? [.describesVideoForAccessibility] : [])
        add(disposition.contains(.commentary) ? [.isAuxiliaryContent] : [])
        add(disposition.contains(.original) ? [.isOriginalContent] : [])
        add(disposition.contains(.dub) ? AVMediaCharacteristic.dub : [])
    }

    fileprivate mutating func add(_ characteristics: [AVMediaCharacteristic]) {
        for tag in characteristics.map(\.rawValue) where !tags.contains(tag) && tags.count < Self.maximumTags {
            tags.append(tag)
        }
    }

    /// More tags of one track than this are damage.
    private static let maximumTags = 64
}

extension AssetDescription {
    /// Takes over what a movie's boxes say of its tracks' purposes.
    mutating func takePurposes(of movie: MovieOutline, _ reader: BoxReader) {
        for header in movie.tracks {
            guard let index = tracks.firstIndex(where: { Int64($0.trackID) == Int64(header.id) }) else { continue }
            for box in header.children.filter({ $0.type == "udta" }).flatMap({ reader.boxes(in: $0.content) }) {
                tracks[index].add(AVMediaCharacteristic.told(by: box, reader))
            }
            if header.hasOnlyForcedText { tracks[index].add([.containsOnlyForcedSubtitles]) }
        }
    }
}

extension MovieTrack {
    /// Whether the format of its text says that all samples are forced.
    ///
    /// Source: QuickTime File Format, "Subtitle sample description": the highest bit of the display flags.
    fileprivate var hasOnlyForcedText: Bool {
        !entries.isEmpty
            && entries.allSatisfy { $0.type == "tx3g" && ($0.content.bigEndian32(at: 8) ?? 0) & 0x8000_0000 != 0 }
    }
}

extension AVMediaCharacteristic {
    fileprivate static let captions: [AVMediaCharacteristic] = [
        .transcribesSpokenDialogForAccessibility, .describesMusicAndSoundForAccessibility,
    ]
    fileprivate static let dub: [AVMediaCharacteristic] = [.languageTranslation, .dubbedTranslation]

    /// The characteristics that one box of a track's user data stands for.
    ///
    /// Source: QuickTime File Format, `tagc`; ISO/IEC 14496-12, `kind`.
    fileprivate static func told(by box: Box, _ reader: BoxReader) -> [AVMediaCharacteristic] {
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
        switch box.type {
        case "tagc":
            let tag = text(reader.bytes(of: box, limit: maximumTagLength)[...])
            return tag.isEmpty ? [] : [AVMediaCharacteristic(rawValue: tag)]
        case "kind":
            let parts = reader.bytes(of: box, limit: maximumTagLength).dropFirst(4)
                .split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? kinds[text(parts[0])]?[text(parts[1])] ?? [] : []
        default: return []
        }
    }

    /// A longer tag says nothing of what a track is for.
    private static let maximumTagLength = 1 << 10

    /// What the values of `kind` boxes stand for, by their schemes.
    ///
    /// Source: ISO/IEC 23009-1, 5.8.5.5; HTML, kinds of tracks.
    private static let kinds: [String: [String: [AVMediaCharacteristic]]] = [
        "urn:mpeg:dash:role:2011": [
            "main": [.isMainProgramContent], "supplementary": [.isAuxiliaryContent],
            "commentary": [.isAuxiliaryContent], "dub": dub, "caption": captions,
            "description": [.describesVideoForAccessibility], "forced-subtitle": [.containsOnlyForcedSubtitles],
            "forced_subtitle": [.containsOnlyForcedSubtitles], "easyreader": [.easyToRead],
            "enhanced-audio-intelligibility": [.enhancesSpeechIntelligibility],
        ],
        "about:html-kind": [
            "main": [.isMainProgramContent], "commentary": [.isAuxiliaryContent], "captions": captions,
            "descriptions": [.describesVideoForAccessibility], "main-desc": [.describesVideoForAccessibility],
            "translation": [.languageTranslation],
        ],
    ]
}
