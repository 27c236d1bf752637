package import Foundation
internal import MediaCore

/// The properties of a metadata item.
struct MetadataItemState: Sendable {
    /// A value, and dates, which files have only as text or numbers.
    enum Value: Sendable {
        case stored(MetadataValue)
        case date(Date)
    }

    var keySpace: AVMetadataKeySpace?
    var storedKey: MetadataKey?
    var value: Value?
    var valueLoader: (@Sendable (AVMetadataItemValueRequest) -> Void)?
    var valueError: (any Error)?
    var dataType: String?
    var languageTag: String?
    var extras: [AVMetadataExtraAttributeKey: MetadataValue] = [:]
    var time = CMTime.invalid
    var duration = CMTime.invalid
    var startDate: Date?
    /// The parts of a value that a client gave as a dictionary.
    private var described: DescribedFrame?

    init() {}

    init(_ entry: MetadataEntry) {
        keySpace = entry.keySpace
        storedKey = entry.key
        value = .stored(entry.value)
        dataType = entry.dataType
        languageTag = entry.languageTag
        extras = entry.extras
        time = entry.time
        duration = entry.duration
    }

    /// The item as writers take it.
    var entry: MetadataEntry? {
        guard let keySpace, let key = keyInSpace, let value else { return nil }
        let stored: MetadataValue
        switch value {
        case .stored(let value): stored = value
        case .date(let date): stored = .text(ISO8601Timestamp.text(of: date))
        }
        var entry = MetadataEntry(
            keySpace, key, stored, dataType: dataType, languageTag: languageTag, extras: extras, time: time,
            duration: duration)
        entry.correctPictureType()
        return entry
    }

    // MARK: Names

    var identifier: AVMetadataIdentifier? {
        get {
            guard let keySpace, let key = keyInSpace, keySpace.isPrintable else { return nil }
            return AVMetadataIdentifier(key, keySpace: keySpace)
        }
        set {
            keySpace = newValue?.keySpace
            storedKey = newValue?.key
            putDescribed()
        }
    }

    /// The key in the form of its key space: text of four characters is a code
    /// where keys are codes.
    private var keyInSpace: MetadataKey? {
        guard let keySpace, keySpace.hasCodes, case .text(let text) = storedKey else { return storedKey }
        return MetadataKey(fourCharacters: text)
    }

    var keyObject: (any NSCopying & NSObjectProtocol)? {
        switch keyInSpace {
        case .code(let code): NSNumber(value: Int32(bitPattern: code))
        case .text(let text): NSString(string: text)
        case nil: nil
        }
    }

    mutating func setKey(_ object: (any NSCopying & NSObjectProtocol)?) {
        switch object {
        // Clients store codes such as '©nam', whose highest bit is set, as signed numbers too.
        case let number as NSNumber: storedKey = .code(UInt32(truncatingIfNeeded: number.int64Value))
        case let text as NSString: storedKey = .text(text as String)
        case let data as NSData: storedKey = String(data: data as Data, encoding: .utf8).map { .text($0) }
        default: storedKey = nil
        }
        putDescribed()
    }

    var commonKey: AVMetadataKey? {
        guard let keySpace, let key = keyInSpace else { return nil }
        return MetadataEntry(keySpace, key, .text("")).commonKey
    }

    // MARK: The value

    mutating func take(_ answer: Result<Value?, any Error>) {
        switch answer {
        case .success(let value): self.value = value
        case .failure(let error): valueError = error
        }
    }

    mutating func setValue(_ object: (any NSCopying & NSObjectProtocol)?) {
        value = object.flatMap(Value.init(object:))
        if let parts = object as? NSDictionary { described = DescribedFrame(parts) } else { described = nil }
        putDescribed()
        valueLoader = nil
        valueError = nil
    }

    /// Puts what a client gave beside a value where the item's key has a place for it.
    mutating func putDescribed() { described?.put(into: &self) }

    var valueObject: (any NSCopying & NSObjectProtocol)? {
        if let frame = DescribedFrame(self) { return frame.dictionary }
        return switch value {
        case .stored(.text(let text)): NSString(string: text)
        case .stored(.integer(let number)): NSNumber(value: number)
        case .stored(.real(let number)): NSNumber(value: number)
        case .stored(.data(let bytes)): NSData(data: Data(bytes))
        case .date(let date): NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case nil: nil
        }
    }

    var stringValue: String? {
        switch value {
        case .stored(.text(let text)): text
        case .stored(.integer(let number)): String(number)
        case .stored(.real(let number)): String(number)
        default: nil
        }
    }

    var numberValue: NSNumber? {
        switch value {
        case .stored(.integer(let number)): NSNumber(value: number)
        case .stored(.real(let number)): NSNumber(value: number)
        case .stored(.text(let text)):
            Int64(text).map { NSNumber(value: $0) } ?? Double(text).map { NSNumber(value: $0) }
        default: nil
        }
    }

    var dateValue: Date? {
        switch value {
        case .date(let date): date
        case .stored(.text(let text)): ISO8601Timestamp.date(of: text)
        default: nil
        }
    }

    var dataValue: Data? {
        switch value {
        case .stored(.text(let text)): Data(text.utf8)
        case .stored(.data(let bytes)): Data(bytes)
        case .stored(.integer(let number)): Data(number.bytes(ofType: dataType))
        case .stored(.real(let number)): Data(number.bytes(ofType: dataType))
        default: nil
        }
    }

