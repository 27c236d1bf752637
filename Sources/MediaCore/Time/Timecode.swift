/// The label of a frame, as SMPTE ST 12-1 has it: `01:00:10:00`.
///
/// Drop-frame labels have a semicolon before the frames, `01:00:10;02`: they
/// leave out numbers, not frames, so that they keep pace with the clock at 29.97
/// frames per second. Beyond Core Media.
public struct Timecode: Hashable, Sendable {
    /// From 0 to 23.
    public let hours: Int
    /// From 0 to 59.
    public let minutes: Int
    /// From 0 to 59.
    public let seconds: Int
    /// The frame's number in its second, from 0 to 999; how far it goes says the rate.
    public let frames: Int
    /// Whether numbers are left out.
    public let isDropFrame: Bool

    /// The label of all zeros.
    public static let zero = Timecode(fields: [0, 0, 0, 0], isDropFrame: false)

    /// Makes a label; `nil` if a field is out of its range, whatever the rate.
    public init?(hours: Int, minutes: Int, seconds: Int, frames: Int, isDropFrame: Bool = false) {
        guard (0..<24).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds),
            (0..<1000).contains(frames)
        else { return nil }
        self.init(fields: [hours, minutes, seconds, frames], isDropFrame: isDropFrame)
    }

    /// Reads a label; `nil` if the text is none.
    ///
    /// - Parameter text: Four fields of digits between colons; a semicolon before
    ///   the last says drop frame.
    public init?(_ text: some StringProtocol) {
        let fields = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == ";" }
        let separators = String(text.filter { $0 == ":" || $0 == ";" })
        guard fields.count == 4, separators == ":::" || separators == "::;" else { return nil }
        let numbers = fields.compactMap { field in
            (1...3).contains(field.count) && field.allSatisfy(\.isASCIIDigit) ? Int(field) : nil
        }
        guard numbers.count == 4 else { return nil }
        self.init(
            hours: numbers[0], minutes: numbers[1], seconds: numbers[2], frames: numbers[3],
            isDropFrame: separators.hasSuffix(";"))
    }

    /// Whether a text is a label rather than a time of the clock, be it a right one or not.
    static func isMeant(by text: some StringProtocol) -> Bool {
        text.allSatisfy { $0.isASCIIDigit || $0 == ":" || $0 == ";" }
            && (text.contains(";") || text.count { $0 == ":" } == 3)
    }

    /// - Parameter fields: Four numbers in range.
    private init(fields: [Int], isDropFrame: Bool) {
        (hours, minutes, seconds, frames) = (fields[0], fields[1], fields[2], fields[3])
        self.isDropFrame = isDropFrame
    }
}

extension Timecode: CustomStringConvertible {
    /// Fields of two digits, as ``init(_:)`` reads them.
    public var description: String {
        let fields = [hours, minutes, seconds, frames].map { $0 < 10 ? "0\($0)" : String($0) }
        return fields[..<3].joined(separator: ":") + (isDropFrame ? ";" : ":") + fields[3]
    }
}
