internal import Foundation
internal import OpenAVFoundation

/// The command line as the shell gave it.
enum CommandArguments {
    /// The arguments without the program's name, whatever bytes they are.
    static func decoded() -> [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { argument in
                String(pathBytes: Data(bytes: argument, count: strlen(argument)).map { $0 })
            }
        }
    }

    /// The argument that names a file and begins like an option, with what to write instead.
    ///
    /// - Parameter isRejected: Whether the arguments made no sense: then names
    ///   count that look like options in every other way too.
    static func hint(_ arguments: [String], isRejected: Bool) -> String? {
        let options = arguments.prefix { $0 != "--" }
        let misread = options.first { argument in
            argument.hasPrefix("-") && argument != "-" && (isRejected || argument.contains("."))
                && FileManager.default.exists(argument)
        }
        return misread.map { "\($0) is taken for an option; write -- before it, or ./\($0)" }
    }
}