    var extraAttributes: [AVMetadataExtraAttributeKey: any Sendable]? {
        get {
            extras.mapValues { value -> any Sendable in
                switch value {
                case .text(let text): text
                case .integer(let number): Int(number)
                case .real(let number): number
                case .data(let bytes): Data(bytes)
                }
            }
        }
        set {
            extras = (newValue ?? [:]).compactMapValues { value in
                switch value {
                case let text as String: .text(text)
                case let number as Int: .integer(Int64(number))
                case let number as Double: .real(number)
                case let data as Data: .data([UInt8](data))
                default: nil
                }
            }
        }
    }
}

extension MetadataItemState.Value {
    init?(object: any NSCopying & NSObjectProtocol) {
        switch object {
        case let text as NSString: self = .stored(.text(text as String))
        case let number as NSNumber:
            let isReal = ["f", "d"].contains(String(cString: number.objCType))
            self = .stored(isReal ? .real(number.doubleValue) : .integer(number.int64Value))
        case let date as NSDate: self = .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
        case let data as NSData: self = .stored(.data([UInt8](data as Data)))
        case let list as NSArray:
            guard let bytes = Self.bytes(ofPair: list) else { return nil }
            self = .stored(.data(bytes))
        case let parts as NSDictionary:
            // The form of ID3's pictures and comments in older clients.
            if let data = parts["data"] as? NSData {
                self.init(object: data)
            } else if let text = parts["text"] as? NSString {
                self.init(object: text)
            } else {
                return nil
            }
        default: return nil
        }
    }

    /// iTunes' bytes of track and disc numbers from a list of numbers: those of the bytes, 0, 2, 3, 0, or the pair
    /// alone; `nil` for other lists.
    private static func bytes(ofPair list: NSArray) -> [UInt8]? {
        let numbers = list.compactMap { ($0 as? NSNumber).flatMap { UInt16(exactly: $0.int64Value) } }
        guard numbers.count == list.count, (2...4).contains(numbers.count) else { return nil }
        let all = numbers.count == 2 ? [0] + numbers : numbers
        return (all + Array(repeating: 0, count: 4 - all.count)).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }
}

extension AVMetadataKeySpace {
    /// Whether identifiers can begin with it: one to four printable ASCII
    /// characters, or one of the known ones.
    fileprivate var isPrintable: Bool {
        let bytes = prefix.utf8
        return (1...4).contains(bytes.count) && bytes.allSatisfy { (0x21...0x7E).contains($0) } || self == .common
    }
}

extension Int64 {
    /// The number's bytes, the high one first, as many as the type has.
    fileprivate func bytes(ofType type: String?) -> [UInt8] {
        let width =
            switch type {
            case MetadataDataType.int8, MetadataDataType.uint8: 1
            case MetadataDataType.int16, MetadataDataType.uint16: 2
            case MetadataDataType.int64, MetadataDataType.uint64: 8
            default: Int32(exactly: self) == nil ? 8 : 4
            }
        return stride(from: (width - 1) * 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}

extension Double {
    fileprivate func bytes(ofType type: String?) -> [UInt8] {
        let (pattern, width) =
            type == MetadataDataType.float32 ? (UInt64(Float(self).bitPattern), 4) : (bitPattern, 8)
        return stride(from: (width - 1) * 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: pattern >> $0) }
    }
}

/// Complete timestamps of ISO 8601: `2026-01-09T18:32:07+0900`.
package enum ISO8601Timestamp {
    /// The moment that a timestamp names, `nil` if a part is missing or out of range.
    ///
    /// Day and time may be separated by `T` or a space; a missing zone means UTC.
    package static func date(of text: String) -> Date? {
        var rest = Substring(text.trimmingCharacters(in: .whitespaces))
        guard let year = number(&rest, 4), skip(&rest, "-"), let month = number(&rest, 2), skip(&rest, "-"),
            let day = number(&rest, 2), skip(&rest, "T") || skip(&rest, " "), let hour = number(&rest, 2),
            skip(&rest, ":"), let minute = number(&rest, 2), skip(&rest, ":"), let second = number(&rest, 2)
        else { return nil }
        var fraction = 0.0
        if skip(&rest, ".") {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let value = Double("0." + digits) else { return nil }
            fraction = value
            rest = rest.dropFirst(digits.count)
        }
        guard let offset = zone(&rest), rest.isEmpty, (1...12).contains(month), (1...31).contains(day), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        let seconds = days(year: year, month: month, day: day) * 86400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// The timestamp of a moment, in UTC, to the second.
    package static func text(of date: Date) -> String {
        let format = ISO8601DateFormatter()
        return format.string(from: date)
    }

    private static func zone(_ rest: inout Substring) -> Int? {
        if rest.isEmpty || skip(&rest, "Z") { return 0 }
        let sign = skip(&rest, "+") ? 1 : skip(&rest, "-") ? -1 : 0
        guard sign != 0, let hours = number(&rest, 2) else { return nil }
        _ = skip(&rest, ":")
        let minutes = number(&rest, 2) ?? 0
        return sign * (hours * 3600 + minutes * 60)
    }

    private static func number(_ rest: inout Substring, _ digits: Int) -> Int? {
        let part = rest.prefix(digits)
        guard part.utf8.count == digits, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return Int(part)
    }

    private static func skip(_ rest: inout Substring, _ text: String) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    /// Days from 1970-01-01 to a date of the Gregorian calendar.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        // Years that begin in March put the leap day at their end.
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let century = shifted / 400
        let yearOfCentury = shifted - century * 400
        return century * 146_097 + yearOfCentury * 365 + yearOfCentury / 4 - yearOfCentury / 100 + dayOfYear - 719_468
    }
}
