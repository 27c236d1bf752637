package import ArgumentParser
package import MediaIO

/// `avtool film`: films of pictures.
package struct FilmCommand: FileCommand, Writing, Bounded, Reporting {
    package static let configuration = CommandConfiguration(
        commandName: "film",
        abstract: "Make a film of pictures, with sound if there is some.",
        usage: "avtool film [--rate <n>] [<options>] -o <file> <images> ...",
        discussion: """
            Pictures are shown in the order in which they are named, upright as cameras say, each as long as the others. \
            The first one sets the size unless --size does; others are fitted into it, with black beside them. What is \
            seen through is black.

            Sound is that of a file of its own; it begins with the first picture and ends with the last one at the \
            latest.

            Examples:
              avtool film --rate 25 -o out.mp4 frame-*.png
              avtool film --each 3s --sound song.mp3 --size 1920x1080 -o show.mp4 *.jpg
              avtool film --rate 30000/1001 --codec prores -o master.mov render/*.png
            """)

    @Option(help: ArgumentHelp("Pictures in a second: 25, 29.97 or 30000/1001; 25 if not given.", valueName: "n"))
    package var rate: PictureRate?

    @Option(help: ArgumentHelp("How long each picture is shown, instead of --rate.", valueName: "duration"))
    package var each: Written<Length>?

    @Option(help: ArgumentHelp("The sound: a media file.", valueName: "file"), completion: .file())
    package var sound: String?

    @Option(help: ArgumentHelp("Size of the film, even; that of the first picture if not given.", valueName: "WxH"))
    package var size: StillSize?

    @Option(help: "How pictures are coded.")
    package var codec = FilmCodec.h264

    @Option(
        help: ArgumentHelp(
            "Bits a second for pictures, such as 4M; as many as are hard to tell from the pictures if not given.",
            valueName: "rate"))
    package var bitRate: BitRate?

    @OptionGroup package var destination: OutputOptions<Self>
    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var bounds: LimitOptions

    @Argument(help: ArgumentHelp("The pictures, in their order.", valueName: "images"), completion: .file())
    package var images: [String]

    package static let outputHelp = ArgumentHelp("Name of the film; or - for standard output.", valueName: "file")
    package static let resumeHelp = ArgumentHelp("Of use for many files only.", visibility: .hidden)

    /// The first one stands for all: there is one result.
    package var files: [String] { Array(images.prefix(1)) }
    package var json: Bool { report.json }
    package var otherInputs: [String?] { images.dropFirst().map { $0 } + [sound] }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        grants.add(results: destination.output, usual: "{name}.mp4", of: file)
    }

    package func validate() throws {
        guard destination.output != nil else { throw ValidationError("The film needs a name: -o out.mp4.") }
        guard rate == nil || each == nil else { throw ValidationError("Give one of --rate and --each.") }
        try each?.validate(aboveZero: "--each")
        if let objection = SourceFile.objection(to: images) { throw ValidationError(objection) }
        guard !images.contains("-") else { throw ValidationError("Pictures come from files, not from standard input.") }
        if let size {
            guard [size.width, size.height].allSatisfy({ $0 >= 2 && $0 <= 16384 && $0.isMultiple(of: 2) }) else {
                throw ValidationError("--size takes even sides from 2 to 16384.")
            }
        }
        if let bitRate, !(10_000...1_000_000_000).contains(bitRate.value) {
            throw ValidationError("--bit-rate takes 10k to 1000M.")
        }
        guard !destination.resume else { throw ValidationError("--resume is of use for many files only.") }
        try destination.validate(fileCount: 1, json: json)
    }

    package init() {}
}

/// How the pictures of a film are coded.
package enum FilmCodec: String, CaseIterable, Sendable, ExpressibleByArgument {
    case h264, hevc, prores
}

/// How many pictures come in a second, as a fraction.
package struct PictureRate: ExpressibleByArgument, Sendable {
    /// Pictures in as many seconds as `denominator`.
    package let numerator: Int32
    package let denominator: Int32

    package init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let numerator = Int32(parts[0]), let denominator = Int32(parts[1]) {
            self.init(numerator, denominator)
            return
        }
        guard parts.count == 1, let rate = Double(argument), rate.isFinite, rate > 0, rate <= 1000 else { return nil }
        // What television calls 29.97 is 30000/1001.
        let whole = (rate * 1.001).rounded()
        let isSlowed = Self.slowed.contains(whole) && abs(whole / 1.001 - rate) < 0.005 && rate != rate.rounded()
        self.init(
            isSlowed ? Int32(whole) * 1000 : Int32((rate * 1000).rounded()), isSlowed ? 1001 : 1000)
    }

    /// The rates that television shows a thousandth slower.
    private static let slowed: Set<Double> = [24, 30, 48, 60, 72, 96, 120, 240]

    private init?(_ numerator: Int32, _ denominator: Int32) {
        guard numerator > 0, denominator > 0, Double(numerator) / Double(denominator) <= 1000 else { return nil }
        (self.numerator, self.denominator) = (numerator, denominator)
    }
}
