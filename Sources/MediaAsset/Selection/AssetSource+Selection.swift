internal import MediaMetadata

extension AssetSource {
    /// The groups that the file has, of sound, text and pictures in this order.
    func mediaSelectionGroups() throws -> [AVMediaSelectionGroup] {
        try [.audible, .legible, .visual].compactMap(mediaSelectionGroup)
    }

    /// The group of options that have a characteristic; `nil` if there are none.
    ///
    /// - Complexity: Opens the file and reads all metadata, once for the asset.
    func mediaSelectionGroup(for characteristic: AVMediaCharacteristic) throws -> AVMediaSelectionGroup? {
        let tracks = try describe().alternatives(characteristic)
        guard !tracks.isEmpty else { return nil }
        // Metadata that cannot be read costs no more than exact languages.
        let labels = (try? metadata().labels) ?? []
        let options = tracks.map { track in
            let label = labels.first { $0.trackID == Int64(track.trackID) }
            return AVMediaSelectionOption(
                source: self, track: track, in: characteristic,
                languageTag: track.extendedLanguageTag ?? label?.languageTag
                    ?? track.language.flatMap(LanguageCodes.tag(ofISO639:)),
                name: label?.name)
        }
        return AVMediaSelectionGroup(source: self, characteristic: characteristic, options: options)
    }
}

extension AssetDescription {
    /// The tracks of which one is to be chosen: those of the first group of alternatives that a movie names, else all.
    ///
    /// Text and pictures of chapters are no alternatives. A film's pictures are a choice only if there are others.
    fileprivate func alternatives(_ characteristic: AVMediaCharacteristic) -> [TrackDescription] {
        guard [.audible, .legible, .visual].contains(characteristic) else { return [] }
        let chapters = Set(
            tracks.flatMap(\.references).filter { $0.type == AVAssetTrack.AssociationType.chapterList.rawValue }
                .flatMap(\.trackIDs))
        let candidates = tracks.filter {
            $0.characteristics.contains(characteristic) && !chapters.contains($0.trackID)
        }
        let group = candidates.first { $0.alternateGroup != 0 }?.alternateGroup ?? 0
        let members = candidates.filter { $0.alternateGroup == group }
        return characteristic == .visual && members.count < 2 ? [] : members
    }
}

extension [AVMediaSelectionGroup] {
    /// More combinations than this are of use to nobody.
    private static var maximumCombinations: Int { 10_000 }

    /// All ways to choose in each group, the groups' options in their order, then none where a group allows that.
    var combinations: [[(AVMediaSelectionGroup, AVMediaSelectionOption?)]] {
        var result: [[(AVMediaSelectionGroup, AVMediaSelectionOption?)]] = [[]]
        for group in self {
            let choices = group.options.map(Optional.some) + (group.allowsEmptySelection ? [nil] : [])
            guard result.count * choices.count <= Self.maximumCombinations else { continue }
            result = result.flatMap { chosen in choices.map { chosen + [(group, $0)] } }
        }
        return isEmpty ? [] : result
    }
}
