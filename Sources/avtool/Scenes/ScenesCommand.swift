internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// `avtool scenes`: the shots of films.
struct ScenesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes",
        abstract: "List the scenes (shots) of films, found by the differences between their pictures.",
        discussion: """
            Each film is decoded once. A scene begins with the first frame after a cut, or in the middle of the black \
            between two fades; it ends where the next one begins. Frames are counted from 0, as '#N' counts them. \
            Damaged frames are compared with nothing, so that no cut comes of damage.

            chapters is a document that 'avtool chapters set --from' reads. edl is a CMX 3600 list whose timecode \
            counts from the film's start at the film's rate, with drop frames at 29.97 and 59.94.

            Examples: avtool scenes movie.mp4
                      avtool scenes --format csv -o movie.csv movie.mp4
                      avtool scenes --format chapters movie.mp4 | avtool chapters set --from - movie.mp4
            """)

    @OptionGroup var source: SourceOptions
    @OptionGroup(title: "Cuts") var scenes: SceneOptions

    @Option(help: "text, csv, edl, json (JSON Lines, one object for each film) or chapters.")
    var format: SceneListFormat?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Write a list to this file, with {name} and {ext} for several; or a folder.", valueName: "file"))
    var output: String?

    @Flag(help: "The same as --format json.")
    var json = false

    @Flag(help: "Replace existing files.")
    var force = false

    private var wanted: SceneListFormat { json ? .json : format ?? .text }

    func validate() throws {
        guard !json || format == nil || format == .json else {
            throw ValidationError("Give --format or --json, not both.")
        }
        let isFile = output != nil && output != "-"
        guard isFile || source.files.count == 1 || !wanted.isDocument else {
            throw ValidationError("\(wanted.rawValue) of several files needs -o with {name}.")
        }
        guard !force || isFile else { throw ValidationError("--force goes with -o.") }
    }

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.listAll() }
    }

    private func listAll() async throws {
        let pattern = output.flatMap { $0 == "-" ? nil : $0 }
        let names = try pattern.map {
            try OutputPattern($0, default: "{name}-scenes.{ext}", count: source.files.count)
        }
        if let names, source.files.count > 1, !names.contains("{name}") {
            throw Failure(.usage, "usage", "several files need {name} in the name, or a folder")
        }
        var failures = FailureLog()
        let files = RunFiles(of: source.files)
        for (index, file) in source.files.enumerated() where !Interruption.isRequested {
            do {
                try await list(file, isFirst: index == 0, names: names, files, failures: &failures)
            } catch {
                let failure = try failures.report(error, file: file)
                if wanted == .json {
                    try JSONLine.print(JSONFailedSource(source: file, error: JSONError(failure)))
                }
            }
        }
        try failures.exitIfNeeded()
    }

    private func list(
        _ file: String, isFirst: Bool, names: OutputPattern?, _ files: RunFiles, failures: inout FailureLog
    ) async throws {
        let place = try names.map { names in
            try files.output(
                names.path(source: file, fileExtension: wanted.fileExtension), replaces: force,
                makesFolder: names.makesFolder)
        }
        let asset = source.asset(file)
        let settings = try scenes.settings()
        let found = try await asset.detectScenes(settings) { Console.progress(file, $0) }
        let document = SceneDocument(
            source: file, list: found, settings: settings, description: try await asset.loadDescription(),
            hasHeading: isFirst || place != nil, isOneOfSeveral: source.files.count > 1)
        let text = try document.text(wanted)
        if let place {
            try AtomicFile.write(Data(text.utf8), to: place)
            let count = found.scenes.count
            try Console.print("\(place.path.oneLine): \(count == 1 ? "1 scene" : "\(count) scenes")")
        } else {
            try Console.write(Data(text.utf8))
        }
        for warning in found.warnings { Console.error("avtool: \(file.oneLine): \(warning.oneLine)") }
        if let truncation = found.truncation { failures.note(Failure(.badInput, "truncated", truncation)) }
    }
}

/// How scenes are written down.
enum SceneListFormat: String, ExpressibleByArgument, CaseIterable {
    case text, csv, edl, json, chapters

    /// Whether a second list cannot follow a first one.
    var isDocument: Bool { self == .edl || self == .chapters }

    var fileExtension: String {
        switch self {
        case .text: "txt"
        case .csv: "csv"
        case .edl: "edl"
        case .json: "json"
        case .chapters: "ffmetadata"
        }
    }
}
