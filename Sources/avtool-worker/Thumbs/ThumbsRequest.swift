internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A film of which stills are wanted.
struct ThumbsRequest: FileRequest {
    let source: MediaSource
    let choice: StillChoice
    let part: FilmPart
    /// The share of the stills that is wanted; `nil` for all.
    let piece: WorkPiece?
    /// How far a sync sample may lie from the time it is taken for; `nil` for none.
    let tolerance: Written<Length>?
    /// How far representative frames may lie from their times; `nil` where the very frames are wanted.
    let window: Written<Length>?
    let shape: StillShape
    let keepsHDR: Bool
    let allowsDamage: Bool
    let output: StillOutput
    /// Whether pixels that go to a program have a line before them.
    let wantsJSON: Bool
    /// Whether it is to be said how many pictures were decoded.
    let wantsStatistics: Bool

    func run(in work: Work<JSONStillDocument>) async throws -> FileReport<JSONStillDocument> {
        let asset = try source.asset()
        var shots: SceneList?
        if case .scenes(let method) = choice { shots = try await method.scenes(of: asset, work) }
        let all = try await choice.times(of: asset, in: part, shots)
        let requests = piece.map { RequestedTimes(all, $0) } ?? all
        if let warning = try await asset.loadAlphaWarning() { work.warn(warning) }
        let pattern = try output.naming.pattern("{name}-{index}", stills: requests.count)
        guard
            pattern.contains("{index}", "{requested}", "{actual}") || requests.count == 1
                || output.naming.streams
        else {
            throw Failure(.usage, "several stills need {index}, {requested} or {actual} in the name")
        }
        for failure in requests.failures {
            try report(Failure(failure.error), index: failure.index, requested: .text(failure.text), to: work)
        }
        guard !requests.times.isEmpty else { return end(requests.truncation, wasSaid: false) }
        let (generator, crop) = try await generator(of: asset, for: all.times, reach: shots?.reach)
        let writer = StillWriter(
            source: source.file, pattern: pattern, indices: requests.indices, width: String(requests.count).count,
            output: output, background: shape.background?.color, crop: crop, files: work.files)
        try writer.checkNames(for: requests.times)
        var done = 0
        for await result in generator.stills(for: requests.times, process: writer.encode) {
            guard try write(result, with: writer, work) else { return FileReport() }
            done += 1
            work.progress(Double(done) / Double(requests.times.count), "")
        }
        try Task.checkCancellation()
        // What is not known of the film's end is told once, by the last share.
        let isLast = piece.map { $0.index == $0.count - 1 } ?? true
        var report = end(isLast ? shots?.truncation ?? requests.truncation : nil, wasSaid: shots != nil)
        if wantsStatistics { report.notes.append(generator.statistics.text) }
        return report
    }

    /// What is said at the end: where a file is cut short, that stills may be missing that nothing tells the times of.
    private func end(_ truncation: String?, wasSaid: Bool) -> FileReport<JSONStillDocument> {
        guard let truncation else { return FileReport() }
        guard !allowsDamage else { return FileReport(warnings: wasSaid ? [] : [truncation]) }
        let failure = Failure(.truncated, truncation)
        return FileReport(
            document: .cut(JSONFailedSource(source: source.file, error: JSONError(failure))),
            failure: wasSaid ? nil : failure, flaw: failure)
    }

    /// What makes the stills, and the part of the pictures that they show.
    private func generator(
        of asset: AVURLAsset, for times: [CMTime], reach: CMTime?
    ) async throws -> (AVAssetImageGenerator, crop: PixelRect?) {
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        let tolerance = try tolerance?.time() ?? .zero
        generator.requestedTimeToleranceBefore = tolerance
        generator.requestedTimeToleranceAfter = tolerance
        generator.allowsDamagedPictures = allowsDamage
        generator.dynamicRangePolicy = keepsHDR ? .matchSource : .forceSDR
        if let window {
            generator.representativeWindow = AVAssetImageGenerator.representativeWindow(
                min(try window.time(), reach ?? .positiveInfinity), for: times)
        }
        return (generator, try await shape.apply(to: generator))
    }

    /// Writes one still in all its sizes and says so.
    ///
    /// - Returns: Whether others can follow: not where the reason of a failure is that of all.
    private func write(
        _ result: Stills<[EncodedStill]>.Element, with writer: StillWriter, _ work: Work<JSONStillDocument>
    ) throws -> Bool {
        do {
            for still in try result.get() {
                guard !output.naming.streams else {
                    try work.stream(try still.streamed(withHeader: wantsJSON))
                    continue
                }
                let path = try writer.write(still)
                guard !writer.pattern.isStandardOutput else { continue }
                try work.report(FileReport(document: .still(still.json(file: path)), lines: [still.line(file: path)]))
            }
            return true
        } catch {
            let failure = Failure(error)
            if failure.name == .cancelled { throw CancellationError() }
            let request = result.request(of: writer.indices)
            try report(failure, index: request.index, requested: .time(JSONTime(request.time)), to: work)
            return failure.name != .cannotCreate
        }
    }

