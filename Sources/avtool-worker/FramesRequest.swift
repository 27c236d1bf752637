internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A film whose pictures go to another program.
struct FramesRequest {
    let source: MediaSource
    let part: FilmPart
    var options: PackedFrameOptions
    let format: FrameStreamFormat
    let output: ResultPlace
    /// Whether they go to standard output as they come.
    let streams: Bool
    /// Whether a line of JSON goes before each picture.
    let describesPictures: Bool

    func run(in work: Work<JSONFrames>) async throws -> FileReport<JSONFrames> {
        let asset = try source.asset()
        var options = options
        options.timeRange = try await part.range(of: asset)
        let target = streams ? nil : try PendingFile(for: work.files.output(output), limits: source.limits)
        var position: UInt64 = 0
        func write(_ bytes: [UInt8]) throws {
            guard let target else { return try work.stream(bytes) }
            try bytes.withUnsafeBytes { try target.write($0, at: position) }
            position += UInt64(bytes.count)
        }
        let duration = try await asset.load(.duration)
        var (count, first): (Int, PackedFrame?) = (0, nil)
        for try await frame in PackedFrames(of: asset, options) {
            if first == nil, frame.isResampled {
                let rate = frame.frameRate.map { Int((Double($0.0) / Double($0.1) * 1000).rounded()) } ?? 0
                work.warn(
                    "pictures come at no fixed rate: some are repeated or left out for \(rate.decimalText(decimals: 3)) a second"
                )
            }
            let text = try FrameStreamText(frame, format, after: first)
            first = first ?? frame
            count += 1
            if describesPictures, streams { try write(Array((JSONLine.text(line(frame, count, text)) + "\n").utf8)) }
            if let header = text.header { try write(header) }
            try write(text.bytes)
            if duration.isNumeric, duration > .zero { work.progress(frame.time.seconds / duration.seconds, "") }
        }
        guard let first else { throw Failure(.noImageAtTime, "there are no pictures there") }
        return try finish(first, count, target, work)
    }

    private func line(_ frame: PackedFrame, _ index: Int, _ text: FrameStreamText) -> JSONFrames {
        var line = JSONFrames(source: source.file, of: frame)
        line.byteCount = text.bytes.count
        (line.index, line.time) = (index, JSONTime(frame.time))
        (line.actual, line.duration) = (JSONTime(frame.presentationTime), JSONTime(length: frame.duration))
        return line
    }

    private func finish(
        _ first: PackedFrame, _ count: Int, _ target: PendingFile?, _ work: Work<JSONFrames>
    ) throws -> FileReport<JSONFrames> {
        guard let target else { return FileReport() }
        try target.complete(isSynced: true)
        var document = JSONFrames(source: source.file, of: first)
        (document.file, document.frames) = (output.path, count)
        let text =
            "\(output.path.oneLine): \(count == 1 ? "1 picture" : "\(count) pictures") of \(first.width)x\(first.height), "
            + "\(first.pixelFormat)"
        return FileReport(document: document, lines: [text])
    }
}

extension FramesCommand: FileWorking {
    func prepared() throws -> FileWork<JSONFrames> {
        let naming = try ResultNaming(destination.output, default: "{name}.{ext}", count: fileCount)
        try naming.checkNamesDiffer(ofFiles: fileCount)
        return { file, work in
            var options = PackedFrameOptions()
            (options.trackID, options.isStored) = (tracks.track, stored)
            options.interval = try every?.time()
            if let size {
                (options.width, options.height) = (
                    size.width > 0 ? size.width : nil, size.height > 0 ? size.height : nil
                )
            }
            options.pixelFormat = pixelFormat?.rawValue ?? (wanted == .png ? FrameSampleFormat.rgb24.rawValue : nil)
            (options.needsFixedRate, options.prefersLuma) = (wanted == .y4m, wanted == .y4m)
            options.wantsFullGrey = wanted == .raw
            options.allowsDamage = damage.allowDamaged
            return try await FramesRequest(
                source: source.source(file), part: part.part, options: options, format: wanted,
                output: naming.place(
                    source: file, filenameExtension: wanted.filenameExtension, replaces: destination.force),
                streams: streams, describesPictures: json
            ).run(in: work)
        }
    }
}

