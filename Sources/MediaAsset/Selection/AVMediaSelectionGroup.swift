public import Foundation
internal import MediaMetadata

/// Alternatives of which at most one is played at a time, such as sound in several languages, or subtitles.
///
/// Groups of the same kind of the same asset are equal.
///
/// - Note: AVFoundation's is not `Sendable`.
open class AVMediaSelectionGroup: NSObject, NSCopying, @unchecked Sendable {
    // @unchecked Sendable: every stored property is immutable and Sendable.

    let source: AssetSource
    /// What its options have in common.
    let characteristic: AVMediaCharacteristic

    /// The alternatives, in container order; at least one.
    public let options: [AVMediaSelectionOption]
    /// The option to play where nobody has chosen; `nil` if none is to be played.
    public let defaultOption: AVMediaSelectionOption?
    /// Whether none of the options may be chosen: always for what is read, else if the file enables none.
    public let allowsEmptySelection: Bool

    init(source: AssetSource, characteristic: AVMediaCharacteristic, options: [AVMediaSelectionOption]) {
        self.source = source
        self.characteristic = characteristic
        self.options = options
        let preset = options.first { $0.track.isDefault }
        let playable = options.first { $0.track.isEnabled }
        allowsEmptySelection = characteristic == .legible || playable == nil
        // Text is shown only where the file says so; sound is played in any case.
        defaultOption = characteristic == .legible ? preset : preset ?? playable
        super.init()
    }

    // MARK: Identity

    /// The group itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object is a group of the same kind, of the same asset.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVMediaSelectionGroup else { return false }
        return other.source === source && other.characteristic == characteristic
    }

    /// Equal for equal groups.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(ObjectIdentifier(source))
        hasher.combine(characteristic)
        return hasher.finalize()
    }

    /// The options, for debugging.
    open override var description: String { "AVMediaSelectionGroup(\(options.map(\.description)))" }

    // MARK: Finding options

    /// The option that a property list was made of; `nil` if it is none of this group's, or no property list.
    ///
    /// A list that was made of another asset finds an option with the same track number, kind and language.
    open func mediaSelectionOption(withPropertyList plist: Any) -> AVMediaSelectionOption? {
        options.first { $0.matches(plist) }
    }

    /// The options that can be decoded here, in their order.
    open class func playableMediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption]
    ) -> [AVMediaSelectionOption] {
        mediaSelectionOptions.filter(\.isPlayable)
    }

    /// The options in the language of a locale, in their order; those without a language are left out.
    ///
    /// Where none has the locale's very language, those count that differ from it only by what one of the two does not
    /// say: `en` finds `en-GB` and the other way round, `pt-BR` does not find `pt-PT`.
    open class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption], with locale: Locale
    ) -> [AVMediaSelectionOption] {
        let wanted = locale.identifier.languageRange
        let exact = mediaSelectionOptions.filter { $0.extendedLanguageTag?.languageRange == wanted }
        guard exact.isEmpty else { return exact }
        return mediaSelectionOptions.filter { option in
            guard let own = option.extendedLanguageTag?.languageRange else { return false }
            return own.starts(with: wanted) || wanted.starts(with: own)
        }
    }

    /// The options in one of several languages, those of the first language first; those without a language are left
    /// out.
    ///
    /// A language finds its variants and the other way round, `en` and `en-GB`, after those of the very tag.
    ///
    /// - Parameter preferredLanguages: BCP 47 tags, as `Locale.preferredLanguages` has them.
    open class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption],
        filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
    ) -> [AVMediaSelectionOption] {
        var rest = mediaSelectionOptions
        var result: [AVMediaSelectionOption] = []
        for language in preferredLanguages.map(\.languageRange) {
            let exact = rest.filter { $0.extendedLanguageTag?.languageRange == language }
            let similar = rest.filter {
                guard let own = $0.extendedLanguageTag?.languageRange else { return false }
                return own != language && own.first == language.first
            }
            result += exact + similar
            rest.removeAll(where: (exact + similar).contains)
        }
        return result
    }

    /// The options that have all of several characteristics, in their order.
    open class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption],
        withMediaCharacteristics mediaCharacteristics: [AVMediaCharacteristic]
    ) -> [AVMediaSelectionOption] {
        mediaSelectionOptions.filter { mediaCharacteristics.allSatisfy($0.hasMediaCharacteristic) }
    }

    /// The options that have none of several characteristics, in their order.
    open class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption],
        withoutMediaCharacteristics mediaCharacteristics: [AVMediaCharacteristic]
    ) -> [AVMediaSelectionOption] {
        mediaSelectionOptions.filter { !mediaCharacteristics.contains(where: $0.hasMediaCharacteristic) }
    }
}
