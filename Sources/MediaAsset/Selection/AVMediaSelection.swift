public import Foundation
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
