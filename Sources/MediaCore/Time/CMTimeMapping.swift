/// A segment of an edit list: which span of the media is shown over which span
/// of the track.
///
/// The play rate of the segment is the source's duration over the target's.
///
/// Source: CoreMedia `CMTimeMapping`; ISO/IEC 14496-12 edit list box.
public struct CMTimeMapping: Hashable, Sendable, BitwiseCopyable {
    /// The span in media time; invalid for an empty edit, which shows nothing.
    public var source: CMTimeRange
    /// The span in track time.
    public var target: CMTimeRange

    /// Creates a mapping whose ranges are both invalid.
    public init() {
        self.init(source: .invalid, target: .invalid)
    }

    /// Creates a mapping from its ranges, unchecked.
    public init(source: CMTimeRange, target: CMTimeRange) {
        self.source = source
        self.target = target
    }

    /// No mapping at all.
    public static let invalid = CMTimeMapping()

    /// Whether the target is valid; the source may be empty.
    public var isValid: Bool { target.isValid }

    /// Whether this is a valid empty edit: its source starts at no numeric time.
    public var isEmpty: Bool { isValid && !source.start.isNumeric }
}

extension CMTimeMapping: CustomStringConvertible {
    /// The source and the target in braces, each in the form of a range.
    ///
    /// - Note: The form that Apple's has is not documented.
    public var description: String { "{\(source), \(target)}" }
}

// MARK: - Free functions

/// No mapping at all, as ``CMTimeMapping/invalid``.
public let kCMTimeMappingInvalid = CMTimeMapping.invalid

/// Tells whether a mapping is valid; see ``CMTimeMapping/isValid``.
public func CMTIMEMAPPING_IS_VALID(_ mapping: CMTimeMapping) -> Bool { mapping.isValid }

/// Tells whether a mapping is not valid.
public func CMTIMEMAPPING_IS_INVALID(_ mapping: CMTimeMapping) -> Bool { !mapping.isValid }

/// Tells whether a mapping is a valid empty edit.
public func CMTIMEMAPPING_IS_EMPTY(_ mapping: CMTimeMapping) -> Bool { mapping.isEmpty }

/// Makes a mapping from a source to a target.
///
/// - Returns: Invalid if a duration's epoch is not 0.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
    guard source.duration.epoch == 0, target.duration.epoch == 0 else { return .invalid }
    return CMTimeMapping(source: source, target: target)
}

/// Makes an empty edit: its source is invalid.
///
/// - Returns: Invalid if the duration's epoch is not 0.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
    CMTimeMappingMake(source: .invalid, target: target)
}

/// Returns the text of a mapping, as its `description`.
///
/// - Parameter allocator: `kCFAllocatorDefault` or nil; there are no others.
public func CMTimeMappingCopyDescription(allocator: CFAllocator?, mapping: CMTimeMapping) -> String? {
    mapping.description
}

/// Writes the text of a mapping and a newline to standard error, for debugging.
public func CMTimeMappingShow(_ mapping: CMTimeMapping) { showOnStandardError(mapping.description) }

/// The key of ``CMTimeMapping/source`` in the dictionary form of a mapping.
public let kCMTimeMappingSourceKey = "source"
/// The key of ``CMTimeMapping/target`` in the dictionary form of a mapping.
public let kCMTimeMappingTargetKey = "target"

/// Returns a mapping as a dictionary of two ranges in their dictionary form.
///
/// - Parameter allocator: `kCFAllocatorDefault` or nil; there are no others.
/// - Returns: `source` and `target`; never nil.
public func CMTimeMappingCopyAsDictionary(_ mapping: CMTimeMapping, allocator: CFAllocator?) -> [String: Any]? {
    [
        kCMTimeMappingSourceKey: mapping.source.dictionaryForm,
        kCMTimeMappingTargetKey: mapping.target.dictionaryForm,
    ]
}

/// Makes a mapping from its dictionary form.
///
/// - Returns: The mapping, or an invalid one if the dictionary is nil or an
///   entry is not the dictionary form of a range.
public func CMTimeMappingMakeFromDictionary(_ dictionary: [String: Any]?) -> CMTimeMapping {
    guard let source = dictionary?[kCMTimeMappingSourceKey] as? [String: Any],
        let target = dictionary?[kCMTimeMappingTargetKey] as? [String: Any]
    else { return .invalid }
    return CMTimeMappingMake(
        source: CMTimeRangeMakeFromDictionary(source), target: CMTimeRangeMakeFromDictionary(target))
}
