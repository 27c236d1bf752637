package import ArgumentParser
internal import Foundation
internal import MediaMetadata
internal import MetadataFormats

/// The command-line tool.
package struct AVTool: AsyncParsableCommand {
    /// What decides results, together with the media libraries.
    package static let version = "0.1.0"

    package static let configuration = CommandConfiguration(
        commandName: "avtool",
        abstract: "Exact stills, facts, exports and metadata of media files.",
        discussion: """
            Results go to standard output, progress and diagnostics to standard error. The name - is standard input, \
            and ./- a file of that name. A pipe is read only as far as needed by info and by stills of the first \
            minute, else to its end into an unnamed file in TMPDIR, of 8 GiB at most. Commands that change files take \
            - with -o.

            Exit codes: 0 all done; 1 'metadata get' found no such item, or 'diff' a difference; 64 usage; 65 the input is damaged or unsupported, or a still could not be had; \
            66 no such input; 70 internal error; 73 the output exists or cannot be made; 74 reading or writing failed; \
            75 a limit on time, memory or size was hit; 130 interrupted by SIGINT, SIGTERM or SIGHUP. Where several files \
            fail, the code is that of the first failure. To try again is of use after 74 and 130, and after 75 of a \
            deadline or of memory; 'retry' in --json tells. A reader that goes, as in '| head -1', ends the command by \
            SIGPIPE, which shells tell as 141.

            Files are read by a process of its own, avtool-worker, which opens none by itself, connects to nothing and \
            writes nothing but what it is handed, as far as the kernel can keep it from that. --sandbox require, which \
            any command takes, does nothing where the kernel cannot; --sandbox off does without; auto is the default.

            Results never take the place of a file that the same run reads, whatever name that has and even with \
            --force, nor of each other; what a playlist names is read with it. A symbolic link given with -o is followed: the file that it leads to is made, \
            or with --force replaced. A FIFO or device is written into, never replaced; /dev/stdout is the same as -.

            Of all commands, -q tells failures only besides results, and -v how the work is done as well. Options that are \
            always wanted stand in avtool/config in XDG_CONFIG_HOME or ~/.config, in sections such as [thumbs] and \
            [metadata show], a line NAME = VALUE each; what the command line says goes before them, and --no-config \
            leaves them out.

            'avtool help' followed by times, ranges, names, limits, environment or exit-codes explains what commands have \
            in common.

            Examples:
              avtool info movie.mp4
              avtool thumbs --at 0,1/2,end movie.mp4
              avtool export --preset high --range 1:00+30s movie.mkv
            """,
        version: version,
        subcommands: [
            InfoCommand.self, ThumbsCommand.self, SheetCommand.self, StoryboardCommand.self, ThumbnailCommand.self,
            FramesCommand.self, WaveformCommand.self, ExportCommand.self, JoinCommand.self, FilmCommand.self,
            PresetsCommand.self,
            MetadataCommand.self,
            ChaptersCommand.self, DiffCommand.self, ScenesCommand.self, IndexCommand.self,
            VerifyCommand.self,
            PlanCommand.self, UnitCommand.self, MergeCommand.self,
        ])

    package init() {}
}

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

extension CompletionKind {
    /// The names of presets, which the worker knows.
    ///
    /// No shell's script may have quotation marks here: zsh's has the command in some of its own.
    static let presets = CompletionKind.shellCommand("avtool presets list --names 2>/dev/null")

    /// Names of metadata.
    static let metadataNames = CompletionKind.custom { _, _, prefix in names(beginningWith: prefix) }

    /// Names of metadata with the sign that a value comes after, and files.
    static let assignments = CompletionKind.custom { _, _, prefix in
        names(beginningWith: prefix).map { $0 + "=" } + files(beginningWith: prefix)
    }

    /// Kinds of files that have metadata of their own.
    static let containers = CompletionKind.list(FileMetadata.Container.all.map(\.shortName))

    /// Languages by the tags that films have most.
    static let languages = CompletionKind.list(
        ["ar", "cs", "da", "de", "el", "en", "es", "fi", "fr", "he", "hi", "hu", "it", "ja", "ko", "nl", "no"]
            + ["pl", "pt", "pt-BR", "ro", "ru", "sv", "th", "tr", "uk", "vi", "zh", "zh-Hans", "zh-Hant"])

    private static func names(beginningWith prefix: String) -> [String] {
        let kinds = FileMetadata.Container.all
        let names = (KnownName.all(in: kinds) + KnownName.ofTracks(in: kinds)).map(\.name)
        return Set(names).filter { $0.hasPrefix(prefix) }.sorted()
    }

    private static func files(beginningWith prefix: String) -> [String] {
        let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
        let wanted = prefix.dropFirst(folder.count)
        return (names ?? []).filter { $0.hasPrefix(wanted) && (!wanted.isEmpty || !$0.hasPrefix(".")) }.sorted()
            .map { folder + $0 }
    }
}
