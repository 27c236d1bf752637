public import Foundation
internal import MediaCore
public import MediaMetadata
internal import SampleBuffers

/// One of the alternatives in a group: a track that may be chosen, such as sound in one language.
///
/// Options for the same track in the same kind of group are equal.
///
/// - Note: AVFoundation's is not `Sendable`.
open class AVMediaSelectionOption: NSObject, NSCopying, @unchecked Sendable {
    // @unchecked Sendable: every stored property is immutable and Sendable.

    let source: AssetSource
    let track: TrackDescription
    /// What kind of group it is an option of.
    let groupCharacteristic: AVMediaCharacteristic

    /// The language as a BCP 47 tag such as `en` or `pt-BR`; `nil` if the file names none.
    public let extendedLanguageTag: String?

    /// What the track's headers call it; `nil` for nothing.
    private let name: String?

    init(
        source: AssetSource, track: TrackDescription, in group: AVMediaCharacteristic, languageTag: String?,
        name: String?
    ) {
        self.source = source
        self.track = track
        self.name = name
        groupCharacteristic = group
        extendedLanguageTag = languageTag
        super.init()
    }

    // MARK: Identity

    /// The option itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object is an option for the same track, in the same kind of group of the same asset.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVMediaSelectionOption else { return false }
        return other.source === source && other.track.trackID == track.trackID
            && other.groupCharacteristic == groupCharacteristic
    }

    /// Equal for equal options.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(ObjectIdentifier(source))
        hasher.combine(track.trackID)
        hasher.combine(groupCharacteristic)
        return hasher.finalize()
    }

    /// Kind, track and language, for debugging.
    open override var description: String {
        "AVMediaSelectionOption(\(mediaType.rawValue), track \(track.trackID), \(extendedLanguageTag ?? "und"))"
    }

    // MARK: What it is

    /// What the track holds.
    public var mediaType: AVMediaType { track.mediaType }

    /// The codes of the track's coding, each a `FourCharCode`, as format descriptions have them.
    public var mediaSubTypes: [NSNumber] { [NSNumber(value: track.mediaSubType)] }

    /// The language; `nil` if the file names none.
    public var locale: Locale? { extendedLanguageTag.map { Locale(identifier: $0) } }

    /// Whether there is a decoder for the track, and it is not encrypted.
    public var isPlayable: Bool { source.canDecode(track) }

    /// Whether the media have a characteristic: what they are like, and what the file says they are for.
    ///
    /// As in AVFoundation, what is not auxiliary is of the main programme, whether the file says that or not.
    open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        let characteristics = track.characteristics
        if mediaCharacteristic == .isMainProgramContent { return !characteristics.contains(.isAuxiliaryContent) }
        return characteristics.contains(mediaCharacteristic)
    }

    // MARK: Metadata

    /// The track's own items that have a key in the common key space; blocks until the metadata was read.
    ///
    /// Empty if there are none, or the file cannot be read.
    public var commonMetadata: [AVMetadataItem] { items.common }

    /// The formats of the track's own items, each once, by their names; blocks until the metadata was read.
    public var availableMetadataFormats: [String] { items.formats.map(\.rawValue) }

    /// The track's own items of a format, by its name; blocks until the metadata was read.
    open func metadata(forFormat format: String) -> [AVMetadataItem] {
        items.filter { $0.keySpace.map { AVMetadataFormat($0).rawValue } == format }
    }

    private var items: [AVMetadataItem] { (try? source.metadataItems(of: track)) ?? [] }

    // MARK: Names

    /// What to call the option in a menu, for people of the current locale: as `displayName(with:)`.
    public var displayName: String { displayName(with: .current) }

    /// What to call the option in a menu; never empty.
    ///
    /// The title that the file gives the track, in the locale's language if it has several; else the language's name in
    /// that of the locale, with `SDH` for subtitles that tell of sounds, `CC` for closed captions, `AD` for sound that
    /// describes the pictures and `Forced`. Blocks until the metadata was read.
    ///
    /// - Note: How AVFoundation words it is not documented.
    open func displayName(with locale: Locale) -> String {
        let titles = commonMetadata.filter { $0.commonKey == .commonKeyTitle }
        let ranked = AVMetadataItem.metadataItems(
            from: titles, filteredAndSortedAccordingToPreferredLanguages: [locale.identifier])
        let title = (ranked + titles).lazy.compactMap(\.stringValue).first { !$0.isEmpty } ?? name ?? track.title
        if let title, !title.isEmpty { return title }
        let tag = extendedLanguageTag ?? "und"
        let language = locale.localizedString(forIdentifier: tag) ?? tag
        return ([language.isEmpty ? tag : language] + marks).joined(separator: " ")
    }

    /// What tells options in one language apart, in short.
    private var marks: [String] {
        var marks: [String] = []
        if mediaType == .closedCaption { marks.append("CC") }
        if mediaType != .closedCaption, hasMediaCharacteristic(.describesMusicAndSoundForAccessibility) {
            marks.append("SDH")
        }
        if mediaType == .audio, hasMediaCharacteristic(.describesVideoForAccessibility) { marks.append("AD") }
        if hasMediaCharacteristic(.containsOnlyForcedSubtitles) { marks.append("Forced") }
        return marks
    }

    // MARK: What belongs to it

    /// The option of another group that is to be chosen together with this one; `nil` if there is none.
    ///
    /// One that the track refers to as following its selection or as its forced subtitles; else the forced subtitles in
    /// the same language.
    open func associatedMediaSelectionOption(in group: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        guard group.source === source else { return nil }
        let followers = [AVAssetTrack.AssociationType.selectionFollower, .forcedSubtitlesOnly].flatMap { type in
            track.references.filter { $0.type == type.rawValue }.flatMap(\.trackIDs)
        }
        let others = group.options.filter { $0.track.trackID != track.trackID }
        if let follower = followers.lazy.compactMap({ id in others.first { $0.track.trackID == id } }).first {
            return follower
        }
        guard group.characteristic == .legible, let extendedLanguageTag else { return nil }
        return others.first {
            $0.hasMediaCharacteristic(.containsOnlyForcedSubtitles)
                && $0.extendedLanguageTag?.languageRange.first == extendedLanguageTag.languageRange.first
        }
    }

    /// What finds the option again with `AVMediaSelectionGroup.mediaSelectionOption(withPropertyList:)`, also when the
    /// file is opened another time: a dictionary of text and numbers, which `PropertyListSerialization` can write.
    open func propertyList() -> Any {
        var list: [String: Any] = [
            PropertyListKey.trackID: Int(track.trackID), PropertyListKey.mediaType: mediaType.rawValue,
        ]
        list[PropertyListKey.language] = extendedLanguageTag
        return list
    }

    /// Whether a property list is one of an option like this.
    func matches(_ propertyList: Any) -> Bool {
        guard let list = propertyList as? [String: Any] else { return false }
        let number = list[PropertyListKey.trackID]
        return (number as? Int ?? (number as? NSNumber)?.intValue) == Int(track.trackID)
            && list[PropertyListKey.mediaType] as? String == mediaType.rawValue
            && list[PropertyListKey.language] as? String == extendedLanguageTag
    }

    private enum PropertyListKey {
        static let trackID = "MediaSelectionOptionsPersistentID"
        static let mediaType = "MediaSelectionOptionsMediaType"
        static let language = "MediaSelectionOptionsExtendedLanguageTag"
    }
}
