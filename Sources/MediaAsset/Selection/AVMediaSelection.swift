public import Foundation
internal import MediaMetadata
internal import Synchronization

/// Which option of each of an asset's groups is chosen.
///
/// - Note: AVFoundation's is not `Sendable`.
open class AVMediaSelection: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked Sendable: the source and the state behind its lock; the asset is set once, in the initialiser.

    /// What is chosen.
    struct Choices: Sendable, Equatable {
        /// By what the group's options have in common; nothing for a group of which no option is chosen.
        var options: [AVMediaCharacteristic: AVMediaSelectionOption] = [:]
        /// The groups that somebody has chosen in.
        var decided: Set<AVMediaCharacteristic> = []
    }

    /// `nil` for a selection in an asset that could not be read, which has no groups.
    private let source: AssetSource?
    private let state: Mutex<Choices>

    /// The asset whose options are chosen; `nil` when nobody holds the asset any more.
    public private(set) weak var asset: AVAsset?

    init(of asset: AVAsset?, source: AssetSource?, choices: Choices) {
        (self.asset, self.source) = (asset, source)
        state = Mutex(choices)
        super.init()
    }

    convenience init(of asset: AVAsset, choosing options: [(AVMediaSelectionGroup, AVMediaSelectionOption?)]) {
        var choices = Choices()
        for (group, option) in options { choices.options[group.characteristic] = option }
        self.init(of: asset, source: asset.source, choices: choices)
    }

    /// A selection of the same options that does not change.
    open func copy(with zone: NSZone? = nil) -> Any { AVMediaSelection(of: asset, source: source, choices: choices) }

    /// A selection of the same options that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        AVMutableMediaSelection(of: asset, source: source, choices: choices)
    }

    /// Whether the other object chooses the same options of the same asset.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVMediaSelection else { return false }
        return other.source === source && other.choices.options == choices.options
    }

    /// Equal for equal selections.
    open override var hash: Int { choices.options.hashValue }

    /// The option that is chosen in a group; `nil` if none is, and for a group of another asset.
    open func selectedMediaOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        guard isOfAsset(mediaSelectionGroup) else { return nil }
        return choices.options[mediaSelectionGroup.characteristic]
    }

    /// Whether what is chosen in a group is the file's choice, and nobody's: false once somebody has chosen, and for a
    /// group of another asset.
    open func mediaSelectionCriteriaCanBeAppliedAutomatically(to mediaSelectionGroup: AVMediaSelectionGroup) -> Bool {
        isOfAsset(mediaSelectionGroup) && !choices.decided.contains(mediaSelectionGroup.characteristic)
    }

    private var choices: Choices { state.withLock { $0 } }

    private func isOfAsset(_ group: AVMediaSelectionGroup) -> Bool { group.source === source }

    func choose(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) {
        guard isOfAsset(group), option.map(group.options.contains) ?? group.allowsEmptySelection else { return }
        state.withLock { choices in
            choices.options[group.characteristic] = option
            choices.decided.insert(group.characteristic)
        }
    }
}

/// A selection that can be changed, made by `mutableCopy()` of another.
public final class AVMutableMediaSelection: AVMediaSelection, @unchecked Sendable {
    // @unchecked Sendable: as AVMediaSelection.

    /// Chooses an option of a group.
    ///
    /// Without effect for a group of another asset, for an option that the group does not have, and for none where
    /// the group does not allow that.
    ///
    /// - Parameter mediaSelectionOption: `nil` for none.
    /// - Note: What AVFoundation does with another asset's group is not documented.
    public func select(
        _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
    ) {
        choose(mediaSelectionOption, in: mediaSelectionGroup)
    }
}

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
