internal import Foundation
internal import MediaCore

extension Attachments {
    /// The time that is attached by a key in its dictionary form, `nil` if there is none.
    func time(_ key: CFString) -> CMTime? {
        guard let dictionary = self[String(describing: key)]?.value as? NSDictionary,
            let value = dictionary.number(kCMTimeValueKey), let timescale = dictionary.number(kCMTimeScaleKey),
            let flags = dictionary.number(kCMTimeFlagsKey)
        else { return nil }
        return CMTime(
            value: value.int64Value, timescale: timescale.int32Value, flags: CMTimeFlags(rawValue: flags.uint32Value),
            epoch: dictionary.number(kCMTimeEpochKey)?.int64Value ?? 0)
    }

    /// The number that is attached by a key, `nil` if there is none.
    func number(_ key: CFString) -> NSNumber? { self[String(describing: key)]?.value as? NSNumber }

    /// Attaches how much is not to be heard or seen, nothing if that is not a time above 0.
    mutating func setTrim(_ time: CMTime, by key: CFString) {
        guard time.isNumeric, time > .zero, let dictionary = CMTimeCopyAsDictionary(time, allocator: nil) else {
            self[String(describing: key)] = nil
            return
        }
        self[String(describing: key)] = Attachment(value: dictionaryObject(dictionary), mode: .shouldPropagate)
    }
}

extension NSDictionary {
    /// The number by a key, `nil` if there is none.
    fileprivate func number(_ key: String) -> NSNumber? {
        object(forKey: NSString(string: key)).flatMap { dictionaryObject($0) as? NSNumber }
    }
}
