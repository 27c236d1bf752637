import Foundation
import MediaCore
import MediaTestSupport
import SampleBuffers
import Testing

@testable import MediaAsset
@testable import MediaMetadata

/// A property in the forms that clients can write, its value as text.
struct PropertyForms<Root: AVAsynchronousKeyValueLoading>: Sendable, CustomTestStringConvertible {
    let name: String
    let key: String
    let load: @Sendable (Root) async throws -> String
    let blocking: @Sendable (Root) -> String
    let isLoaded: @Sendable (Root) -> Bool

    init<Value>(
        _ property: AVAsyncProperty<Root, Value>, key: String? = nil, blocking: @escaping @Sendable (Root) -> Any
    ) {
        name = property.description
        self.key = key ?? name
        load = { text(try await $0.load(property)) }
        self.blocking = { text(blocking($0)) }
        isLoaded = { if case .loaded = $0.status(of: property) { true } else { false } }
    }

    var testDescription: String { name }
}

/// The names of what a selection has chosen.
private func chosen(in selection: AVMediaSelection) -> [String] {
    [AVMediaCharacteristic.audible, .legible, .visual].map { characteristic in
        let group = selection.asset?.mediaSelectionGroup(forMediaCharacteristic: characteristic)
        return group.flatMap { selection.selectedMediaOption(in: $0) }?.displayName ?? "none"
    }
}

/// Values of classes by what they hold, since they compare as objects.
private func text(_ value: Any) -> String {
    switch value {
    case let tracks as [AVAssetTrack]: "\(tracks.map(\.trackID))"
    case let selection as AVMediaSelection: text([selection])
    case let selections as [AVMediaSelection]:
        "\(selections.map(chosen))"
    case let formats as [CMFormatDescription]: "\(formats.map { "\($0.codecName) \($0.dimensions)" })"
    case let attributes as [AVMetadataExtraAttributeKey: any Sendable]:
        "\(attributes.map { "\($0.key.rawValue): \($0.value)" }.sorted())"
    case let parts as NSDictionary: "\(parts.map { "\($0.key): \($0.value)" }.sorted())"
    default: "\(value)".replacing("Optional", with: "")
    }
}

extension PropertyForms<AVURLAsset> {
    static var all: [Self] {
        [
            Self(.duration) { $0.duration },
            Self(.providesPreciseDurationAndTiming) { $0.providesPreciseDurationAndTiming },
            Self(.preferredRate) { $0.preferredRate },
            Self(.preferredVolume) { $0.preferredVolume },
            Self(.preferredTransform) { $0.preferredTransform },
            Self(.tracks) { $0.tracks },
            Self(.trackGroups) { $0.trackGroups },
            Self(.minimumTimeOffsetFromLive) { $0.minimumTimeOffsetFromLive },
            Self(.canContainFragments) { $0.canContainFragments },
            Self(.containsFragments) { $0.containsFragments },
            Self(.overallDurationHint) { $0.overallDurationHint },
            Self(.hasProtectedContent) { $0.hasProtectedContent },
            Self(.isPlayable, key: "playable") { $0.isPlayable },
            Self(.isExportable, key: "exportable") { $0.isExportable },
            Self(.isComposable, key: "composable") { $0.isComposable },
            Self(.isReadable, key: "readable") { $0.isReadable },
            Self(.availableMediaCharacteristicsWithMediaSelectionOptions) {
                $0.availableMediaCharacteristicsWithMediaSelectionOptions
            },
            Self(.preferredMediaSelection) { $0.preferredMediaSelection },
            Self(.allMediaSelections) { $0.allMediaSelections },
            Self(.metadata) { $0.metadata },
            Self(.commonMetadata) { $0.commonMetadata },
            Self(.availableMetadataFormats) { $0.availableMetadataFormats },
            Self(.creationDate) { $0.creationDate as Any },
            Self(.lyrics) { $0.lyrics as Any },
            Self(.availableChapterLocales) { $0.availableChapterLocales },
        ]
    }
}

