internal import ArgumentParser

/// The commands that there are, with those below them.
package enum CommandNames {
    /// `thumbs`, `metadata show`.
    package static let all: Set<String> = Set(names(below: AVTool.self, prefix: ""))

    private static func names(below command: any ParsableCommand.Type, prefix: String) -> [String] {
        command.configuration.subcommands.flatMap { next -> [String] in
            guard let name = next.configuration.commandName else { return [] }
            return [prefix + name] + names(below: next, prefix: prefix + name + " ")
        }
    }

    /// Those that are meant where only the command above them is named.
    private static let usual: [String: String] = Dictionary(
        AVTool.configuration.subcommands.compactMap { command in
            guard let name = command.configuration.commandName,
                let next = command.configuration.defaultSubcommand?.configuration.commandName
            else { return nil }
            return (name, "\(name) \(next)")
        }, uniquingKeysWith: { first, _ in first })

    /// The command that a command line begins with, and how many words name it.
    package static func name(beginning arguments: [String]) -> (name: String, wordCount: Int)? {
        guard let first = arguments.first, all.contains(first) else { return nil }
        guard arguments.count > 1, all.contains("\(first) \(arguments[1])") else { return (usual[first] ?? first, 1) }
        return ("\(first) \(arguments[1])", 2)
    }

    /// Where the command begins whose plan is wanted.
    package static func start(ofCommandIn arguments: [String]) -> Int? {
        let withValue: Set = ["-o", "--output", "--unit-cost", "--files-per-unit"]
        return arguments.indices.first { index in
            all.contains(arguments[index]) && (index == 0 || !withValue.contains(arguments[index - 1]))
        }
    }
}
