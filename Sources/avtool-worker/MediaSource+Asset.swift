internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MediaSource {
    /// A new asset of the film.
    ///
    /// - Throws: If an index was named that is not one of this film.
    func asset() throws -> AVURLAsset {
        var options: [String: Any] = [
            AVURLAssetAllowedFormatsKey: allowedFormats,
            AVURLAssetAllowsNetworkAccessKey: allowsNetwork,
            AVURLAssetRefusesTornEndsKey: refusesTornEnds,
            AVURLAssetPreferPreciseDurationAndTimingKey: isPrecise,
            AVURLAssetReadsPipesWholeKey: readsPipesWhole,
            AVURLAssetLimitsKey: limits,
            AVURLAssetFileAccessKey: WorkerFiles.access,
        ]
        if let track { options[AVURLAssetVideoTrackIDKey] = track }
        if let index {
            let url = SourceFile.url(index)
            guard FileManager.default.fileExists(atPath: url.path) else {
                throw Failure(.noSuchInput, "there is no index \(index)")
            }
            let read = try FrameIndexFile(path: url.path, limits: limits, access: WorkerFiles.access)
            try read.checkFits(FileFingerprint(ofSource: file))
            options[AVURLAssetFrameIndexKey] = read
        }
        if let cachedIndex { options[AVURLAssetFrameIndexCacheKey] = SourceFile.url(cachedIndex) }
        return AVURLAsset(url: SourceFile.url(file), options: options)
    }
}

extension FileFingerprint {
    /// The fingerprint of a file as the command line has it; `nil` if it is none, or cannot be read.
    init?(ofSource file: String) {
        guard let file = MediaInput(SourceFile.url(file).path, access: WorkerFiles.access).file else { return nil }
        self.init(file)
    }
}

extension FilmPart {
    /// The part of a film; `nil` for all of it.
    ///
    /// - Throws: A failure if the part begins at or after its end or the film's.
    func range(of asset: AVURLAsset) async throws -> CMTimeRange? {
        guard from != nil || to != nil else { return nil }
        let duration = try await asset.loadDescription().duration
        let start = try await asset.loadTime(of: from?.get() ?? .start(plus: .zero))
        var end = duration.isNumeric ? duration : .positiveInfinity
        if start >= end {
            throw Failure(
                .invalidTime,
                "--from \(from?.text ?? "") lies beyond the end: the duration is \(end.secondsText()) s")
        }
        if let to { end = min(end, try await asset.loadTime(of: to.get())) }
        guard start < end else {
            throw Failure(.usage, "--from \(from?.text ?? "start") does not lie before --to \(to?.text ?? "end")")
        }
        return CMTimeRange(start: start, end: end)
    }
}

/// A document that a command reads beside its media: chapters, metadata.
enum InputDocument {
    /// Nobody writes more by hand, and a pipe may never end.
    private static let limit = 64 << 20

    /// The bytes of a file, a pipe or a process substitution; `-` is standard input.
    static func read(_ path: String) throws -> Data {
        do {
            return Data(try WholeFile.read(path, limit: limit, access: WorkerFiles.access))
        } catch .tooLarge {
            throw Failure(.limit, "\(path): is larger than \(limit >> 20) MiB, which no such document is")
        } catch .system(let code) {
            throw Failure(.noSuchInput, "\(path): \(code == ENOENT ? "no such file" : "cannot be read")")
        }
    }
}

extension PreviewImageFormat {
    /// The format of pictures: what was asked for by name, else what their names end in.
    ///
    /// - Parameters:
    ///   - wanted: What was asked for by name.
    ///   - output: The names as they were given.
    ///   - pattern: What was made of them.
    /// - Throws: A failure if the names end in what the pictures are not.
    init(_ wanted: PreviewImageFormat?, output: String?, _ pattern: ResultNaming) throws {
        let filenameExtension = pattern.filenameExtension
        let named = PreviewImageFormat(filenameExtension: filenameExtension)
        if !filenameExtension.isEmpty, wanted == nil, named == nil {
            let known = Self.allCases.flatMap { Set([$0.rawValue, $0.filenameExtension]).sorted() }
            throw Failure(
                .usage,
                "\(output ?? ""): .\(filenameExtension) is no kind of picture that can be made; known are "
                    + known.map { ".\($0)" }.joined(separator: ", "))
        }
        if let wanted, let named, named != wanted {
            throw Failure(
                .usage, "\(output ?? ""): .\(filenameExtension) is no filename extension of \(wanted.rawValue)")
        }
        self = wanted ?? named ?? .png
    }

    /// Whether PQ and HLG survive in it.
    var holdsHDR: Bool { self == .png || self == .avif }
}

extension StillShape {
    /// Sets up a generator of stills.
    ///
    /// - Returns: The part that is shown, if not all of the picture is.
    func apply(to generator: AVAssetImageGenerator) async throws -> PixelRect? {
        generator.sizes = sizes.map { PixelSize(width: $0.width, height: $0.height) }
        generator.fit = fit
        if let background { generator.backgroundColor = background.color }
        switch crop {
        case .auto: generator.cropRect = try await generator.contentRect()
        case .part(let part):
            generator.cropRect = PixelRect(x: part.x, y: part.y, width: part.width, height: part.height)
        case nil: generator.cropRect = nil
        }
        return generator.cropRect
    }
}