extension PropertyForms<AVAssetTrack> {
    static var all: [Self] {
        [
            Self(.formatDescriptions) { $0.formatDescriptions },
            Self(.isEnabled, key: "enabled") { $0.isEnabled },
            Self(.isPlayable, key: "playable") { $0.isPlayable },
            Self(.isDecodable, key: "decodable") { $0.isDecodable },
            Self(.isSelfContained, key: "selfContained") { $0.isSelfContained },
            Self(.totalSampleDataLength) { $0.totalSampleDataLength },
            Self(.mediaCharacteristics) { track in
                [AVMediaCharacteristic.visual, .frameBased, .audible, .legible].filter(track.hasMediaCharacteristic)
            },
            Self(.timeRange) { $0.timeRange },
            Self(.naturalTimeScale) { $0.naturalTimeScale },
            Self(.estimatedDataRate) { $0.estimatedDataRate },
            Self(.languageCode) { $0.languageCode as Any },
            Self(.extendedLanguageTag) { $0.extendedLanguageTag as Any },
            Self(.naturalSize) { $0.naturalSize },
            Self(.preferredTransform) { $0.preferredTransform },
            Self(.preferredVolume) { $0.preferredVolume },
            Self(.nominalFrameRate) { $0.nominalFrameRate },
            Self(.minFrameDuration) { $0.minFrameDuration },
            Self(.requiresFrameReordering) { $0.requiresFrameReordering },
            Self(.hasAudioSampleDependencies) { $0.hasAudioSampleDependencies },
            Self(.canProvideSampleCursors) { $0.canProvideSampleCursors },
            Self(.availableTrackAssociationTypes) { $0.availableTrackAssociationTypes },
            Self(.segments) { $0.segments },
            Self(.metadata) { $0.metadata },
            Self(.commonMetadata) { $0.commonMetadata },
            Self(.availableMetadataFormats) { $0.availableMetadataFormats },
        ]
    }
}

extension PropertyForms<AVMetadataItem> {
    static var all: [Self] {
        [
            Self(.value) { $0.value as Any },
            Self(.stringValue) { $0.stringValue as Any },
            Self(.numberValue) { $0.numberValue as Any },
            Self(.dateValue) { $0.dateValue as Any },
            Self(.dataValue) { $0.dataValue as Any },
            Self(.extraAttributes) { $0.extraAttributes as Any },
        ]
    }
}

