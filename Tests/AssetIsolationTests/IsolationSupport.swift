import Foundation
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

extension AssetIsolation {
    /// A program that was built together with the tests.
    static func built(_ name: String) throws -> String {
        let environment = ProcessInfo.processInfo.environment["AVTOOL"].map { URL(fileURLWithPath: $0) }
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return try #require(
            [environment, own, URL(fileURLWithPath: CommandLine.arguments[0])].compactMap { $0 }
                .map { $0.deletingLastPathComponent().appendingPathComponent(name).path }
                .first { FileManager.default.isExecutableFile(atPath: $0) })
    }

    /// The worker that was built together with the tests.
    static var tested: AssetIsolation {
        get throws { AssetIsolation(executable: try built("avtool-worker")) }
    }
}

extension AVURLAsset {
    /// The same file, read by a worker.
    func isolated(_ options: [String: Any] = [:]) throws -> AVURLAsset {
        let own = [AVURLAssetIsolationKey: try AssetIsolation.tested as Any]
        return AVURLAsset(url: url, options: own.merging(options) { own, _ in own })
    }
}

/// What an error tells a program.
func told(_ error: any Error) -> String {
    let known = error as NSError
    var text = "\(known.domain) \(known.code): \(known.localizedDescription)"
    if let limit = error as? MediaLimitError { text += " [\(limit.limit?.rawValue ?? "-")]" }
    if let error = error as? AVError {
        text += " time \(String(describing: error.time)) reason \(error.failureReason ?? "-")"
        if let under = error.underlying { text += " <- \(type(of: under)) \(told(under))" }
    } else if let under = known.userInfo[NSUnderlyingErrorKey] as? NSError {
        text += " <- \(told(under))"
    }
    return text
}

/// All that an asset tells, as text: two that tell the same are alike.
struct AssetReport {
    private(set) var lines: [String] = []
    /// How tracks are coded, which has dictionaries: in text, they would be in any order.
    private(set) var formats: [CMFormatDescription] = []

    init(_ asset: AVURLAsset) async {
        await add("description") { Self.dumped(try await asset.loadDescription()) }
        await add("metadata of the file") { Self.dumped(try await asset.loadMediaItem()) }
        await addProperties(of: asset)
        await addMetadata(of: asset)
        let tracks = (try? await asset.load(.tracks)) ?? []
        for track in tracks { await add(track) }
        await addSamples(of: asset)
    }

    private mutating func add(_ name: String, _ find: () async throws -> some Any) async {
        do {
            lines.append("\(name): \(try await find())")
        } catch {
            lines.append("\(name): error \(told(error))")
        }
    }

    private static func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    private mutating func addProperties(of asset: AVURLAsset) async {
        await add("duration") { try await asset.load(.duration) }
        await add("precise") { try await asset.load(.providesPreciseDurationAndTiming) }
        await add("rate") { try await asset.load(.preferredRate) }
        await add("volume") { try await asset.load(.preferredVolume) }
        await add("transform") { try await asset.load(.preferredTransform) }
        await add("can contain fragments") { try await asset.load(.canContainFragments) }
        await add("contains fragments") { try await asset.load(.containsFragments) }
        await add("hint") { try await asset.load(.overallDurationHint) }
        await add("protected") { try await asset.load(.hasProtectedContent) }
        await add("playable") { try await asset.load(.isPlayable) }
        await add("exportable") { try await asset.load(.isExportable) }
        await add("composable") { try await asset.load(.isComposable) }
        await add("readable") { try await asset.load(.isReadable) }
        await add("groups") { try await asset.load(.trackGroups).map(\.trackIDs) }
        await add("unused") { try await asset.findUnusedTrackID() }
        await add("selection") {
            let kinds = try await asset.load(.availableMediaCharacteristicsWithMediaSelectionOptions)
            var names: [String] = []
            for kind in kinds {
                let group = try await asset.loadMediaSelectionGroup(for: kind)
                names += group?.options.map { "\($0) \($0.displayName) \($0.isPlayable)" } ?? []
            }
            return names
        }
    }

    private mutating func addMetadata(of asset: AVURLAsset) async {
        await add("items") { try await asset.load(.metadata).map(Self.itemText) }
        await add("common items") { try await asset.load(.commonMetadata).map(Self.itemText) }
        await add("formats") { try await asset.load(.availableMetadataFormats) }
        await add("creation date") { try await asset.load(.creationDate).map(Self.itemText) ?? "none" }
        await add("lyrics") { try await asset.load(.lyrics) ?? "none" }
        await add("chapters") { Self.dumped(try await asset.loadChapterLists()) }
        await add("locales") { try await asset.load(.availableChapterLocales).map(\.identifier) }
        await add("chapter groups") {
            try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en", "de"])
                .map { "\($0.timeRange) \($0.items.map(Self.itemText))" }
        }
    }

    private static func itemText(_ item: AVMetadataItem) -> String {
        let extras = (item.extraAttributes ?? [:]).map { "\($0.key.rawValue)=\($0.value)" }.sorted()
        return "\(item.identifier?.rawValue ?? "-") \(item.dataType ?? "-") \(item.extendedLanguageTag ?? "-") "
            + "\(item.stringValue ?? "-") \(item.dataValue.map { "\($0.count) \($0.hashValue)" } ?? "-") "
            + "\(item.time) \(item.duration) \(item.commonKey?.rawValue ?? "-") \(extras)"
    }

    private mutating func add(_ track: AVAssetTrack) async {
        let name = "track \(track.trackID) \(track.mediaType)"
        formats += (try? await track.load(.formatDescriptions)) ?? []
        await add("\(name) range") { try await track.load(.timeRange) }
        await add("\(name) playable") { try await (track.load(.isPlayable), track.load(.isDecodable)) }
        await add("\(name) length") { try await track.load(.totalSampleDataLength) }
        await add("\(name) characteristics") { try await track.load(.mediaCharacteristics) }
        await add("\(name) segments") { try await track.load(.segments).map(\.description) }
        await add("\(name) size") { try await (track.load(.naturalSize), track.load(.preferredTransform)) }
        await add("\(name) rate") { try await (track.load(.nominalFrameRate), track.load(.minFrameDuration)) }
        await add("\(name) language") { try await (track.load(.languageCode), track.load(.extendedLanguageTag)) }
        await add("\(name) associations") { try await track.load(.availableTrackAssociationTypes) }
        await add("\(name) items") { try await track.load(.metadata).map(Self.itemText) }
        await add("\(name) cursor") {
            guard try await track.load(.canProvideSampleCursors),
                let cursor = track.makeSampleCursorAtFirstSampleInDecodeOrder()
            else { return "none" }
            var text = ""
            repeat {
                text += "\(cursor.presentationTimeStamp) \(cursor.decodeTimeStamp) \(cursor.currentSampleDuration) "
                text += "\(cursor.currentSampleStorageRange) \(cursor.currentSampleSyncInfo)\n"
            } while cursor.stepInDecodeOrder(byCount: 1) == 1 && text.utf8.count < 100_000
            return text
        }
    }

    private mutating func addSamples(of asset: AVURLAsset) async {
        await add("sync samples") { Self.dumped(try await asset.loadSyncSamples()) }
        await add("last frame") { try await asset.loadTime(ofFrame: -1) }
        await add("third frame") { try await asset.loadTime(ofFrame: 2) }
        await add("no frame") { try await asset.loadTime(ofFrame: 1 << 40) }
    }
}