/// A picture as another program reads it from a pipe.
struct FrameStreamText {
    /// What goes before the first picture; `nil` for all others.
    var header: [UInt8]?
    let bytes: [UInt8]

    /// - Parameter first: The first picture, if this is not it: all have to be like it.
    init(_ frame: PackedFrame, _ format: FrameStreamFormat, after first: PackedFrame?) throws {
        if let first, format != .png {
            guard frame.width == first.width, frame.height == first.height, frame.pixelFormat == first.pixelFormat
            else {
                throw Failure(
                    .operationNotSupportedForAsset,
                    "at \(frame.time.secondsText()) s pictures become \(frame.width)x\(frame.height) \(frame.pixelFormat), "
                        + "which \(format.rawValue) cannot say; --size and --pixel-format keep them alike")
            }
        }
        switch format {
        case .raw: bytes = frame.bytes
        case .png: bytes = try Self.png(frame)
        case .y4m:
            if first == nil { header = Array(try Self.header(frame).utf8) }
            bytes = Array("FRAME\n".utf8) + frame.bytes
        }
    }

    /// Source: yuv4mpeg(5) of MJPEG tools, with FFmpeg's names for deep samples.
    private static func header(_ frame: PackedFrame) throws -> String {
        let names = [
            "yuv420p": "420mpeg2", "yuv422p": "422", "yuv444p": "444", "gray": "mono",
            "yuv420p10le": "420p10", "yuv422p10le": "422p10", "yuv444p10le": "444p10",
        ]
        let samples = frame.pixelFormat.replacingOccurrences(of: "yuvj", with: "yuv")
        guard var name = names[samples], let rate = frame.frameRate else {
            throw Failure(
                .operationNotSupportedForAsset,
                "y4m has no name for pictures of \(frame.pixelFormat); give --pixel-format yuv420p or the like")
        }
        let deep = frame.pixelFormat.hasSuffix("10le") ? " XYSCSS=\(name.uppercased())" : ""
        let (across, down) = frame.sampleAspect
        if frame.isFullRange, name == "420mpeg2" { name = "420jpeg" }
        let fields = frame.isInterlaced ? (frame.isTopFieldFirst ? "t" : "b") : "p"
        return
            "YUV4MPEG2 W\(frame.width) H\(frame.height) F\(rate.0):\(rate.1) I\(fields) A\(across):\(down) C\(name)\(deep)"
            + " XCOLORRANGE=\(frame.isFullRange ? "FULL" : "LIMITED")\n"
    }

    private static func png(_ frame: PackedFrame) throws -> [UInt8] {
        let isDeep = frame.pixelFormat == FrameSampleFormat.rgb48le.rawValue
        guard
            let image = CGImage(
                width: frame.width, height: frame.height,
                hasAlpha: frame.pixelFormat == FrameSampleFormat.rgba.rawValue,
                pixels: frame.bytes, bitsPerComponent: isDeep ? 16 : 8)
        else { throw Failure(.operationNotSupportedForAsset, "pictures of \(frame.pixelFormat) cannot be made PNG") }
        return [UInt8](try image.pngData())
    }
}

/// The pictures of a film, or one of them, as JSON has them.
struct JSONFrames: ResultDocument {
    let source: String
    /// Where they are; `nil` for standard output.
    var file: String?
    /// Which picture, from 1; `nil` for all.
    var index: Int?
    /// How many there are; `nil` for one.
    var frames: Int?
    var time: JSONTime?
    var actual: JSONTime?
    var duration: JSONTime?
    let width: Int
    let height: Int
    let pixelFormat: String
    /// Of each picture.
    var byteCount: Int
    /// Pictures in a second, as numerator and denominator; `nil` if they come at no fixed rate.
    var frameRate: [Int32]?

    init(source: String, of frame: PackedFrame) {
        (self.source, width, height) = (source, frame.width, frame.height)
        (pixelFormat, byteCount) = (frame.pixelFormat, frame.bytes.count)
        frameRate = frame.frameRate.map { [$0.0, $0.1] }
    }
}
