package import MediaIO

/// A limit on the process that works on a file, which the command has and the library has not: a program that uses
/// the library bounds itself.
package enum WorkLimit: String, CaseIterable {
    /// Bytes of memory of its own.
    case memory
    /// How long the work may get no further.
    case stallTime = "stall-time"

    package var unit: MediaLimits.Unit {
        switch self {
        case .memory: .bytes
        case .stallTime: .milliseconds
        }
    }

    /// The value that holds where none is given, in the limit's unit; `nil` where that depends on the machine.
    package var defaultValue: Int64? {
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
package enum LimitName: Hashable, CaseIterable {
    case media(MediaLimits.Name)
    case work(WorkLimit)

    package static let allCases =
        MediaLimits.Name.allCases.map(LimitName.media) + WorkLimit.allCases.map(LimitName.work)

    package init?(rawValue: String) {
        if let name = MediaLimits.Name(rawValue: rawValue) {
            self = .media(name)
        } else if let name = WorkLimit(rawValue: rawValue) {
            self = .work(name)
        } else {
            return nil
        }
    }

    package var rawValue: String {
        switch self {
        case .media(let name): name.rawValue
        case .work(let name): name.rawValue
        }
    }

    package var unit: MediaLimits.Unit {
        switch self {
        case .media(let name): name.unit
        case .work(let name): name.unit
        }
    }

    package var range: ClosedRange<Int64> {
        switch self {
        case .media(let name): name.range
        case .work(let name): name.range
        }
    }

    /// A value as an example of how it is written.
    package var example: Int64 {
        switch self {
        case .media(let name): name.defaultValue
        case .work(let name): name.defaultValue ?? 4 << 30
        }
    }
}
