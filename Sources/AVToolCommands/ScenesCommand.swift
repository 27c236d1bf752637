package import ArgumentParser
package import MediaCore
package import MediaIO

/// `avtool scenes`: the shots of films.
package struct ScenesCommand: MediaCommand, Writing {
    package static let configuration = CommandConfiguration(
        commandName: "scenes",
        abstract: "List the scenes (shots) of films, found by the differences between their pictures.",
        usage: "avtool scenes [<options>] <files> ...",
        discussion: """
            Each film is decoded once. A scene begins with the first frame after a cut, or in the middle of the black \
            between two fades; it ends where the next one begins. Frames are counted from 0, as '#N' counts them. \
            Damaged frames are compared with nothing, so that no cut comes of damage.

            chapters is a document that 'avtool chapters set --from' reads. edl is a CMX 3600 list whose timecode \
            counts from the film's start at the film's rate, with drop frames at 29.97 and 59.94.

            Examples:
              avtool scenes movie.mp4
              avtool scenes --format csv -o movie.csv movie.mp4
              avtool scenes --format chapters a.mp4 | avtool chapters set --from - a.mp4
            """)

    @OptionGroup(title: "Cuts") package var scenes: SceneOptions

    @Option(help: "text, csv, edl, json (JSON Lines, one object for each film) or chapters.")
    package var format: SceneListFormat?

    @OptionGroup package var destination: OutputOptions<Self>
    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var source: SourceOptions

    package static let outputHelp = ArgumentHelp(
        "Write a list to this file, with {name} and {ext} for several; or a folder.", valueName: "file")
    package static let jsonHelp: ArgumentHelp = "The same as --format json."

    /// Failures are told as JSON where scenes are.
    package var json: Bool { wanted == .json }
    package var resumes: Bool { destination.resume }
    package var wanted: SceneListFormat { report.json ? .json : format ?? .text }
    /// The name that was given for the lists; `-` is none.
    package var output: String? { destination.output == "-" ? nil : destination.output }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        if let output { grants.add(results: output, usual: "{name}-scenes.{ext}", of: file) }
    }

    package func validate() throws {
        guard !report.json || format == nil || format == .json else {
            throw ValidationError("Give --format or --json, not both.")
        }
        guard output != nil || source.named.count <= 1 || !wanted.isDocument else {
            throw ValidationError("\(wanted.rawValue) of several files needs -o with {name}.")
        }
        guard !destination.force || output != nil else { throw ValidationError("--force goes with -o.") }
        guard !resumes || output != nil else { throw ValidationError("--resume goes with -o.") }
    }

    package init() {}
}

/// What makes a cut.
package struct SceneOptions: ParsableArguments {
    @Option(
        name: .customLong("method"),
        help: """
            adaptive (a difference that stands out among those of the frames around it) or content (a difference above \
            a threshold).
            """)
    package var method = SceneDetectionSettings.Method.adaptive

    @Option(
        help: ArgumentHelp(
            """
            For adaptive: how many times the usual difference makes a cut; 3 if not given. For content: the mean \
            difference of hue, saturation and brightness, of 255; 27 if not given.
            """, valueName: "n"))
    package var threshold: Double?

    @Option(
        help: ArgumentHelp(
            "No scene is shorter than this, unless the film is; shorter flashes are no scenes.", valueName: "duration"))
    package var minLength = Written<Length>(argument: "0.6s")

    package func validate() throws {
        if let threshold, !(threshold > 0 && threshold <= 255) {
            throw ValidationError("--threshold takes a number above 0, up to 255.")
        }
        do {
            _ = try minLength.get()
        } catch {
            throw ValidationError("--min-length: \(String(describing: error))")
        }
    }

    package init() {}
}

/// Whether each shot gets one still.
package struct SceneStillOptions: ParsableArguments {
    @Flag(help: "One still for each scene (shot), of the frame in its middle; 'avtool scenes' lists them.")
    package var scenes = false

    @Option(help: "With --scenes: adaptive or content; see 'avtool scenes'.")
    package var sceneMethod: SceneDetectionSettings.Method?

    /// What makes a cut; `nil` if scenes are not wanted.
    package var method: SceneDetectionSettings.Method? { scenes ? sceneMethod ?? .adaptive : nil }

    package func validate() throws {
        guard sceneMethod == nil || scenes else { throw ValidationError("--scene-method goes with --scenes.") }
    }

    package init() {}
}

/// How scenes are written down.
package enum SceneListFormat: String, CaseIterable, ExpressibleByArgument {
    case text, csv, edl, json, chapters

    /// Whether a second list cannot follow a first one.
    var isDocument: Bool { self == .edl || self == .chapters }

    package var filenameExtension: String {
        switch self {
        case .text: "txt"
        case .csv: "csv"
        case .edl: "edl"
        case .json: "json"
        case .chapters: "ffmetadata"
        }
    }
}
