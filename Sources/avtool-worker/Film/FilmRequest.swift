internal import AVToolCommands
internal import Foundation
internal import MediaFile
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
        let (width, height) = try sides()
        let length = CMTimeMultiply(pictureDuration, multiplier: Int32(clamping: images.count))
        let soundSource = try sound.map { try MediaSource(file: $0, limits: limits).asset() }
        try await MediaWriter.write(to: place, fileType: fileType, limits: limits) { writer in
            var settings = MediaWriter.Pictures(codec: coding, width: width, height: height, bitRate: bitRate)
            settings.frameRate = min(1000, max(0.01, 1 / pictureDuration.seconds))
            let pictures = try writer.addPictures(settings)
            let track = try soundSource.map { _ in try writer.addSound(soundSettings) }
            try writer.start()
            var heard = soundSource.map {
                $0.sound(in: CMTimeRange(start: .zero, duration: length)).makeAsyncIterator()
            }
            /// When the sound ends that was brought; the first of it comes before all pictures, for the file's header.
            var soundEnd = CMTime.zero
            for (index, path) in images.enumerated() {
                let time = CMTimeMultiply(pictureDuration, multiplier: Int32(clamping: index))
                while soundEnd <= time, let piece = try await heard?.next() {
                    try await track?.append(piece)
                    soundEnd = piece.time + CMTime(value: 1, timescale: 1000)
                }
                if heard != nil, soundEnd == .zero {
                    try await track?.finish()
                    heard = nil
                }
                try await pictures.append(try picture(path).makePixelBuffer(), at: time)
                work.progress(Double(index + 1) / Double(images.count), "")
            }
            try await pictures.finish(at: length)
            while let piece = try await heard?.next() { try await track?.append(piece) }
            if heard != nil { try await track?.finish() }
        }
        guard !output.isStandardOutput else { return FileReport() }
        let document = JSONFilm(
            file: place.path, pictures: images.count, width: width, height: height, duration: JSONTime(length: length))
        let count = images.count == 1 ? "1 picture" : "\(images.count) pictures"
        return FileReport(
            document: document,
            lines: ["\(place.path.oneLine): \(count), \(width)x\(height), \(length.secondsText()) s"])
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
    private func sides() throws -> (Int, Int) {
        if let size { return (size.width, size.height) }
        let first = try picture(images[0])
        return (max(2, first.width / 2 * 2), max(2, first.height / 2 * 2))
    }

    /// A picture, upright and opaque.
    private func picture(_ path: String) throws -> CGImage {
        let options =
            [kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceCreateThumbnailWithTransform: true]
            as NSDictionary
        guard FileManager.default.exists(path) else { throw Failure(.noSuchInput, "\(path.oneLine): no such file") }
        guard let source = CGImageSourceCreateWithURL(NSURL(fileURLWithPath: path), nil),
            let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options)
        else { throw Failure(.notAPicture, "\(path.oneLine) is no picture that can be read") }
        return image.hasAlpha ? image.composited(over: .black) : image
    }
}
