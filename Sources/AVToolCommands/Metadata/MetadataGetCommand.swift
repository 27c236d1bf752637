package import ArgumentParser
internal import Foundation
package import MediaMetadata

/// `avtool metadata get`: one value, for scripts.
package struct MetadataGetCommand: AsyncParsableCommand, ReadingCommand, Bounded {
    package static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of one item and nothing else.",
        usage: "avtool metadata get [<options>] <name> <file>",
        discussion: """
            NAME is one that 'metadata names' lists, or an identifier. Several values are printed one after the other, \
            each with a newline after it. The exit code is 1, and nothing is printed, if the file does not say it.

            Examples:
              avtool metadata get title movie.mp4
              avtool metadata get --track 2 language movie.mkv
            """)

    @Argument(help: ArgumentHelp("What to print.", valueName: "name"), completion: .metadataNames)
    package var name: Written<MetadataName>

    @Argument(help: "The media file; - is standard input.", completion: .file())
    package var file: String

    @Option(help: ArgumentHelp("Print what this track says, by the number that info shows.", valueName: "n"))
    package var track: Int64?

    @OptionGroup package var bounds: LimitOptions

    package var inputs: [String] { [file] }

    package func validate() throws {
        try name.validate()
        if let objection = SourceFile.objection(to: [file]) { throw ValidationError(objection) }
    }

    package init() {}
}
