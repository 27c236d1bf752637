internal import MediaCore
internal import MediaIO

/// A limit on the process that works on a file, which the command has and the library has not: a program that uses
/// the library bounds itself.
package enum WorkLimit: String, CaseIterable {
    /// Bytes of memory of its own.
    case memory
    /// How long the work may get no further.
    case stallTime = "stall-time"

    var unit: MediaLimits.Unit {
        switch self {
        case .memory: .bytes
        case .stallTime: .milliseconds
        }
    }

    /// The value that holds where none is given, in the limit's unit; `nil` where that depends on the machine.
    var defaultValue: Int64? {
        switch self {
        case .memory: nil
        // One picture of the slowest encoder in 8K takes a minute on an old machine.
        case .stallTime: 600_000
        }
    }

    /// The values that the limit can have, in its unit.
    package var range: ClosedRange<Int64> {
        switch self {
        // Libraries and threads have 110 MiB by themselves.
        case .memory: (128 << 20)...(1 << 50)
        case .stallTime: 100...86_400_000
        }
    }
}

/// A name that `--limit` takes.
enum LimitName: Hashable, CaseIterable {
    case media(MediaLimits.Name)
    case work(WorkLimit)

    static let allCases =
        MediaLimits.Name.allCases.map(LimitName.media) + WorkLimit.allCases.map(LimitName.work)

    init?(rawValue: String) {
        if let name = MediaLimits.Name(rawValue: rawValue) {
            self = .media(name)
        } else if let name = WorkLimit(rawValue: rawValue) {
            self = .work(name)
        } else {
            return nil
        }
    }

    var rawValue: String {
        switch self {
        case .media(let name): name.rawValue
        case .work(let name): name.rawValue
        }
    }

    var unit: MediaLimits.Unit {
        switch self {
        case .media(let name): name.unit
        case .work(let name): name.unit
        }
    }

    var range: ClosedRange<Int64> {
        switch self {
        case .media(let name): name.range
        case .work(let name): name.range
        }
    }

    /// A value as an example of how it is written.
    var example: Int64 {
        switch self {
        case .media(let name): name.defaultValue
        case .work(let name): name.defaultValue ?? 4 << 30
        }
    }
}

/// A limit as the command line sets it: `pixels=1000000`, `metadata-size=8MiB`, `time=1.5s`.
struct LimitAssignment: TextualValue {
    let name: LimitName
    /// In the limit's unit.
    let value: Int64

    init(text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let name = LimitName(rawValue: parts[0]) else {
            let names = LimitName.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.usage, "--limit \(text): there is no limit of that name; there are \(names)")
        }
        guard parts.count == 2 else {
            throw Failure(
                .usage, "--limit \(text): a value is missing, as in \(text)=\(name.unit.text(name.example))")
        }
        guard let value = name.unit.value(parts[1]) else {
            throw Failure(.usage, "--limit \(text): \(name.unit.grammar)")
        }
        guard name.range.contains(value) else {
            let (lowest, highest) = (name.unit.text(name.range.lowerBound), name.unit.text(name.range.upperBound))
            throw Failure(.usage, "--limit \(text): \(name.rawValue) can be from \(lowest) to \(highest)")
        }
        (self.name, self.value) = (name, value)
    }
}

extension MediaLimits.Unit {
    /// What stands for a value.
    var placeholder: String {
        switch self {
        case .count: "N"
        case .bytes: "BYTES"
        case .milliseconds: "TIME"
        }
    }

    /// How values are written, in one line.
    fileprivate var grammar: String {
        switch self {
        case .count: "the value is a whole number, or one with k, M or G"
        case .bytes: "the value is a number of bytes, such as 5000000, 64MiB or 1.5GB"
        case .milliseconds: DurationExpression.grammar
        }
    }

    /// The value of a text; `nil` if it is none.
    fileprivate func value(_ text: String) -> Int64? {
        switch self {
        case .count:
            let factors: [Character: Int64] = ["k": 1000, "M": 1_000_000, "G": 1_000_000_000]
            let factor = text.last.flatMap { factors[$0] }
            let number = Int64(factor == nil ? text : String(text.dropLast()))
            guard let (product, isTooLarge) = number?.multipliedReportingOverflow(by: factor ?? 1) else { return nil }
            return isTooLarge ? nil : product
        case .bytes: return text == "0" ? 0 : ByteCount(argument: text)?.value
        case .milliseconds:
            guard let time = try? DurationExpression.parse(text), time < CMTime(value: 1 << 40, timescale: 1) else {
                return nil
            }
            return time.convertScale(1000, method: .roundTowardPositiveInfinity).value
        }
    }

    /// A value as it can be written.
    fileprivate func text(_ value: Int64) -> String {
        switch self {
        case .count: String(value)
        case .bytes:
            [("GiB", 30), ("MiB", 20), ("KiB", 10)].first { value >= 1 << $0.1 && value % (1 << $0.1) == 0 }
                .map { "\(value >> $0.1)\($0.0)" } ?? String(value)
        case .milliseconds: value % 1000 == 0 ? "\(value / 1000)s" : "\(value)ms"
        }
    }
}
