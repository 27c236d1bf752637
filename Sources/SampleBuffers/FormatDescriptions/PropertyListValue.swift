package import Foundation
internal import MediaCore

/// What can stand in a property list, as a value that threads may share.
package indirect enum PropertyListValue: Hashable, Sendable {
    case text(String)
    case integer(Int)
    case real(Double)
    case flag(Bool)
    case data(Data)
    case list([PropertyListValue])
    case dictionary([String: PropertyListValue])

    /// The value as an object; a new one each time.
    package var object: AnyObject {
        switch self {
        case .text(let text): NSString(string: text)
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .flag(let flag): NSNumber(value: flag)
        case .data(let data): NSData(data: data)
        case .list(let values): NSArray(array: values.map(\.object))
        case .dictionary(let values): Self.object(values)
        }
    }

    /// A dictionary as an object.
    static func object(_ values: [String: PropertyListValue]) -> NSDictionary {
        NSDictionary(
            objects: values.map(\.value.object), forKeys: values.map { NSString(string: $0.key) as NSObject })
    }

    /// The value of an object; `nil` for objects that no property list has.
    package init?(_ object: Any) {
        switch object {
        case let text as String: self = .text(text)
        case let text as NSString: self = .text(String(describing: text))
        // Before the others: a number object that holds 0 or 1 can be had as a Bool too.
        case let number as NSNumber: self = .init(number)
        case let data as Data: self = .data(data)
        case let data as NSData: self = .data(Data(referencing: data))
        case let list as [Any]: self.init(list)
        case let list as NSArray: self.init(Array(list))
        case let values as [String: Any]: self.init(values)
        case let values as NSDictionary: self.init(values)
        default: return nil
        }
    }

    private init(_ number: NSNumber) {
        switch CFNumberKind(number) {
        case .flag: self = .flag(number.boolValue)
        case .integer: self = .integer(number.intValue)
        case .real: self = .real(number.doubleValue)
        }
    }

    private init?(_ list: [Any]) {
        let values = list.compactMap { PropertyListValue($0) }
        guard values.count == list.count else { return nil }
        self = .list(values)
    }

    private init?(_ values: [String: Any]) {
        let known = values.compactMapValues { PropertyListValue($0) }
        guard known.count == values.count else { return nil }
        self = .dictionary(known)
    }

    private init?(_ values: NSDictionary) {
        var known: [String: PropertyListValue] = [:]
        for (key, value) in values {
            guard let value = PropertyListValue(value) else { return nil }
            switch key {
            case let key as String: known[key] = value
            case let key as NSString: known[String(describing: key)] = value
            default: return nil
            }
        }
        self = .dictionary(known)
    }
}

/// What a number object holds.
private enum CFNumberKind {
    case flag, integer, real

    init(_ number: NSNumber) {
        switch String(cString: number.objCType) {
        case "c", "B": self = .flag
        case "f", "d": self = .real
        default: self = .integer
        }
    }
}
