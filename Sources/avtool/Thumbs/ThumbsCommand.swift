internal import ArgumentParser
internal import Foundation
internal import MediaPreviews
internal import OpenAVFoundation

/// `avtool thumbs`: exact stills.
struct ThumbsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbs",
        abstract: "Write still images of the frames shown at given times.",
        discussion: """
            The frame shown at a time is the one with the greatest presentation time at or before it. Each result line \
            names the requested time, the frame's own time and the file. A picture that cannot be decoded undamaged is \
            an error, not a grey image.

            Names land in the working directory: movie-1.png, movie-2.png and so on. An existing file is never \
            replaced without --force.
            """)

    @OptionGroup var source: SourceOptions

    @Option(parsing: .unconditional, help: .timeList("Times"))
    var at: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("One still for each such stretch of time, from 0 on.", valueName: "duration"))
    var every: String?

    @Option(
        help: ArgumentHelp(
            "So many stills, spread evenly over the time with pictures: each in the middle of its share.",
            valueName: "n"))
    var count: Int?

    @Flag(help: "One still for each sync sample.")
    var keyframes = false

    @OptionGroup var part: PartOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Take a sync sample that lies no further from the requested time than this: faster. Exact if not given.",
            valueName: "duration"))
    var tolerance: String?

    @OptionGroup var scenes: SceneStillOptions
    @OptionGroup var representation: RepresentativeOptions

    @OptionGroup var tracks: TrackOptions
    @OptionGroup var covers: CoverOptions
    @OptionGroup var shape: StillShapeOptions

    @Option(help: "png, jpeg, webp or avif; if not given, what the names given with -o end in, or png.")
    var format: PreviewImageFormat?

    @Option(help: ArgumentHelp("Quality of JPEG, WebP and AVIF from 1 to 100.", valueName: "n"))
    var quality = 85

    @Flag(help: "Keep HDR as it is, in PNG of 16 bits or AVIF of 10, instead of mapping it to SDR.")
    var hdr = false

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Name of the results, with {name}, {index}, {requested}, {actual}, {size}, {width}, {height} and {ext}; a folder; or - for standard output.",
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
        guard
            [at != nil, every != nil, count != nil, keyframes, scenes.scenes, covers.cover].count(where: { $0 }) == 1
        else {
            throw ValidationError("Give one of --at, --every, --count, --keyframes, --scenes and --cover.")
        }
        try part.validate(withTimes: at)
        if covers.cover { try validateCovers() }
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
        guard !hdr || shape.background == nil else { throw ValidationError("Give one of --hdr and --background.") }
    }

    private func validateCovers() throws {
        guard tolerance == nil, !representation.representative else {
            throw ValidationError("--cover goes with neither --tolerance nor --representative.")
        }
        guard !part.isGiven else { throw ValidationError("--cover takes no part of a film: no --from and --to.") }
        if case .auto = shape.crop { throw ValidationError("--crop auto looks at the film, which --cover does not.") }
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
        if covers.cover { return try await writeCovers(of: file, as: format, files) }
        let asset = source.asset(file, track: tracks.track, readsPipesWhole: needsWholePipe)
        let shots = scenes.scenes ? try await scenes.find(in: asset, file: file) : nil
        let requests = try await requestedTimes(of: asset, shots)
        let times = requests.times
        if let warning = try await asset.loadAlphaWarning() { Console.error("avtool: \(file.oneLine): \(warning)") }
        let pattern = try pattern(default: "{name}-{index}", stills: requests.count)
        guard pattern.contains("{index}", "{requested}", "{actual}") || requests.count == 1 else {
            throw Failure(.usage, "usage", "several stills need {index}, {requested} or {actual} in the name")
        }
        for failure in requests.failures {
            try report(failure.error, of: file, index: failure.index, requested: .text(failure.text), &failures)
        }
        guard !times.isEmpty else { return }
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        let tolerance = try tolerance.map { try DurationExpression.parse($0) } ?? .zero
        generator.requestedTimeToleranceBefore = tolerance
        generator.requestedTimeToleranceAfter = tolerance
        generator.allowsDamagedPictures = allowDamaged
        generator.dynamicRangePolicy = hdr ? .matchSource : .forceSDR
        if representation.representative {
            generator.representativeWindow = AVAssetImageGenerator.representativeWindow(
                min(try representation.wantedWindow(), shots?.reach ?? .positiveInfinity), for: times)
        }
        let crop = try await shape.apply(to: generator)
        let writer = StillWriter(
            source: file, pattern: pattern, indices: requests.indices, width: String(requests.count).count,
            format: format, quality: quality, replaces: force, background: shape.background?.color, crop: crop,
            files: files)
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

    /// Whether a pipe is to be read to its end first: not for times near its beginning.
    private var needsWholePipe: Bool {
        guard let at else { return true }
        return !at.split(separator: ",").allSatisfy { time in
            Double(time.trimmingCharacters(in: .whitespaces)).map { $0 >= 0 && $0 <= 60 } ?? false
        }
    }

    private func writeCovers(of file: String, as format: PreviewImageFormat, _ files: RunFiles) async throws {
        let generator = AVAssetImageGenerator(asset: source.asset(file))
        generator.appliesPreferredTrackTransform = true
        generator.allowsDamagedPictures = allowDamaged
        let crop = try await shape.apply(to: generator)
        let pictures = try await generator.attachedPictures(trackID: tracks.track)
        let isOne = pictures.count == 1
        let pattern = try pattern(default: isOne ? "{name}-cover" : "{name}-cover-{index}", stills: pictures.count)
        guard pattern.contains("{index}") || isOne else {
            throw Failure(.usage, "usage", "several embedded pictures need {index} in the name, or --track")
        }
        let writer = StillWriter(
            source: file, pattern: pattern, width: String(pictures.count).count, format: format, quality: quality,
            replaces: force, background: shape.background?.color, crop: crop, files: files)
        try CoverStills(writer: writer, json: json).write(pictures)
    }

    private func chosenFormat() throws -> PreviewImageFormat {
        let format = try PreviewImageFormat(format, output: output, try pattern(default: "{name}-{index}", stills: 1))
        guard !hdr || format.holdsHDR else { throw Failure(.usage, "usage", "--hdr needs --format png or avif") }
        return format
    }

    /// The names of one file's stills.
    ///
    /// - Throws: A failure if several sizes of a still would get one name.
    private func pattern(default name: String, stills: Int) throws -> OutputPattern {
        let sizes = max(1, shape.size.count)
        let pattern = try OutputPattern(
            output, default: name + (sizes > 1 ? "-{size}.{ext}" : ".{ext}"), count: stills * sizes * source.files.count
        )
        guard sizes == 1 || pattern.contains("{size}", "{width}", "{height}") else {
            throw Failure(.usage, "usage", "several sizes need {size}, {width} or {height} in the name")
        }
        return pattern
    }

    /// Writes one still in all its sizes and says so.
    private func report(
        _ result: Stills<[EncodedStill]>.Element, writer: StillWriter, failures: inout FailureLog
    ) throws {
        do {
            for still in try result.get() {
                let path = try writer.write(still)
                guard !writer.pattern.isStandardOutput else { continue }
                try json ? JSONLine.print(still.json(file: path)) : Console.print(still.line(file: path))
            }
        } catch {
            if Failure(error).code == .interrupted { throw CancellationError() }
            let request = result.request
            let failure = try report(
                error, of: writer.source, index: writer.indices[request.index],
                requested: .time(JSONTime(request.time)),
                &failures)
            // What no later still can escape ends the file.
            if failure.name == "cannotCreate" { throw FileEnded() }
        }
    }

    /// Says that a still cannot be had.
    @discardableResult
    private func report(
        _ error: any Error, of file: String, index: Int, requested: JSONRequest, _ failures: inout FailureLog
    ) throws -> Failure {
        let failure = try failures.report(error, file: file)
        if json {
            try JSONLine.print(
                JSONFailedStill(source: file, index: index + 1, requested: requested, error: JSONError(failure)))
        }
        return failure
    }

    private func requestedTimes(of asset: AVURLAsset, _ shots: SceneList?) async throws -> RequestedTimes {
        let description = try await asset.loadDescription()
        guard description.videoTrack != nil else {
            throw AVError(.noSourceTrack, reason: "the file has no video track")
        }
        let range = try await part.range(of: asset, description)
        if let shots {
            let times = shots.middles.filter { range?.containsTime($0) ?? true }
            guard !times.isEmpty else { throw AVError(.noImageAtTime, reason: "no shot lies in that part") }
            return RequestedTimes(times)
        }
        if keyframes {
            let times = try await asset.loadSyncSampleTimes().filter { range?.containsTime($0) ?? true }
            guard range == nil || !times.isEmpty else {
                throw AVError(.noImageAtTime, reason: "no sync sample lies in that part")
            }
            return RequestedTimes(times)
        }
        if let every {
            let times = try Self.times(
                every: DurationExpression.parse(every), until: range?.duration ?? description.duration)
            return RequestedTimes(times.map { (range?.start ?? .zero) + $0 })
        }
        if let count { return RequestedTimes(try description.evenTimes(count, in: range)) }
        return RequestedTimes(try await asset.loadTimes(at ?? ""))
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
}

extension StillStatistics {
    func line(file: String) -> String {
        "\(file.oneLine): decoding entered \(entries) times; pictures decoded \(decoded), headers only \(headersOnly), "
            + "passed over \(skipped)"
    }
}

/// A file's remaining stills were given up; why was reported.
private struct FileEnded: Error {}

extension Stills<[EncodedStill]>.Element {
    /// Which request this is the result of.
    fileprivate var request: (index: Int, time: CMTime) {
        switch self {
        case .success(let stills): (stills.first?.index ?? 0, stills.first?.requestedTime ?? .invalid)
        case .failure(let failure): (failure.index, failure.requestedTime)
        }
    }
}
