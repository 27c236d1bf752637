internal import Foundation
internal import OpenAVFoundation

/// A file as the command line names it: a path, an address, or `-` for standard input.
enum SourceFile {
    static let standardInput = "-"

    /// Where it is.
    static func url(_ file: String) -> URL {
        if file == standardInput { return URL(fileURLWithPath: "/dev/stdin") }
        if file.range(of: "^[A-Za-z][A-Za-z0-9+.-]*://", options: .regularExpression) != nil,
            !FileManager.default.exists(file), let address = URL(string: file)
        {
            return address
        }
        return URL(fileURLWithPath: file)
    }

    /// Its name without folders, for people.
    static func displayName(_ file: String) -> String {
        file == standardInput ? "standard input" : (file as NSString).lastPathComponent.withVisiblePathBytes
    }

    /// What results are named after; empty if the name has nothing before its extension.
    static func baseName(_ file: String) -> String {
        file == standardInput ? "stdin" : ((file as NSString).lastPathComponent as NSString).deletingPathExtension
    }

    /// Why files cannot be taken, `nil` if they can.
    static func objection(to files: [String]) -> String? {
        let count = files.count { ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains($0) }
        if count > 1 { return "Standard input can be read once only, and was given \(count) times." }
        guard files.contains(standardInput), isatty(0) == 1 else { return nil }
        return "- is standard input, which is the terminal; pipe or redirect a film into it."
    }
}
