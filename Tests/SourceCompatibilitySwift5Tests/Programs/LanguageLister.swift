// The menu of sound, subtitles and chapters of a player; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

struct LanguageOption: Hashable, CustomStringConvertible {
    enum Kind: String {
        case audio = "Audio"
        case subtitles = "Subtitles"
        case captions = "Closed Captions"
    }

    let kind: Kind
    let code: String
    let trackID: CMPersistentTrackID
    let isForced: Bool

    var description: String {
        let locale = Locale(identifier: "en_US")
        let name = locale.localizedString(forIdentifier: code) ?? locale.localizedString(forLanguageCode: code) ?? code
        return isForced ? "\(kind.rawValue): \(name) (forced)" : "\(kind.rawValue): \(name)"
    }
}

class LanguageLister {
    private let asset: AVAsset
    private lazy var allOptions: [LanguageOption] = makeOptions()

    init(asset: AVAsset) { self.asset = asset }

    private func makeOptions() -> [LanguageOption] {
        let kinds: [(AVMediaType, LanguageOption.Kind)] = [
            (.audio, .audio), (.subtitle, .subtitles), (.text, .subtitles), (.closedCaption, .captions),
        ]
        return kinds.flatMap { type, kind -> [LanguageOption] in
            asset.tracks(withMediaType: type).map { track in
                LanguageOption(
                    kind: kind, code: track.extendedLanguageTag ?? track.languageCode ?? "und", trackID: track.trackID,
                    isForced: track.hasMediaCharacteristic(.containsOnlyForcedSubtitles))
            }
        }
    }

    func options(_ kind: LanguageOption.Kind? = nil) -> [LanguageOption] {
        guard let kind = kind else { return allOptions }
        return allOptions.filter { $0.kind == kind }
    }

    var byLanguage: [String: [LanguageOption]] {
        Dictionary(grouping: allOptions, by: { String($0.code.prefix(2)) })
    }

    /// What is to be heard or read by a person of these languages.
    func best(_ kind: LanguageOption.Kind, for languages: [String]) -> LanguageOption? {
        let options = self.options(kind)
        let codes = options.compactMap { $0.code }
        guard let match = Bundle.preferredLocalizations(from: codes, forPreferences: languages).first else {
            return options.first
        }
        return options.first { $0.code == match }
    }

    /// The names of the chapters in the language of a person.
    func chapterNames(languages: [String] = Locale.preferredLanguages) -> [String] {
        let groups = asset.chapterMetadataGroups(bestMatchingPreferredLanguages: languages)
        return groups.map { group in
            let titles = AVMetadataItem.metadataItems(
                from: group.items, withKey: AVMetadataKey.commonKeyTitle, keySpace: AVMetadataKeySpace.common)
            return titles.first?.stringValue ?? "–"
        }
    }
}
