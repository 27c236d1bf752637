package import ArgumentParser
package import MediaCore

/// What an export makes, and of which part of its source.
package struct ExportChoiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A preset's name or the path of a preset's JSON document.", valueName: "name|file"),
        completion: .presets)
    package var preset: String

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "What to keep: 1s+3s (from, length), 1s..4s (from, up to), 1s.. or ..4s; ends may be 1:02, 1m30s, 1/3, 25%, #120, end-2s, 01:00:10:00. Several are joined in their order.",
            valueName: "range"))
    package var range: [Written<TimeRangeExpression>] = []

    @Option(
        help: ArgumentHelp(
            "Take the ranges from a cut list: LosslessCut's CSV, TSV or LLC, an EDL of CMX3600, MPlayer, Kodi or mpv, comskip's list, a CUE sheet.",
            valueName: "file"))
    package var segments: String?

    @Flag(help: "Leave out what the ranges name, and keep the rest.")
    package var invert = false

    @Flag(help: "Make a file of each range: movie-low-1.mp4, movie-low-2.mp4.")
    package var split = false

    @Flag(
        help:
            "Fail where the range cannot be kept just so: beyond the end, or where pictures can begin with a keyframe only."
    )
    package var exact = false

    package func validate() throws {
        for range in range { try range.validate() }
        guard segments == nil || range.isEmpty else {
            throw ValidationError("--segments and --range say the same thing.")
        }
    }

    /// The pattern of results' names, a number being in each where every range becomes a file.
    func namesOfResults(_ output: String?) -> String? {
        guard split, let output, !output.hasSuffix("/") else { return output }
        let folderEnd = output.lastIndex(of: "/").map { output.index(after: $0) } ?? output.startIndex
        let name = output[folderEnd...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return output + "-{part}" }
        return output[..<dot] + "-{part}" + output[dot...]
    }

    package init() {}
}
