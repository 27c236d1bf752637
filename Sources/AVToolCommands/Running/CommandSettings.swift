internal import ArgumentParser
internal import MediaCore

/// Options that decide how a command is run, and not what its results are.
protocol RunOptions {}

extension SeveralFilesOptions: RunOptions {}
extension LimitOptions: RunOptions {}
extension ReportOptions: RunOptions {}
extension DryRunOptions: RunOptions {}

/// What a command line asks for, as texts that are the same whenever the results are to be, whatever the order of options.
package struct CommandSettings {
    /// Options of the same kind that stand alone; which files there are is not a setting either.
    private static let exceptions: Set = ["force", "resume", "verbose", "ifNewer", "named", "pieces"]

    package private(set) var texts: [String] = []

    package init(of command: some Sendable) {
        texts.append("\(type(of: command))")
        add(command, "")
    }

    private mutating func add(_ value: Any, _ path: String) {
        for child in Mirror(reflecting: value).children {
            guard let label = child.label.map({ $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }),
                !Self.exceptions.contains(label)
            else { continue }
            let parsed = Self.parsed(child.value)
            guard !(parsed is any RunOptions) else { continue }
            // What is joined is the same as what one process makes.
            if label == "piece", (parsed as? WorkPiece)?.index == nil { continue }
            let name = path.isEmpty ? label : "\(path).\(label)"
            if parsed is any ParsableArguments {
                add(parsed, name)
            } else {
                texts.append("\(name)=\(Self.text(of: parsed))")
            }
        }
    }

    /// A value without the names of types, which change when these move.
    private static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        let parts = mirror.children.map { child in
            (child.label.map { "\($0): " } ?? "") + text(of: child.value)
        }
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "nil"
        case .collection, .set, .dictionary: return "[" + parts.joined(separator: ", ") + "]"
        case .struct, .tuple, .enum:
            return parts.isEmpty || value is any CustomStringConvertible
                ? "\(value)" : "(" + parts.joined(separator: ", ") + ")"
        default: return "\(value)"
        }
    }

    /// What a property holds whose wrapper the command line has filled.
    private static func parsed(_ wrapper: Any) -> Any {
        guard let parsed = Mirror(reflecting: wrapper).descendant("_parsedValue") else { return wrapper }
        return Mirror(reflecting: parsed).descendant("value") ?? wrapper
    }

    /// What pieces have in common that are joined.
    package var digestOfPieces: String {
        FowlerNollVo.digest128(of: texts.filter { !$0.hasPrefix("sharing.piece=") }).zeroPadded(to: 32, radix: 16)
    }
}
