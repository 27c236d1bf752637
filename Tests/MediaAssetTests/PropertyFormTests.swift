import FormatDescriptions
import Foundation
import MediaLoading
import MediaTestSupport
import MediaTime
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

/// Values of classes by what they hold, since they compare as objects.
private func text(_ value: Any) -> String {
    switch value {
    case let tracks as [AVAssetTrack]: "\(tracks.map(\.trackID))"
    case let formats as [CMFormatDescription]: "\(formats.map { "\($0.codecName) \($0.dimensions)" })"
    case let attributes as [AVMetadataExtraAttributeKey: any Sendable]:
        "\(attributes.map { "\($0.key.rawValue): \($0.value)" }.sorted())"
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
            Self(.minimumTimeOffsetFromLive) { $0.minimumTimeOffsetFromLive },
            Self(.canContainFragments) { $0.canContainFragments },
            Self(.hasProtectedContent) { $0.hasProtectedContent },
            Self(.isPlayable, key: "playable") { $0.isPlayable },
            Self(.isReadable, key: "readable") { $0.isReadable },
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
            Self(.isSelfContained, key: "selfContained") { $0.isSelfContained },
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
    @Test func `is in the table of this test`() {
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
    func `is one value`(_ name: String) async throws {
        let fixture = Fixture(name)
        try await compare(PropertyForms<AVURLAsset>.all) { fixture.asset }
        for index in fixture.asset.tracks.indices {
            try await compare(PropertyForms<AVAssetTrack>.all) { fixture.asset.tracks[index] }
        }
        for index in fixture.asset.metadata.indices {
            try await compare(PropertyForms<AVMetadataItem>.all) { fixture.asset.metadata[index] }
        }
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
    func `fails in each where the file cannot be read`(_ name: String) async throws {
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
    @Test func `fails in each or in none where a part of the file can be read`() async throws {
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
    @Test(.timeLimit(.minutes(5))) func `is unharmed by a key that there is not`() async throws {
        let asset = Fixture("movie.mp4").asset
        let track = try #require(asset.tracks.first)
        let item = try #require(asset.metadata.first)
        let objects: [any AVAsynchronousKeyValueLoading] = [asset, track, item]
        for object in objects {
            await object.loadValues(forKeys: ["nonsense", "Duration", ""])
            var error: NSError?
            #expect(object.statusOfValue(forKey: "nonsense", error: &error) == .failed)
            #expect(error?.localizedDescription == "there is no key named nonsense")
        }
    }

    @Test(.timeLimit(.minutes(5))) func `of an item that changes is the new one`() async throws {
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
