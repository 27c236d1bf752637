internal import MediaCore
internal import MediaIO

/// A number, and how many there are: track 3 of 12, counted from 1.
///
/// Beyond AVFoundation, whose items have such pairs as bytes or text.
public struct NumberPair: Hashable, Sendable {
    /// The number, counted from 1; `nil` if it is not known, which files also say by zero.
    public var number: Int?
    /// How many there are; `nil` if it is not known.
    public var total: Int?

    /// Makes a pair of numbers counted from 1; those below 1 count as not known.
    public init(number: Int? = nil, total: Int? = nil) {
        self.number = number.flatMap { $0 > 0 ? $0 : nil }
        self.total = total.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Reads `8`, `08`, `8/10`, `/10` or `8 of 10`; `nil` if there is no number.
    public init?(_ text: String) {
        let text = text.lowercased().replacing(" of ", with: "/")
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(number: parts.first.flatMap(Self.integer), total: parts.dropFirst().first.flatMap(Self.integer))
        guard number != nil || total != nil else { return nil }
    }

    /// Reads iTunes' value, `trkn` or `disk`: two zero bytes, then 16 bits each, the high byte first; `nil` if there
    /// is no number.
    public init?(bytes: [UInt8]) {
        guard let number = bytes.bigEndian16(at: 2) else { return nil }
        self.init(number: Int(number), total: bytes.bigEndian16(at: 4).map(Int.init))
        guard self.number != nil || total != nil else { return nil }
    }

    private static func integer(_ text: Substring) -> Int? {
        let digits = text.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
        return Int(digits)
    }

    /// The pair as text: `8/10`, `8`, `0/10`.
    public var text: String {
        guard let total else { return String(number ?? 0) }
        return "\(number ?? 0)/\(total)"
    }

    /// The pair as text, as wide as an older text: `08` after `07`.
    func text(like old: String?) -> String {
        guard let old, old.hasPrefix("0"), let number else { return text }
        let width = old.prefix { $0.isASCII && $0.isNumber }.count
        let digits = number.zeroPadded(to: width)
        return total.map { "\(digits)/\($0)" } ?? digits
    }

    /// iTunes' value, `nil` if a number does not fit into 16 bits.
    ///
    /// - Parameter count: How many bytes: 8 for tracks, 6 for discs.
    public func bytes(count: Int) -> [UInt8]? {
        guard let number = UInt16(exactly: number ?? 0), let total = UInt16(exactly: total ?? 0) else { return nil }
        var bytes: [UInt8] = [0, 0]
        bytes.append(bigEndian: number)
        bytes.append(bigEndian: total)
        return bytes + Array(repeating: 0, count: max(0, count - bytes.count))
    }
}
