internal import Foundation
internal import MediaIO

/// The command line as the shell gave it.
package enum CommandArguments {
    /// The argument that names a file and begins like an option, with what to write instead.
    ///
    /// - Parameter isRejected: Whether the arguments made no sense: then names
    ///   count that look like options in every other way too.
    package static func hint(_ arguments: [String], isRejected: Bool) -> String? {
        let options = arguments.prefix { $0 != "--" }
        let misread = options.first { argument in
            argument.hasPrefix("-") && argument != "-" && (isRejected || argument.contains("."))
                && FileManager.default.exists(argument)
        }
        return misread.map { "\($0) is taken for an option; write -- before it, or ./\($0)" }
    }
}