@Suite struct `Every property in every form` {
    @Test func `Every property is in the table of this test`() {
        #expect(PropertyForms<AVURLAsset>.all.map(\.name) == AssetProperties.registry.names)
        #expect(PropertyForms<AVAssetTrack>.all.map(\.name) == TrackProperties.registry.names)
        #expect(PropertyForms<AVMetadataItem>.all.map(\.name) == MetadataItemProperties.registry.names)
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "movie.mov", "movie.mp4", "languages.mkv", "rotate-90.mp4", "edit-list-empty.mp4", "fragmented.mp4",
            "attached-picture.mp3", "audio-only.flac", "theora.ogv",
        ])
    func `Every property has one value in all its forms`(_ name: String) async throws {
        let fixture = Fixture(name)
        try await compare(PropertyForms<AVURLAsset>.all) { fixture.asset }
        for index in fixture.asset.tracks.indices {
            try await compare(PropertyForms<AVAssetTrack>.all) { fixture.asset.tracks[index] }
        }
        for index in fixture.asset.metadata.indices {
            try await compare(PropertyForms<AVMetadataItem>.all) { fixture.asset.metadata[index] }
        }
    }

    // Objective-C leaves the `is` of questions out of keys; both names are accepted, for one value.
    @Test func `Boolean properties can be loaded by either name of their key`() async throws {
        let asset = Fixture("movie.mp4").asset
        let track = try #require(asset.tracks.first)
        for (question, key) in [
            ("isPlayable", "playable"), ("isExportable", "exportable"), ("isComposable", "composable"),
            ("isReadable", "readable"),
        ] {
            await asset.loadValues(forKeys: [question])
            #expect(asset.statusOfValue(forKey: key, error: nil) == .loaded, "\(key)")
        }
        for (question, key) in [("isDecodable", "decodable"), ("isEnabled", "enabled")] {
            await track.loadValues(forKeys: [key])
            #expect(track.statusOfValue(forKey: question, error: nil) == .loaded, "\(key)")
        }
    }

    @Test func `Errors of a key's status are put where the error pointer points`() {
        let asset = Fixture("movie.mp4").asset
        let nowhere: NSErrorPointer = nil
        #expect(asset.statusOfValue(forKey: "nonsense", error: nowhere) == .failed)
        var error: NSError?
        withUnsafeMutablePointer(to: &error) { pointer in
            let somewhere: NSErrorPointer = pointer
            #expect(asset.statusOfValue(forKey: "nonsense", error: somewhere) == .failed)
        }
        #expect(error?.code == AVError.Code.operationNotAllowed.rawValue)
    }

    @Test func `Up to eight properties are loaded at once`() async throws {
        let asset = Fixture("movie.mp4").asset
        let seven = try await asset.load(
            .duration, .preferredRate, .preferredVolume, .isPlayable, .isReadable, .lyrics, .canContainFragments)
        #expect(seven.0.seconds == 10 && seven.1 == 1 && seven.3 && seven.5 == nil && !seven.6)
        let track = try #require(asset.tracks.first)
        let eight = try await track.load(
            .naturalSize, .preferredTransform, .nominalFrameRate, .minFrameDuration, .timeRange, .naturalTimeScale,
            .requiresFrameReordering, .isDecodable)
        #expect(eight.0 == CGSize(width: 320, height: 240) && eight.2 == 25 && eight.5 == 12800 && eight.6 && eight.7)
    }

    /// Each form, had from objects of which nothing else was loaded, then the others of the same object.
    private func compare<Root>(_ properties: [PropertyForms<Root>], in make: () -> Root) async throws {
        let keyed = make()
        await keyed.loadValues(forKeys: properties.map(\.key))
        for property in properties {
            let (loading, blocking) = (make(), make())
            let expected = try await property.load(loading)
            #expect(property.isLoaded(loading), "\(property.name)")
            #expect(property.blocking(loading) == expected, "\(property.name)")
            #expect(property.blocking(blocking) == expected, "\(property.name)")
            #expect(try await property.load(blocking) == expected, "\(property.name)")
            var error: NSError?
            #expect(
                keyed.statusOfValue(forKey: property.key, error: &error) == .loaded, "\(property.name): \(error as Any)"
            )
            #expect(property.isLoaded(keyed), "\(property.name)")
            #expect(property.blocking(keyed) == expected, "\(property.name)")
            #expect(try await property.load(keyed) == expected, "\(property.name)")
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["missing.mp4", "text.mp4"])
    func `Every property fails in each form where the file cannot be read`(_ name: String) async throws {
        let properties = PropertyForms<AVURLAsset>.all
        let keyed = Fixture(name).asset
        await keyed.loadValues(forKeys: properties.map(\.key))
        for property in properties {
            var error: NSError?
            #expect(keyed.statusOfValue(forKey: property.key, error: &error) == .failed, "\(property.name)")
            #expect(error != nil, "\(property.name)")
            await #expect(throws: (any Error).self, "\(property.name)") { try await property.load(Fixture(name).asset) }
        }
        let asset = Fixture(name).asset
        #expect(asset.duration == .indefinite && asset.tracks.isEmpty && asset.metadata.isEmpty && !asset.isPlayable)
    }

    // The picture is over the limit, so that no track can be had; the tags can be read all the same.
    @Test func `Every property fails in all forms or in none where a part of the file can be read`() async throws {
        let properties = PropertyForms<AVURLAsset>.all
        let keyed = Fixture("huge-header.mkv").asset
        await keyed.loadValues(forKeys: properties.map(\.key))
        var failed: Set<String> = []
        for property in properties {
            let isThere = (try? await property.load(Fixture("huge-header.mkv").asset)) != nil
            var error: NSError?
            #expect(keyed.statusOfValue(forKey: property.key, error: &error) == (isThere ? .loaded : .failed))
            #expect((error == nil) == isThere, "\(property.name)")
            if !isThere { failed.insert(property.key) }
        }
        #expect(failed.isSuperset(of: ["duration", "tracks"]) && !failed.contains("metadata"))
    }

    // Symptom: a key that key-value loading did not know had failed for `load(_:)` as well, for good.
    @Test(.timeLimit(.minutes(5))) func `Loading an unknown key does no harm to other forms`() async throws {
        let asset = Fixture("movie.mp4").asset
        let track = try #require(asset.tracks.first)
        let item = try #require(asset.metadata.first)
        let objects: [any AVAsynchronousKeyValueLoading] = [asset, track, item]
        for object in objects {
            await object.loadValues(forKeys: ["nonsense", "Duration", ""])
            var error: NSError?
            #expect(object.statusOfValue(forKey: "nonsense", error: &error) == .failed)
            #expect(error?.localizedDescription.contains("there is no key named nonsense") == true)
        }
    }

    @Test(.timeLimit(.minutes(5))) func `A property of an item that changes is loaded anew`() async throws {
        let item = AVMutableMetadataItem()
        item.value = "old" as NSString
        await item.loadValues(forKeys: ["stringValue"])
        #expect(item.statusOfValue(forKey: "stringValue", error: nil) == .loaded)
        item.value = "new" as NSString
        #expect(item.statusOfValue(forKey: "stringValue", error: nil) == .unknown)
        #expect(try await item.load(.stringValue) == "new")
    }
}

extension AVAsynchronousKeyValueLoading {
    /// Loads keys and waits for them.
    fileprivate func loadValues(forKeys keys: [String]) async {
        await withCheckedContinuation { continuation in
            loadValuesAsynchronously(forKeys: keys) { continuation.resume() }
        }
    }
}
