// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

// MARK: A menu of languages

/// The menu of sound and subtitles that players show.
final class SelectionMenu {
    struct Entry: Equatable {
        var title: String
        var language: String?
        var isSelected: Bool
    }

    private let asset: AVAsset
    private let selection: AVMutableMediaSelection

    init(asset: AVAsset) async throws {
        self.asset = asset
        let preferred = try await asset.load(.preferredMediaSelection)
        guard let selection = preferred.mutableCopy() as? AVMutableMediaSelection else { throw CancellationError() }
        self.selection = selection
    }

    var current: AVMediaSelection? { selection.copy() as? AVMediaSelection }

    func entries(for characteristic: AVMediaCharacteristic, locale: Locale) async throws -> [Entry] {
        guard let group = try await asset.loadMediaSelectionGroup(for: characteristic) else { return [] }
        let selected = selection.selectedMediaOption(in: group)
        var entries: [Entry] = []
        if group.allowsEmptySelection {
            entries.append(Entry(title: "Off", language: nil, isSelected: selected == nil))
        }
        // Forced subtitles are shown anyway, and are nobody's choice.
        let options = AVMediaSelectionGroup.mediaSelectionOptions(
            from: group.options, withoutMediaCharacteristics: [.containsOnlyForcedSubtitles])
        for option in AVMediaSelectionGroup.playableMediaSelectionOptions(from: options) {
            entries.append(
                Entry(
                    title: option.displayName(with: locale), language: option.extendedLanguageTag,
                    isSelected: option == selected))
        }
        return entries
    }

    /// Chooses the first option in one of the languages that the user reads.
    func select(_ characteristic: AVMediaCharacteristic, languages: [String]) async throws -> Bool {
        guard let group = try await asset.loadMediaSelectionGroup(for: characteristic) else { return false }
        let options = AVMediaSelectionGroup.mediaSelectionOptions(
            from: group.options, filteredAndSortedAccordingToPreferredLanguages: languages)
        guard let option = options.first else { return false }
        selection.select(option, in: group)
        return selection.selectedMediaOption(in: group) == option
    }

    func turnOff(_ characteristic: AVMediaCharacteristic) {
        guard let group = asset.mediaSelectionGroup(forMediaCharacteristic: characteristic) else { return }
        selection.select(nil, in: group)
    }

    func isAutomatic(_ characteristic: AVMediaCharacteristic) -> Bool {
        guard let group = asset.mediaSelectionGroup(forMediaCharacteristic: characteristic) else { return false }
        return selection.mediaSelectionCriteriaCanBeAppliedAutomatically(to: group)
    }
}

// MARK: A choice that is kept

/// Remembers which subtitles were on, as settings do.
struct SubtitleMemory {
    var stored: Data?

    mutating func remember(_ option: AVMediaSelectionOption) throws {
        stored = try PropertyListSerialization.data(
            fromPropertyList: option.propertyList(), format: .binary, options: 0)
    }

    func recall(in group: AVMediaSelectionGroup) throws -> AVMediaSelectionOption? {
        guard let stored = stored else { return nil }
        let plist = try PropertyListSerialization.propertyList(from: stored, options: [], format: nil)
        return group.mediaSelectionOption(withPropertyList: plist)
    }
}

// MARK: Accessibility

/// What a film offers to people who see or hear badly.
struct AccessibilityReport: Equatable {
    var describedSound: [String] = []
    var captions: [String] = []
    var easyText: [String] = []
    var commentaries: [String] = []

    init(asset: AVAsset) async throws {
        for characteristic in try await asset.load(.availableMediaCharacteristicsWithMediaSelectionOptions) {
            guard let group = try await asset.loadMediaSelectionGroup(for: characteristic) else { continue }
            for option in group.options {
                let code = option.locale?.languageCode ?? "?"
                if option.hasMediaCharacteristic(.describesVideoForAccessibility) { describedSound.append(code) }
                if option.hasMediaCharacteristic(.transcribesSpokenDialogForAccessibility),
                    option.hasMediaCharacteristic(.describesMusicAndSoundForAccessibility)
                {
                    captions.append(code)
                }
                if option.hasMediaCharacteristic(.easyToRead) { easyText.append(code) }
                if option.hasMediaCharacteristic(.isAuxiliaryContent),
                    !option.hasMediaCharacteristic(.isMainProgramContent)
                {
                    commentaries.append(code)
                }
            }
        }
    }
}

// MARK: Walking through samples

/// Counts frames and finds where decoding can begin, as editors do with cursors.
struct FrameWalk: Equatable {
    var presentationTimes: [Double] = []
    var decodeTimes: [Double] = []
    var sizes: [Int64] = []
    var offsets: [Int64] = []
    var syncTimes: [Double] = []

    init?(track: AVAssetTrack) async throws {
        guard try await track.load(.canProvideSampleCursors),
            let cursor = track.makeSampleCursorAtFirstSampleInDecodeOrder()
        else { return nil }
        repeat {
            presentationTimes.append(cursor.presentationTimeStamp.seconds)
            decodeTimes.append(cursor.decodeTimeStamp.seconds)
            sizes.append(cursor.currentSampleStorageRange.length)
            offsets.append(cursor.currentSampleStorageRange.offset)
            if cursor.currentSampleSyncInfo.sampleIsFullSync.boolValue {
                syncTimes.append(cursor.presentationTimeStamp.seconds)
            }
        } while cursor.stepInDecodeOrder(byCount: 1) == 1
    }

    /// The times of the frames around a time.
    static func neighbours(of time: CMTime, in track: AVAssetTrack) -> (before: CMTime, at: CMTime, after: CMTime)? {
        guard let cursor = track.makeSampleCursor(presentationTimeStamp: time),
            let before = cursor.copy() as? AVSampleCursor, let after = cursor.copy() as? AVSampleCursor
        else { return nil }
        _ = before.stepInPresentationOrder(byCount: -1)
        _ = after.stepInPresentationOrder(byCount: 1)
        return (before.presentationTimeStamp, cursor.presentationTimeStamp, after.presentationTimeStamp)
    }
}
