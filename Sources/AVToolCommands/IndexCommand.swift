package import ArgumentParser
internal import Foundation
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

/// How an index of frames is written.
package enum IndexFormat: String, CaseIterable, ExpressibleByArgument {
    /// JSON Lines: `docs/index-format.md`.
    case jsonl
    /// `custom_frame_mappings` of torchcodec: the shown frames of one video track.
    case torchcodec

    package var filenameExtension: String {
        switch self {
        case .jsonl: "jsonl"
        case .torchcodec: "json"
        }
    }
}

/// Where a command that needs frames at random finds out where they lie.
package struct IndexOptions: ParsableArguments, RunOptions {
    @Option(
        help: ArgumentHelp(
            """
            Go by this index, which 'avtool index' has made of the film: saves a pass over films whose format has no index. \
            {name} stands for the film's name; a folder has {name}-index.jsonl.
            """, valueName: "file"))
    var index: String?

    @Option(
        help: ArgumentHelp(
            """
            Keep such indexes in this folder, and use those that are there; 'auto' is avtool/index in XDG_CACHE_HOME or \
            ~/.cache.
            """, valueName: "folder"))
    var cache: String?

    /// The index of a film, which the command line names.
    func index(of file: String) -> String? {
        guard let index else { return nil }
        let base = SourceFile.baseName(file)
        var isFolder: ObjCBool = false
        let isInFolder =
            index.hasSuffix("/")
            || FileManager.default.fileExists(atPath: index, isDirectory: &isFolder) && isFolder.boolValue
        let pattern = isInFolder ? "\(index)/{name}-index.jsonl" : index
        return pattern.replacingOccurrences(of: "{name}", with: base.isEmpty ? "untitled" : base)
    }

    /// Where an index of a film is kept; `nil` if none is, or if the film cannot be told from others.
    ///
    /// - Parameter open: Opens the file by its path.
    func cached(_ file: String, open: (String) -> RandomAccessFile? = { RandomAccessFile(path: $0) }) -> String? {
        guard let folder = cacheFolder, file != SourceFile.standardInput, let opened = open(SourceFile.url(file).path),
            let identity = FilmIdentity(opened)
        else { return nil }
        return "\(folder)/\(identity.digest).jsonl"
    }

    private var cacheFolder: String? {
        guard cache == "auto" else { return cache }
        return UserFolders.cache.map { "\($0)/avtool/index" }
    }

    /// Lets indexes be read and kept.
    func add(to grants: inout FileGrants, for file: String) {
        if let index = index(of: file) { grants.add(input: index) }
        if let cached = cached(file) { grants.kept.formUnion([cached, SourceFile.url(cached).path]) }
    }

    package func validate() throws {
        guard index == nil || cache == nil else { throw ValidationError("Give one of --index and --cache.") }
        guard index?.isEmpty != true, cache?.isEmpty != true else {
            throw ValidationError("--index and --cache take a name.")
        }
    }

    package init() {}
}
