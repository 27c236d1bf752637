internal import ArgumentParser
internal import Foundation
internal import MediaPreviews
internal import OpenAVFoundation

/// `avtool thumbs`: exact stills.
struct Thumbs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write still images of the frames shown at given times.",
        discussion: """
            The frame shown at a time is the one with the greatest presentation time at or before it. Each result line \
            names the requested time, the frame's own time and the file. A picture that cannot be decoded undamaged is \
            an error, not a grey image.

            Names land in the working directory: movie-1.png, movie-2.png and so on. An existing file is never \
            replaced without --force.
            """)

    @OptionGroup var source: SourceOptions

    @Option(
        help: ArgumentHelp("Times, separated by commas: 0,1.5,00:01:02.5,1/3,25%,#120,end-2s,end.", valueName: "list"))
    var at: String?

    @Option(help: ArgumentHelp("One still for each such stretch of time, from 0 on.", valueName: "duration"))
    var every: String?

    @Option(help: ArgumentHelp("So many stills, spread evenly: each in the middle of its share.", valueName: "n"))
    var count: Int?

    @Flag(help: "One still for each sync sample.")
    var keyframes = false

    @Option(
        help: ArgumentHelp(
            "Take a sync sample that lies no further from the requested time than this: faster. Exact if not given.",
            valueName: "duration"))
    var tolerance: String?

    @OptionGroup var representation: RepresentativeOptions

    @Option(
        help: ArgumentHelp("Fit into this box, aspect kept, never enlarged; 0 leaves a side free.", valueName: "WxH"))
    var size: StillSize?

    @Option(help: "png, jpeg, webp or avif; if not given, what the names given with -o end in, or png.")
    var format: PreviewImageFormat?

    @Option(help: ArgumentHelp("Quality of JPEG, WebP and AVIF from 1 to 100.", valueName: "n"))
    var quality = 85

    @Flag(help: "Keep HDR as it is, in PNG of 16 bits or AVIF of 10, instead of mapping it to SDR.")
    var hdr = false

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Name of the results, with {name}, {index}, {requested}, {actual} and {ext}; a folder; or - for standard output.",
            valueName: "pattern"))
    var output: String?

    @Flag(help: "Print JSON Lines, one object for each still.")
    var json = false

    @Flag(help: "Say on standard error how many pictures were decoded.")
    var statistics = false

    @Flag(help: "Replace existing files.")
    var force = false

    @Flag(help: "Deliver damaged pictures too, marked as damaged.")
    var allowDamaged = false

    func validate() throws {
        guard [at != nil, every != nil, count != nil, keyframes].count(where: { $0 }) == 1 else {
            throw ValidationError("Give one of --at, --every, --count and --keyframes.")
        }
        do {
            if let at { _ = try TimeExpression.parseList(at) }
            if let tolerance { _ = try DurationExpression.parse(tolerance) }
            if let every, try DurationExpression.parse(every) <= .zero {
                throw ValidationError("--every takes a duration above zero.")
            }
        } catch let error as TimeExpressionError {
            throw ValidationError(error.description)
        }
        if let count, !(1...100_000).contains(count) { throw ValidationError("--count takes 1 to 100000.") }
        guard (1...100).contains(quality) else { throw ValidationError("--quality takes 1 to 100.") }
        guard !representation.representative || tolerance == nil else {
            throw ValidationError("--representative goes with --window, not with --tolerance.")
        }
    }

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.runAll() }
    }

    private func runAll() async throws {
        let format = try chosenFormat()
        var failures = FailureLog()
        let files = RunFiles(of: source.files)
        for file in source.files where !Interruption.isRequested {
            do {
                try await writeStills(of: file, as: format, failures: &failures, files)
            } catch is FileEnded {
                continue
            } catch {
                let failure = try failures.report(error, file: file)
                if json { try JSONLine.print(JSONFailedSource(source: file, error: JSONError(failure))) }
            }
        }
        try failures.exitIfNeeded()
    }

    private func writeStills(
        of file: String, as format: PreviewImageFormat, failures: inout FailureLog, _ files: RunFiles
    ) async throws {
        let asset = source.asset(file)
        let times = try await requestedTimes(of: asset)
        let pattern = try pattern(stillCount: times.count * source.files.count)
        guard pattern.contains("{index}", "{requested}", "{actual}") || times.count == 1 else {
            throw Failure(.usage, "usage", "several stills need {index}, {requested} or {actual} in the name")
        }
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        let tolerance = try tolerance.map { try DurationExpression.parse($0) } ?? .zero
        generator.requestedTimeToleranceBefore = tolerance
        generator.requestedTimeToleranceAfter = tolerance
        generator.allowsDamagedPictures = allowDamaged
        generator.dynamicRangePolicy = hdr ? .matchSource : .forceSDR
        if representation.representative {
            generator.representativeWindow = AVAssetImageGenerator.representativeWindow(
                try representation.wantedWindow(), for: times)
        }
        if let size { generator.maximumSize = CGSize(width: size.width, height: size.height) }
        let writer = StillWriter(
            source: file, pattern: pattern, width: String(times.count).count, format: format, quality: quality,
            replaces: force, files: files)
        try writer.checkNames(for: times)
        var done = 0
        for await result in generator.stills(for: times, process: writer.encode) {
            try report(result, writer: writer, failures: &failures)
            done += 1
            Console.progress(file, Double(done) / Double(times.count))
        }
        if Interruption.isRequested { throw CancellationError() }
        if statistics { Console.error(generator.statistics.line(file: file)) }
    }

    private func chosenFormat() throws -> PreviewImageFormat {
        let format = try PreviewImageFormat(format, output: output, try pattern(stillCount: 1))
        guard !hdr || format.holdsHDR else { throw Failure(.usage, "usage", "--hdr needs --format png or avif") }
        return format
    }

    private func pattern(stillCount: Int) throws -> OutputPattern {
        try OutputPattern(output, default: "{name}-{index}.{ext}", count: stillCount)
    }

    /// Writes one still and says so.
    private func report(
        _ result: Stills<EncodedStill>.Element, writer: StillWriter, failures: inout FailureLog
    ) throws {
        do {
            let still = try result.get()
            let path = try writer.write(still)
            guard !writer.pattern.isStandardOutput else { return }
            if json {
                try JSONLine.print(still.json(file: path))
            } else {
                try Console.print(still.line(file: path))
            }
        } catch {
            if Failure(error).code == .interrupted { throw CancellationError() }
            let failure = try failures.report(error, file: writer.source)
            if json {
                let request = result.request
                try JSONLine.print(
                    JSONFailedStill(
                        source: writer.source, index: request.index + 1, requested: JSONTime(request.time),
                        error: JSONError(failure)))
            }
            // What no later still can escape ends the file.
            if failure.name == "cannotCreate" { throw FileEnded() }
        }
    }

    private func requestedTimes(of asset: AVURLAsset) async throws -> [CMTime] {
        let description = try await asset.loadDescription()
        guard let track = description.videoTrack else {
            throw AVError(.noSourceTrack, reason: "the file has no video track")
        }
        if keyframes { return try await asset.loadSyncSampleTimes() }
        if let every { return try Self.times(every: DurationExpression.parse(every), until: description.duration) }
        if let count { return try Self.times(count: count, of: description.duration, timescale: track.timescale) }
        return try await asset.loadTimes(at ?? "", duration: description.duration, timescale: track.timescale)
    }

    private static func times(every step: CMTime, until duration: CMTime) throws -> [CMTime] {
        guard duration.isNumeric else { throw Failure(.badInput, "noDuration", "the file does not tell its duration") }
        var times: [CMTime] = []
        var time = CMTime.zero
        while time < duration {
            times.append(time)
            guard times.count <= 1_000_000 else { throw Failure(.limit, "limitReached", "more than 1000000 stills") }
            time = time + step
        }
        return times.isEmpty ? [.zero] : times
    }

    private static func times(count: Int, of duration: CMTime, timescale: CMTimeScale) throws -> [CMTime] {
        try TimeExpression.middles(ofShares: count).map { middle in
            try middle.resolve(duration: duration, timescale: timescale) { _ in .invalid }
        }
    }
}

extension StillStatistics {
    func line(file: String) -> String {
        "\(file.oneLine): decoding entered \(entries) times; pictures decoded \(decoded), headers only \(headersOnly), "
            + "passed over \(skipped)"
    }
}

/// A file's remaining stills were given up; why was reported.
private struct FileEnded: Error {}

extension Stills<EncodedStill>.Element {
    /// Which request this is the result of.
    fileprivate var request: (index: Int, time: CMTime) {
        switch self {
        case .success(let still): (still.index, still.requestedTime)
        case .failure(let failure): (failure.index, failure.requestedTime)
        }
    }
}

/// The box that stills fit into.
struct StillSize: ExpressibleByArgument, CustomStringConvertible {
    let width: Int
    let height: Int

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    var description: String { "\(width)x\(height)" }

    init?(argument: String) {
        let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            (0...65535).contains(width), (0...65535).contains(height), width + height > 0
        else { return nil }
        (self.width, self.height) = (width, height)
    }
}
