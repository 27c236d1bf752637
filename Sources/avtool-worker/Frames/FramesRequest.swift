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
