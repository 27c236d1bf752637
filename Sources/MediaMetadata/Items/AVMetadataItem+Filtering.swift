public import Foundation

extension AVMetadataItem {
    /// The items of an identifier, in their order: a common
    /// identifier also finds all items that map to its common key.
    public class func metadataItems(
        from items: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        let common = identifier.keySpace == .common ? identifier.key?.text : nil
        return items.filter { item in
            item.identifier == identifier || (common != nil && item.commonKey?.rawValue == common)
        }
    }

    /// The items with a key in a key space, in their order; `nil` stands for any.
    ///
    /// - Parameters:
    ///   - key: A number, or text in which `@` may stand for the byte 0xA9.
    ///   - keySpace: `common` finds items that map to the common key.
    public class func metadataItems(
        from items: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
    ) -> [AVMetadataItem] {
        items.filter { item in
            if let keySpace, keySpace == .common {
                return item.commonKey != nil && (key == nil || item.commonKey?.rawValue == text(ofKey: key))
            }
            if let keySpace, item.keySpace != keySpace { return false }
            guard let key else { return true }
            let wanted = text(ofKey: key)
            return wanted != nil && wanted == item.key.flatMap { text(ofKey: $0) }
        }
    }

    /// The items whose language is that of a locale, region and all, in their order.
    public class func metadataItems(from items: [AVMetadataItem], with locale: Locale) -> [AVMetadataItem] {
        let wanted = locale.identifier.languageRange
        return items.filter { $0.extendedLanguageTag?.languageRange == wanted }
    }

    /// The items in one of several languages, those of the first language first.
    ///
    /// A language finds its variants and the other way round, `en` and `en-GB`, after those of the very tag. Items
    /// without a language are left out.
    public class func metadataItems(
        from items: [AVMetadataItem], filteredAndSortedAccordingToPreferredLanguages languages: [String]
    ) -> [AVMetadataItem] {
        var rest = items
        var result: [AVMetadataItem] = []
        for language in languages {
            let exact = rest.filter { $0.extendedLanguageTag?.languageRange == language.languageRange }
            let similar = rest.filter { item in
                guard let tag = item.extendedLanguageTag, !exact.contains(where: { $0 === item }) else { return false }
                return tag.languageRange.first == language.languageRange.first
            }
            result += exact + similar
            rest.removeAll { item in result.contains { $0 === item } }
        }
        return result
    }

    /// The items that a filter lets through, in their order, as they may pass.
    public class func metadataItems(
        from items: [AVMetadataItem], filteredBy filter: AVMetadataItemFilter
    ) -> [AVMetadataItem] {
        items.compactMap { item in
            guard let entry = item.entry else { return item }
            guard let kept = filter.filtered(entry) else { return nil }
            return kept == entry ? item : AVMetadataItem(kept)
        }
    }

    /// The identifier of a key in a key space, `nil` if they cannot form one.
    ///
    /// - Parameter key: An `AVMetadataKey`, text, data, or a number of four characters, the first in its highest byte,
    ///   signed or not.
    public class func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
        var state = MetadataItemState()
        state.keySpace = keySpace
        state.setKey(keyObject(key))
        return state.identifier
    }

    /// The key of an identifier, `nil` if it is none: an `NSNumber` for four-character keys, `String` for text, `Data`
    /// with the bytes of a key whose key space is not known.
    public class func key(forIdentifier identifier: AVMetadataIdentifier) -> Any? {
        guard let keySpace = identifier.keySpace else { return nil }
        guard keySpace.isKnown else { return identifier.keyBytes.map { Data($0) } }
        switch identifier.key {
        case .code(let code): return NSNumber(value: code)
        case .text(let text): return text
        case nil: return nil
        }
    }

    /// The item's key as text, in which `@` stands for the byte 0xA9, as in the constants of `AVMetadataKey`: `@nam`; `nil`
    /// without a key.
    ///
    /// Beyond AVFoundation.
    public var keyString: String? { Self.text(ofKey: key) }

    /// The key space of an identifier, `nil` if it names none.
    public class func keySpace(forIdentifier identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
        identifier.keySpace
    }

    private static func keyObject(_ key: Any) -> (any NSCopying & NSObjectProtocol)? {
        switch key {
        case let key as AVMetadataKey: NSString(string: key.rawValue)
        case let text as String: NSString(string: text)
        case let data as Data: NSData(data: data)
        case let code as any BinaryInteger: NSNumber(value: UInt32(truncatingIfNeeded: code))
        case let object as any NSCopying & NSObjectProtocol: object
        default: nil
        }
    }

    /// A key as text, in which `@` stands for the byte 0xA9.
    private static func text(ofKey key: Any?) -> String? {
        var state = MetadataItemState()
        state.setKey(key.flatMap { keyObject($0) })
        guard case .text(let text) = state.storedKey else { return state.storedKey?.text }
        return text.hasPrefix("\u{A9}") ? "@" + text.dropFirst() : text
    }
}

extension AVMetadataKeySpace {
    fileprivate var isKnown: Bool {
        let known: [AVMetadataKeySpace] = [
            .common, .quickTimeUserData, .quickTimeMetadata, .isoUserData, .iTunes, .iTunesFreeForm, .id3, .icy,
            .hlsDateRange, .audioFile, .vorbisComment, .matroska, .libavformat,
        ]
        return known.contains(self)
    }
}

extension String {
    /// The parts of a language tag, so that `en_GB` and `en-gb` are equal.
    package var languageRange: [String] {
        lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
    }
}

/// Which items may pass on.
public final class AVMetadataItemFilter: Sendable {
    /// An item as it may pass, `nil` if it may not.
    package let filtered: @Sendable (MetadataEntry) -> MetadataEntry?
    /// Whether all of a file is to be made fit for sharing, not its items alone.
    package let isForSharing: Bool

    init(isForSharing: Bool, _ filtered: @escaping @Sendable (MetadataEntry) -> MetadataEntry?) {
        (self.isForSharing, self.filtered) = (isForSharing, filtered)
    }

    /// A filter that removes what tells about people, places, devices and moments.
    ///
    /// Items that say something of a work pass: its title, its artists, its rights, what playback needs. Covers pass
    /// without what cameras and programs wrote into them, dates of works as a year.
    ///
    /// An export with this filter goes further: it leaves out tracks, boxes, messages among coded pictures, names and
    /// dates that are not known to be harmless. `result` tells what went.
    ///
    /// - Note: AVFoundation does not tell which items its filter removes, beyond places; here only what is known to be
    ///   harmless passes.
    public class func forSharing() -> AVMetadataItemFilter {
        AVMetadataItemFilter(isForSharing: true) { MetadataSharing.shareable($0) }
    }
}
