public import MediaCore
internal import MediaMetadata

extension AVPartialAsyncProperty where Root: AVAsset {
    /// The kinds of groups that the asset has: of ``AVMediaCharacteristic/audible``, ``AVMediaCharacteristic/legible``
    /// and ``AVMediaCharacteristic/visual``, in this order.
    public static var availableMediaCharacteristicsWithMediaSelectionOptions:
        AVAsyncProperty<
            Root, [AVMediaCharacteristic]
        >
    {
        property(AssetProperties.all.availableMediaCharacteristicsWithMediaSelectionOptions)
    }

    /// The selection of each group's default option.
    public static var preferredMediaSelection: AVAsyncProperty<Root, AVMediaSelection> {
        property(AssetProperties.all.preferredMediaSelection)
    }

    /// All ways to choose an option of each group, and none where a group allows that; empty without groups.
    ///
    /// Groups with which there would be more than 10,000 of them are left out.
    public static var allMediaSelections: AVAsyncProperty<Root, [AVMediaSelection]> {
        property(AssetProperties.all.allMediaSelections)
    }
}

extension AVAsset {
    /// The alternatives that have a characteristic.
    ///
    /// Of movies and MP4 files, the tracks of the first group of alternatives that the file names; where it names none,
    /// and in other containers, all tracks of that kind but those of chapters. Pictures are a group if there are at
    /// least two such tracks.
    ///
    /// - Parameter mediaCharacteristic: `.audible`, `.legible` or `.visual`; others have no group.
    /// - Returns: `nil` if there is no such track.
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: Opens the file and reads all metadata, once for the asset.
    /// - Note: How AVFoundation groups tracks of files that name no alternatives is not documented.
    public func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> AVMediaSelectionGroup? {
        let source = source
        return try await BlockingWork.run { try source.mediaSelectionGroup(for: mediaCharacteristic) }
    }

    /// Finds the alternatives that have a characteristic, then calls the handler: with `nil` twice if there are none.
    ///
    /// The handler is called once, from any thread.
    public func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic,
        completionHandler: @escaping @Sendable (AVMediaSelectionGroup?, (any Error)?) -> Void
    ) {
        CompletionHandler.call {
            completionHandler($0 ?? nil, $1)
        } find: {
            try await self.loadMediaSelectionGroup(for: mediaCharacteristic)
        }
    }

    /// The alternatives that have a characteristic, `nil` if there are none or the file cannot be read; blocks.
    public func mediaSelectionGroup(
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> AVMediaSelectionGroup? {
        (try? source.mediaSelectionGroup(for: mediaCharacteristic)) ?? nil
    }

    /// The kinds of groups that the asset has; blocks.
    ///
    /// Empty if there are none, or the file cannot be read.
    public var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] {
        value(AssetProperties.all.availableMediaCharacteristicsWithMediaSelectionOptions) ?? []
    }

    /// The selection of each group's default option; blocks.
    ///
    /// Of nothing if the file cannot be read.
    public var preferredMediaSelection: AVMediaSelection {
        value(AssetProperties.all.preferredMediaSelection) ?? AVMediaSelection(of: self, choosing: [])
    }

    /// All ways to choose an option of each group, and none where a group allows that; blocks.
    ///
    /// Empty without groups, or if the file cannot be read.
    public var allMediaSelections: [AVMediaSelection] { value(AssetProperties.all.allMediaSelections) ?? [] }
}

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
