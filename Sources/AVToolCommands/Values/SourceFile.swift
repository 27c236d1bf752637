package import Foundation
internal import MediaIO

/// A file as the command line names it: a path, an address, or `-` for standard input.
///
/// A file that is called `-` is `./-`.
package enum SourceFile {
    package static let standardInput = "-"
    private static let namesOfStandardInput: Set = [standardInput, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]

    /// Where it is.
    package static func url(_ file: String) -> URL {
        if file == standardInput { return URL(fileURLWithPath: "/dev/stdin") }
        if beginsLikeAddress(file), !FileManager.default.exists(file), let address = URL(string: file) {
            return address
        }
        return URL(fileURLWithPath: file)
    }

    /// Whether it lies elsewhere than in a folder of this system.
    package static func isAddress(_ file: String) -> Bool { !url(file).isFileURL }

    /// Whether there is a scheme before `://`.
    private static func beginsLikeAddress(_ file: String) -> Bool {
        let scheme = file.utf8.prefix {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+.-".utf8.contains($0)
        }
        guard let first = scheme.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20) else {
            return false
        }
        return file.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
    }

    /// Its name without folders, for people.
    package static func displayName(_ file: String) -> String {
        file == standardInput ? "standard input" : (file as NSString).lastPathComponent.withVisiblePathBytes
    }

    /// What results are named after; empty if the name has nothing before its extension.
    ///
    /// Never a name that leads elsewhere: "...mp4" without its extension would be the folder above.
    package static func baseName(_ file: String) -> String {
        guard file != standardInput else { return "stdin" }
        let name = (file as NSString).lastPathComponent
        let names = [(name as NSString).deletingPathExtension, name]
        return names.first { ![".", ".."].contains($0) && !$0.contains("/") } ?? ""
    }

    /// Why files cannot be taken, `nil` if they can.
    ///
    /// - Parameter others: What else the command reads.
    package static func objection(to files: [String], with others: [String?] = []) -> String? {
        let count = (files + others.compactMap { $0 }).count(where: namesOfStandardInput.contains)
        if count > 1 { return "Standard input can be read once only, and was given \(count) times." }
        guard let name = files.first(where: namesOfStandardInput.contains) else { return nil }
        if StandardInput.current.isTerminal {
            return "\(name) is standard input, which is the terminal; pipe or redirect a film into it."
        }
        return StandardInput.current.isOpen ? nil : "\(name) is standard input, which is closed."
    }

    /// Why files cannot be changed where they are, `nil` if they can, or cannot be read in any case.
    package static func objection(toChanging files: [String]) -> String? {
        let stream = files.first {
            namesOfStandardInput.contains($0) || OutputPlace.isStream($0) && !isCharacterDevice($0)
        }
        guard let stream else { return nil }
        let name = namesOfStandardInput.contains(stream) ? "standard input" : "\(stream), a pipe,"
        return "\(name) cannot be changed in place; -o says where the changed copy goes."
    }

    /// Whether a file is a device such as `/dev/null`, of which nothing can be read in any case.
    private static func isCharacterDevice(_ file: String) -> Bool {
        let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeCharacterSpecial
    }
}
