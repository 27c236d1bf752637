/// The key of ``CMTime/value`` in the dictionary form of a time.
public let kCMTimeValueKey = "value"
/// The key of ``CMTime/timescale`` in the dictionary form of a time.
public let kCMTimeScaleKey = "timescale"
/// The key of ``CMTime/epoch`` in the dictionary form of a time.
public let kCMTimeEpochKey = "epoch"
/// The key of the raw ``CMTime/flags`` in the dictionary form of a time.
public let kCMTimeFlagsKey = "flags"

/// Returns a time as a dictionary of four integers.
///
/// - Parameter allocator: `kCFAllocatorDefault` or nil; there are no others.
/// - Returns: `value`, `timescale`, `epoch` and `flags`, each in the integer type
///   of its field; never nil.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> [String: Any]? { time.dictionaryForm }

extension CMTime {
    /// The four fields by their keys.
    var dictionaryForm: [String: Any] {
        [
            kCMTimeValueKey: value, kCMTimeScaleKey: timescale, kCMTimeEpochKey: epoch,
            kCMTimeFlagsKey: flags.rawValue,
        ]
    }
}

/// Makes a time from its dictionary form.
///
/// - Parameter dictionary: The four entries, as integers of any type.
/// - Returns: The time, or an invalid one if the dictionary is nil, if an entry
///   is missing or not an integer, or if an integer does not fit its field.
public func CMTimeMakeFromDictionary(_ dictionary: [String: Any]?) -> CMTime {
    guard let dictionary,
        let value: CMTimeValue = integer(dictionary[kCMTimeValueKey]),
        let timescale: CMTimeScale = integer(dictionary[kCMTimeScaleKey]),
        let epoch: CMTimeEpoch = integer(dictionary[kCMTimeEpochKey]),
        let flags: UInt32 = integer(dictionary[kCMTimeFlagsKey])
    else { return .invalid }
    return CMTime(value: value, timescale: timescale, flags: CMTimeFlags(rawValue: flags), epoch: epoch)
}

private func integer<T: FixedWidthInteger>(_ entry: Any?) -> T? {
    guard let number = entry as? any BinaryInteger else { return nil }
    return T(exactly: number)
}
