internal import Foundation

/// Where a user's programs keep files, by freedesktop.org's base directories.
package enum UserFolders {
    /// What can be made again; `nil` where the environment tells of none.
    package static var cache: String? { folder("XDG_CACHE_HOME", else: ".cache") }
    /// What the user decided.
    package static var configuration: String? { folder("XDG_CONFIG_HOME", else: ".config") }

    private static func folder(_ variable: String, else name: String) -> String? {
        let environment = ProcessInfo.processInfo.environment
        // A relative path is to be passed over.
        if let folder = environment[variable], folder.hasPrefix("/") { return folder }
        return environment["HOME"].map { "\($0)/\(name)" }
    }
}
