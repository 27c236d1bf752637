internal import ArgumentParser
internal import Foundation
internal import MediaMetadata

/// What somebody may have meant by a command or an option that there is not.
enum Suggestion {
    /// What is wrong with arguments that made no sense, if it is a word that was mistyped.
    ///
    /// Said before anything else: a mistyped option makes others look as if they lacked.
    static func objection(to arguments: [String]) -> String? {
        var (command, words): (any ParsableCommand.Type, ArraySlice<String>) = (AVTool.self, arguments[...])
        while let word = words.first, let next = named(word, below: command) {
            command = next
            words = words.dropFirst()
        }
        if let word = words.first, !word.hasPrefix("-"), let objection = objection(toCommand: word, below: command) {
            return objection
        }
        // Options of a plan are followed by those of the command that it is of.
        return command == PlanCommand.self ? nil : objection(toOptions: words, of: command)
    }

    /// What is wrong with a word that would be taken for a file of the command that is meant by none, such as
    /// `metadata shwo`.
    static func objection(toFileOf arguments: [String]) -> String? {
        guard arguments.count > 1, let command = named(arguments[0], below: AVTool.self),
            command.configuration.defaultSubcommand != nil, named(arguments[1], below: command) == nil
        else { return nil }
        let word = arguments[1]
        guard !word.hasPrefix("-"), !word.contains(where: { "./".contains($0) }) else { return nil }
        return EditDistance.nearest(to: word, among: names(below: command)).isEmpty
            ? nil : objection(toCommand: word, below: command)
    }

    /// The names that there are below a command.
    static func names(below command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    /// What is wrong with a word that is to be explained.
    static func objection(toTopic word: String, among names: [String]) -> String {
        "there is no help on '\(word)'" + question(EditDistance.nearest(to: word, among: names))
    }

    private static func named(
        _ word: String, below command: any ParsableCommand.Type
    ) -> (any ParsableCommand.Type)? {
        command.configuration.subcommands.first { $0.configuration.commandName == word }
    }

    private static func objection(toCommand word: String, below command: any ParsableCommand.Type) -> String? {
        let names = names(below: command)
        // What is no command may be a file of the one that is meant by none.
        guard !names.isEmpty, word != "help", !FileManager.default.fileExists(atPath: word) else { return nil }
        let near = EditDistance.nearest(to: word, among: names)
        guard !near.isEmpty || command == AVTool.self else { return nil }
        return "there is no command '\(word)'" + question(near)
    }

    /// - Parameter words: What comes after the command.
    private static func objection(toOptions words: ArraySlice<String>, of command: any ParsableCommand.Type) -> String?
    {
        let known = Set(options(of: command) + ["sandbox", "quiet", "verbose", "no-config"])
        for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
            let name = String(word.dropFirst(2).prefix { $0 != "=" })
            guard !known.contains(name), name.first?.isLetter == true else { continue }
            return "there is no option --\(name) of this command"
                + question(EditDistance.nearest(to: name, among: known.sorted()).map { "--" + $0 })
        }
        return nil
    }

    private static func question(_ near: [String]) -> String {
        near.isEmpty ? "" : ": do you mean \(near.prefix(3).joined(separator: " or "))?"
    }

    /// The long names of a command's options, which only its description for other programs has.
    private static func options(of command: any ParsableCommand.Type) -> [String] {
        struct Description: Decodable {
            struct Command: Decodable { let arguments: [Argument]? }
            struct Argument: Decodable { let names: [Name]? }
            struct Name: Decodable { let kind: String, name: String }
            let command: Command
        }
        let description = try? JSONDecoder().decode(Description.self, from: Data(command._dumpHelp().utf8))
        let names = (description?.command.arguments ?? []).flatMap { $0.names ?? [] }
        return names.filter { $0.kind == "long" }.map(\.name) + ["help", "version"]
    }
}
