package import ArgumentParser

/// `avtool presets check`: whether documents are valid.
package struct PresetsCheckCommand: FileCommand, Reporting {
    package static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check documents of presets; says where one is wrong and what is allowed.",
        discussion: """
            Beyond the document itself, each encoder is opened with its options as an export would open it, and each \
            kind of file is asked whether it holds what the encoders make.

            Example:
              avtool presets check ./mine.json
            """)

    @Argument(help: "The JSON documents.", completion: .file(extensions: ["json"]))
    package var files: [String]

    @OptionGroup package var report: ReportOptions<Self>

    package static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each document."

    package var json: Bool { report.json }

    package init() {}
}
