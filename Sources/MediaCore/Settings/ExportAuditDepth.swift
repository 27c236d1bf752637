internal import Foundation

/// How much of a finished file is read to compare it with its source.
///
/// Beyond AVFoundation.
public enum ExportAuditDepth: String, CaseIterable, Codable, Hashable, Sendable {
    /// Nothing is compared.
    case none
    /// Headers, a movie's sample tables, and the headers of the frames around each seam of a join.
    ///
    /// Costs about as much as opening the file, and for each seam reading some seconds of it.
    case index
    /// Every sample of source and output, undecoded, and the frames around each seam of a join, decoded.
    ///
    /// Costs a pass over both files, and for each seam decoding one to two seconds of each, from the keyframe before.
    case full
}

/// The folder where a user keeps presets of exports: documents named `NAME.json`.
package struct PresetFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The folder of the user that runs the process: `avtool/presets` in `$XDG_CONFIG_HOME`, or else in `~/.config`.
    package static var user: PresetFolder {
        let environment = ProcessInfo.processInfo.environment
        // The specification of these folders has relative paths ignored.
        let configured = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
        return PresetFolder(path: (configured ?? home + "/.config") + "/avtool/presets")
    }

    /// Whether a preset is given by the path of its document, not by its name.
    package static func isPath(_ nameOrPath: String) -> Bool {
        nameOrPath.contains("/") || nameOrPath.hasSuffix(".json")
    }

    /// The files that a preset's document may be in.
    package func paths(of nameOrPath: String) -> [String] {
        if Self.isPath(nameOrPath) { return [nameOrPath] }
        return nameOrPath.isEmpty ? [] : ["\(path)/\(nameOrPath).json"]
    }

    /// The documents that it holds.
    package var documents: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted().map { "\(path)/\($0)" }
    }
}
