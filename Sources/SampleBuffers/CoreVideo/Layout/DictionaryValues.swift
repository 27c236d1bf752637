package import Foundation
internal import MediaCore

extension NSDictionary {
    /// A copy by keys that are text, with objects for values.
    func copyByText() -> NSMutableDictionary {
        let copy = NSMutableDictionary()
        for (key, value) in self { copy.setObject(dictionaryObject(value), forKey: textKey(key)) }
        return copy
    }
}

/// A key of a dictionary as an object; others than text stay apart from all that is.
package func textKey(_ key: Any) -> NSString {
    switch key {
    case let text as NSString: text
    case let text as String: NSString(string: text)
    default: NSString(string: String(describing: key))
    }
}

/// A value of a dictionary as the object that it is on Apple's platforms.
///
/// Foundation for Linux makes objects of all that clients write but `CGFloat`.
package func dictionaryObject(_ value: Any) -> AnyObject {
    if let number = value as? CGFloat { NSNumber(value: Double(number)) } else { value as AnyObject }
}

/// The value of a number in a dictionary, rounded towards zero.
///
/// - Returns: `nil` for what is no number, is not finite or is larger than any size.
func wholeNumber(_ value: Any) -> Int? {
    realNumber(value).flatMap { abs($0) < 0x1p53 ? Int($0) : nil }
}

/// The value of a number in a dictionary.
///
/// - Returns: `nil` for what is no number or is not finite.
package func realNumber(_ value: Any?) -> Double? {
    guard let value, let number = dictionaryObject(value) as? NSNumber, number.doubleValue.isFinite else {
        return nil
    }
    return number.doubleValue
}
