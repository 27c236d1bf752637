import Foundation
import MediaCore
import TestSupport

@testable import FFmpegKit

/// A sink that keeps the bytes in memory, and fails where a test wants it to.
final class MemorySink: MuxerSink {
    struct Full: Error, Equatable { var position: Int }

    private(set) var bytes: [UInt8] = []
    private(set) var writes = 0
    let isSeekable: Bool
    let capacity: Int

    init(isSeekable: Bool = true, capacity: Int = .max) {
        self.isSeekable = isSeekable
        self.capacity = capacity
    }

    func write(_ piece: UnsafeRawBufferPointer, at position: UInt64) throws {
        let start = Int(position)
        writes += 1
        guard start + piece.count <= capacity else { throw Full(position: start) }
        if bytes.count < start + piece.count {
            bytes += [UInt8](repeating: 0, count: start + piece.count - bytes.count)
        }
        bytes.replaceSubrange(start..<(start + piece.count), with: piece)
    }

    func save(_ path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
}

/// Copies the streams that a container can hold, packet by packet.
struct Remux {
    var source: String
    var format: String
    var options: [String: String] = [:]
    /// What the muxer was asked to leave out.
    private(set) var copied: [Int] = []
    private(set) var repairs = 0

    init(_ source: String, to format: String, options: [String: String] = [:]) {
        (self.source, self.format, self.options) = (source, format, options)
    }

    mutating func run(into sink: MemorySink, interrupt: Interrupt = Interrupt()) throws {
        let demuxer = try Demuxer.open(source, policy: SafetyPolicy(), interrupt: interrupt)
        let container = try ContainerFormat(Container(rawValue: format))
        let muxer = try Muxer.open(container, sink: sink)
        var targets: [Int: Int] = [:]
        for stream in demuxer.streams
        where container.canHold(codec: stream.codec, isAttachedPicture: stream.isAttachedPicture) {
            targets[stream.index] = try muxer.addStream(CodedStream(copying: stream.index, of: demuxer))
        }
        copied = targets.keys.sorted()
        guard !copied.isEmpty else { return }
        demuxer.select(streams: Set(copied))
        demuxer.infersPresentationTimes = true
        try muxer.start(options: options)
        while let packet = try demuxer.readPacket() {
            guard let target = targets[packet.streamIndex] else { continue }
            try muxer.write(packet, toStream: target, timeBase: demuxer.streams[packet.streamIndex].timeBase)
        }
        try muxer.finish()
        repairs = targets.values.reduce(0) { $0 + muxer.repairedTimes(ofStream: $1) }
    }
}

/// What the `ffmpeg` and `ffprobe` commands say of files.
enum Peer {
    struct Failure: Error, CustomStringConvertible { var description: String }

    static func run(_ program: String, _ arguments: [String]) async throws -> String {
        let run = try await CommandRun.run(program, arguments, limit: .seconds(180))
        guard run.exitCode == 0, !run.timedOut else {
            throw Failure(description: "\(program) \(arguments): \(run.errorOutput)")
        }
        return run.output
    }

    /// Times, sizes and hashes of the coded packets, a line each.
    static func packets(_ path: String) async throws -> [String] {
        try await run(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-copyts", "-i", path, "-map", "0", "-c", "copy", "-f", "framemd5", "-"]
        ).split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }

    /// Hashes of the decoded pictures and sound, a line for each stream.
    static func decodedHashes(_ path: String, streams: String = "0:v?") async throws -> [String] {
        try await run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-i", path, "-map", streams, "-fps_mode", "passthrough", "-f", "streamhash",
                "-",
            ]
        ).split(separator: "\n").map(String.init)
    }

    /// Fields of the streams, one line for each stream.
    static func streams(_ path: String, _ fields: String) async throws -> [String] {
        try await run("ffprobe", ["-v", "error", "-show_entries", fields, "-of", "compact", path])
            .split(separator: "\n").map(String.init).filter { !$0.isEmpty }
    }
}

extension Peer {
    /// Makes two seconds of AAC.
    static func sine(rate: Int, to path: String) async throws {
        _ = try await run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-f", "lavfi", "-i", "sine=f=440:r=\(rate):d=2", "-c:a", "aac", path,
            ])
    }

    /// The first presentation time of each of the first two streams in seconds.
    static func firstTimes(_ path: String) async throws -> [Double] {
        let times = try await run(
            "ffprobe", ["-v", "error", "-show_entries", "packet=stream_index,pts_time", "-of", "csv=p=0", path]
        ).split(separator: "\n").map { $0.split(separator: ",") }
        return ["0", "1"].map { index in
            times.filter { $0[0] == index }.compactMap { Double($0[1]) }.min() ?? .nan
        }
    }
}

extension Peer {
    /// The structural similarity of two films, the second one scaled to the size of the first.
    static func similarity(_ path: String, _ other: String, width: Int, height: Int) async throws -> Double {
        let filters = "[0:v]format=yuv420p[a];[1:v]scale=\(width):\(height),format=yuv420p[b];[a][b]ssim=shortest=1"
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-nostdin", "-hide_banner", "-i", path, "-i", other, "-lavfi", filters, "-f", "null", "-"])
        let all = run.errorOutput.split(separator: " ").last { $0.hasPrefix("All:") }
        guard let all, let value = Double(all.dropFirst(4)) else { throw Failure(description: run.errorOutput) }
        return value
    }

    /// How many samples a file's sound decodes to.
    static func sampleCount(_ path: String, rate: Int) async throws -> Int {
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-i", path, "-map", "0:a:0", "-ac", "1", "-ar", "\(rate)", "-f", "s16le", "-"])
        return run.standardOutput.count / 2
    }
}

extension Demuxer {
    /// The first frame of the first stream.
    func firstFrame() throws -> Frame? {
        let decoder = try makeDecoder(stream: 0)
        var number: Int64 = 0
        while true {
            switch try decoder.receive().output {
            case .frame(let frame): return frame
            case .end: return nil
            case .needsPacket:
                number += 1
                _ = try decoder.send(try readPacket(), number: number)
            }
        }
    }
}

extension EncoderSettings {
    var pixelFormat: String {
        guard case .video(let video) = media else { return "" }
        return video.pixelFormat
    }
}
