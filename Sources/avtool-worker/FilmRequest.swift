internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A film that was made of pictures, as JSON has it.
struct JSONFilm: ResultDocument {
    let file: String
    let pictures: Int
    let width: Int
    let height: Int
    let duration: JSONTime?
}

/// Pictures of which a film is to be made.
struct FilmRequest {
    let images: [String]
    /// How long each is shown.
    let pictureDuration: CMTime
    let sound: String?
    let size: StillSize?
    let codec: FilmCodec
    let bitRate: Int?
    let limits: MediaLimits
    let fileType: AVFileType
    let output: ResultPlace

    func run(in work: Work<JSONFilm>) async throws -> FileReport<JSONFilm> {
        let place = try work.files.output(output)
        let first = try await picture(images[0])
        let (width, height) = sides(of: first)
        let length = time(ofPicture: images.count)
        var heard: FilmSound?
        if let sound { heard = try await FilmSound(sound, of: length, limits) }
        let piece = try await heard?.next()
        try await MediaWriter.write(to: place, fileType: fileType, limits: limits) { writer in
            var settings = MediaWriter.Pictures(codec: coding, width: width, height: height, bitRate: bitRate)
            settings.frameRate = min(1000, max(0.01, 1 / pictureDuration.seconds))
            let pictures = try writer.addPictures(settings)
            let track = try piece.map { _ in try writer.addSound(soundSettings) }
            try writer.start()
            // The first sound comes before all pictures: the file's header tells of it.
            if let piece { try await track?.append(piece) }
            try await write(first, to: pictures, with: heard, to: track, work)
            try await pictures.finish(at: length)
        }
        guard !output.isStandardOutput else { return FileReport() }
        let document = JSONFilm(
            file: place.path, pictures: images.count, width: width, height: height, duration: JSONTime(length: length))
        let count = images.count == 1 ? "1 picture" : "\(images.count) pictures"
        return FileReport(
            document: document,
            lines: ["\(place.path.oneLine): \(count), \(width)x\(height), \(length.secondsText()) s"])
    }

    /// Brings pictures and sound by turns.
    private func write(
        _ first: CGImage, to pictures: MediaWriter.PictureTrack, with heard: FilmSound?,
        to track: MediaWriter.SoundTrack?, _ work: Work<JSONFilm>
    ) async throws {
        var heard = heard
        var next = try await heard?.next()
        for (index, path) in images.enumerated() {
            while let piece = next, piece.time <= time(ofPicture: index) {
                try await track?.append(piece)
                next = try await heard?.next()
            }
            let image = index == 0 ? first : try await picture(path)
            try await pictures.append(try image.makePixelBuffer(), at: time(ofPicture: index))
            work.progress(Double(index + 1) / Double(images.count), "")
        }
        while let piece = next {
            try await track?.append(piece)
            next = try await heard?.next()
        }
        try await track?.finish()
    }

    private func time(ofPicture index: Int) -> CMTime {
        CMTimeMultiply(pictureDuration, multiplier: Int32(clamping: index))
    }

    private var coding: AVVideoCodecType {
        switch codec {
        case .h264: .h264
        case .hevc: .hevc
        case .prores: .proRes422HQ
        }
    }

    private var soundSettings: MediaWriter.Sound {
        codec == .prores ? .init(format: kAudioFormatLinearPCM) : .init()
    }

    /// The film's size: as asked for, or that of the first picture without a column or row too many for its chroma.
    private func sides(of first: CGImage) -> (Int, Int) {
        if let size { return (size.width, size.height) }
        return (max(2, first.width / 2 * 2), max(2, first.height / 2 * 2))
    }

    /// A picture, upright and opaque.
    private func picture(_ path: String) async throws -> CGImage {
        try await FailureOfFile.naming(path) {
            if let source = CGImageSource(MediaInput(SourceFile.url(path).path, access: WorkerFiles.access)),
                CGImageSourceGetType(source) == nil
            {
                throw Failure(.notAPicture, "no picture that can be read")
            }
            let generator = AVAssetImageGenerator(asset: try MediaSource(file: path, limits: limits).asset())
            generator.appliesPreferredTrackTransform = true
            (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
            let image = try await generator.image(at: .zero).image
            return image.hasAlpha ? image.composited(over: .black) : image
        }
    }
}

/// The sound of a film of pictures, piece after piece.
private struct FilmSound {
    private let file: String
    private var pieces: AssetSound.Iterator

    init(_ file: String, of length: CMTime, _ limits: MediaLimits) async throws {
        self.file = file
        pieces = try await FailureOfFile.naming(file) {
            try MediaSource(file: file, limits: limits).asset()
                .sound(in: CMTimeRange(start: .zero, duration: length)).makeAsyncIterator()
        }
    }

    mutating func next() async throws -> SoundPiece? {
        do { return try await pieces.next() } catch is CancellationError { throw CancellationError() } catch {
            throw FailureOfFile(file: file, failure: Failure(error))
        }
    }
}

extension FilmCommand: FileWorking {
    func prepared() throws -> FileWork<JSONFilm> {
        let naming = try ResultNaming(destination.output, default: "{name}.mp4", count: 1)
        let named = naming.filenameExtension
        let usual = codec == .prores ? AVFileType.mov : .mp4
        let type = named.isEmpty ? usual : AVFileType(filenameExtension: named)
        guard let fileType = type, fileType.isWritable, !fileType.holdsSoundOnly else {
            throw Failure(.usage, "no kind of film has the extension '\(named)'")
        }
        let duration =
            try each?.time()
            ?? rate.map { CMTime(value: Int64($0.denominator), timescale: $0.numerator) }
            ?? CMTime(value: 1, timescale: 25)
        return { file, work in
            try await FilmRequest(
                images: images, pictureDuration: duration, sound: sound, size: size, codec: codec,
                bitRate: bitRate.map { Int($0.value) }, limits: bounds.limits, fileType: fileType,
                output: naming.place(
                    source: file, filenameExtension: fileType.preferredFilenameExtension, replaces: destination.force)
            ).run(in: work)
        }
    }
}