    /// Says that a still cannot be had.
    private func report(
        _ failure: Failure, index: Int, requested: JSONRequest, to work: Work<JSONStillDocument>
    ) throws {
        try work.report(
            FileReport(
                document: .failed(
                    JSONFailedStill(
                        source: source.file, index: index + 1, requested: requested, error: JSONError(failure))),
                failure: failure))
    }
}

extension StillStatistics {
    fileprivate var text: String {
        "decoding entered \(entries) times; pictures decoded \(decoded), headers only \(headersOnly), "
            + "passed over \(skipped)"
    }
}

extension Stills<[EncodedStill]>.Element {
    /// Which of all requests this is the result of.
    ///
    /// - Parameter indices: The place of each time among all requests, which stills that were encoded know.
    fileprivate func request(of indices: [Int]) -> (index: Int, time: CMTime) {
        switch self {
        case .success(let stills): (stills.first?.index ?? 0, stills.first?.requestedTime ?? .invalid)
        case .failure(let failure): (indices[failure.index], failure.requestedTime)
        }
    }
}

extension ThumbsCommand: FileWorking {
    func prepared() throws -> FileWork<JSONStillDocument> {
        let naming = StillNaming(
            output: destination.output, sizeCount: shape.size.count, fileCount: fileCount, streams: streams)
        let pattern = try naming.pattern("{name}-{index}", stills: 1)
        if !pattern.isStream { try pattern.checkNamesDiffer(ofFiles: fileCount) }
        let format = try PreviewImageFormat(pictures.format?.picture, output: destination.output, pattern)
        guard !hdr || format.holdsHDR else { throw Failure(.usage, "--hdr needs --format png or avif") }
        return { file, work in
            let output = StillOutput(
                naming: naming, format: format, quality: pictures.quality, replaces: destination.force)
            guard !covers.cover else {
                return try await CoversRequest(
                    source: source.source(file), track: tracks.track, shape: shape.shape,
                    allowsDamage: damage.allowDamaged, output: output
                ).run(in: work)
            }
            return try await ThumbsRequest(
                source: source.source(
                    file, track: tracks.track, readsPipesWhole: needsWholePipe, indexes: indexes, open: WorkerFiles.open
                ),
                choice: choice,
                part: part.part, piece: piece, tolerance: tolerance, window: representation.wantedWindow(),
                shape: shape.shape,
                keepsHDR: hdr, allowsDamage: damage.allowDamaged, output: output, wantsJSON: json,
                wantsStatistics: statistics
            ).run(in: work)
        }
    }

    private var choice: StillChoice {
        if let method = scenes.method { return .scenes(method) }
        if keyframes { return .keyframes }
        if let every { return .every(every) }
        return at.map { .times($0) } ?? .even(count ?? 1)
    }

    /// Whether a pipe is to be read to its end first: not for times near its beginning.
    private var needsWholePipe: Bool {
        guard let at else { return true }
        return !at.text.split(separator: ",").allSatisfy { time in
            Double(time.trimmingCharacters(in: .whitespaces)).map { $0 >= 0 && $0 <= 60 } ?? false
        }
    }
}

/// A file whose embedded pictures are wanted as stills.
struct CoversRequest: FileRequest {
    let source: MediaSource
    /// The picture's track; all if `nil`.
    let track: Int32?
    let shape: StillShape
    let allowsDamage: Bool
    let output: StillOutput

    func run(in work: Work<JSONStillDocument>) async throws -> FileReport<JSONStillDocument> {
        let generator = AVAssetImageGenerator(asset: try source.asset())
        generator.appliesPreferredTrackTransform = true
        generator.allowsDamagedPictures = allowsDamage
        let crop = try await shape.apply(to: generator)
        let pictures = try await generator.attachedPictures(trackID: track)
        let isOne = pictures.count == 1
        let pattern = try output.naming.pattern(
            isOne ? "{name}-cover" : "{name}-cover-{index}", stills: pictures.count)
        guard pattern.contains("{index}") || isOne else {
            throw Failure(.usage, "several embedded pictures need {index} in the name, or --track")
        }
        let writer = StillWriter(
            source: source.file, pattern: pattern, width: String(pictures.count).count, output: output,
            background: shape.background?.color, crop: crop, files: work.files)
        for (index, picture) in pictures.enumerated() {
            for image in StillWriter.distinct(picture.images) {
                let path = writer.path(of: image, index: index)
                let file = try writer.write(try writer.data(of: image), to: path)
                guard !pattern.isStandardOutput else { continue }
                let cover = JSONCover(
                    source: source.file, index: index + 1, track: picture.trackID, width: image.width,
                    height: image.height, crop: crop.map { JSONCrop($0) }, file: file)
                try work.report(
                    FileReport(document: .cover(cover), lines: ["picture \(picture.trackID) → \(file.oneLine)"]))
            }
        }
        return FileReport()
    }
}

extension AVAsset {
    /// What is to be said where pictures are to be clear in parts and come out opaque.
    func loadAlphaWarning() async throws -> String? {
        guard try await loadDescription().videoTrack?.video?.hasUndecodedAlpha == true else { return nil }
        return "the alpha of HEVC cannot be decoded; the pictures are opaque"
    }
}
