package import ArgumentParser
package import MediaIO

/// `avtool index`: where every frame lies.
package struct IndexCommand: MediaCommand, Writing {
    package static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "List every frame of films: when it is decoded and shown, where it lies, what can begin there.",
        usage: "avtool index [<options>] <files> ...",
        discussion: """
            Each film is read once, and nothing is decoded. jsonl has the timeline, a fingerprint of the file, and all \
            frames of the tracks of pictures and sound in the order in which they are decoded; docs/index-format.md \
            tells the columns. torchcodec is what its VideoDecoder takes as custom_frame_mappings: the shown frames \
            of a video track with the stream's own times, which others make by decoding the film.

            Examples:
              avtool index movie.mp4
              avtool index --format torchcodec -o 'maps/{name}.json' *.mp4
              avtool index --tracks 1 -o - movie.mkv
            """)

    @Option(help: "jsonl or torchcodec; jsonl if not given.")
    package var format = IndexFormat.jsonl

    @Option(
        help: ArgumentHelp(
            "Take these tracks only, by the numbers that 'info' prints: 1,3. torchcodec takes one of pictures.",
            valueName: "list"))
    package var tracks: TrackList?

    @OptionGroup package var destination: OutputOptions<Self>
    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var source: SourceOptions

    package static let outputHelp = ArgumentHelp(
        "Write the index to this file, with {name} and {ext} for several, into this folder, or to standard output (-).",
        valueName: "file")

    package var resumes: Bool { destination.resume }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        grants.add(results: destination.output, usual: "{name}-index.{ext}", of: file)
    }

    package func validate() throws {
        try destination.validate(fileCount: source.named.count, json: report.json)
        guard format != .torchcodec || (tracks?.numbers.count ?? 1) == 1 else {
            throw ValidationError("torchcodec takes one track.")
        }
    }

    package init() {}
}
