import FFmpegKit
import Foundation
import MediaCore
import MediaIO
import MediaMetadata
import MediaTestSupport
import MetadataFormats

@testable import MediaEngine

/// Copies all streams that a container can hold into a file that has no name yet.
struct UnfinishedCopy {
    let muxed: MuxedFile
    let path: String

    init(
        _ source: String, to path: String, format name: String, room: FrontRoom? = nil, roomByteCount: UInt64? = nil
    ) throws {
        let demuxer = try Demuxer.open(source, policy: SafetyPolicy(), interrupt: Interrupt())
        let format = try ContainerFormat(Container(rawValue: name))
        self.path = path
        let pending = try PendingFile(for: path, replaces: false)
        let roomByteCount = roomByteCount ?? room?.byteCount ?? 0
        muxed = MuxedFile(pending, format: format, room: roomByteCount)
        let muxer = try Muxer.open(format, sink: muxed)
        var targets: [Int: Int] = [:]
        for stream in demuxer.streams
        where !stream.isAttachedPicture && stream.codec != .data && format.canHold(codec: stream.codec) {
            targets[stream.index] = try muxer.addStream(CodedStream(copying: stream.index, of: demuxer))
        }
        demuxer.select(streams: Set(targets.keys))
        demuxer.infersPresentationTimes = true
        try muxer.start(options: MuxedFile.muxerOptions(for: format, room: roomByteCount))
        while let packet = try demuxer.readPacket() {
            guard let target = targets[packet.streamIndex] else { continue }
            try muxer.write(packet, toStream: target, timeBase: demuxer.streams[packet.streamIndex].timeBase)
        }
        try muxer.finish()
    }

    /// Writes the file with a title, a comment, and chapters.
    func finish(
        title: String? = "Ein Film", chapters: [Chapter] = twoChapters, isOptimizedForNetwork: Bool = true
    ) throws -> FinishedOutput {
        let output = try MediaOutput(muxed, isOptimizedForNetwork: isOptimizedForNetwork)
        var metadata = output.metadata
        try metadata.set("title", title)
        metadata.chapterLists = chapters.isEmpty ? [] : [ChapterList(form: .other, chapters: chapters)]
        let finished = try output.finished(with: metadata)
        try finished.write(to: muxed.pending, isSynced: false)
        return finished
    }
}

let twoChapters = [
    Chapter(start: .zero, titles: [Chapter.Title("Anfang")]),
    Chapter(start: CMTime(value: 1, timescale: 2), titles: [Chapter.Title("Ende")]),
]

extension FileMetadata {
    /// Sets an item by the name that people know it by.
    mutating func set(_ name: String, _ value: String?) throws {
        guard let value else { return }
        guard container != .other else {
            entries = [MetadataEntry(.iTunes, .code(0xA96E_616D), .text(value))]
            return
        }
        entries = try MetadataAssignment.apply(
            [MetadataAssignment(try MetadataName(name), value)], to: entries, in: container
        ).entries
    }
}

/// What `ffprobe` tells of a file.
struct Probed {
    var tags: [String: String] = [:]
    var title: String?
    /// Start, end and title.
    var chapters: [String] = []
    var duration = 0.0
    var codecs: [String] = []
    var complaints = ""

    init(_ path: String) async throws {
        let run = try await CommandRun.run(
            "ffprobe", ["-v", "warning", "-of", "json", "-show_format", "-show_chapters", "-show_streams", path])
        // ffprobe has no decoder for the titles' track, whoever made it.
        complaints = run.errorOutput.split(separator: "\n").filter { !$0.contains("Unsupported codec with id 98314") }
            .joined(separator: "\n")
        let root = try JSONSerialization.jsonObject(with: run.standardOutput) as? [String: Any] ?? [:]
        let format = root["format"] as? [String: Any] ?? [:]
        tags = format["tags"] as? [String: String] ?? [:]
        let first = (root["streams"] as? [[String: Any]])?.first?["tags"] as? [String: String] ?? [:]
        // Ogg's tags belong to its streams; a QuickTime key has its whole name.
        title =
            (tags.merging(first) { own, _ in own }).first {
                ["title", "com.apple.quicktime.title"].contains($0.key.lowercased())
            }?.value
        duration = (format["duration"] as? String).flatMap(Double.init) ?? 0
        for chapter in root["chapters"] as? [[String: Any]] ?? [] {
            let title = (chapter["tags"] as? [String: String])?["title"] ?? ""
            let times = ["start_time", "end_time"].map { chapter[$0] as? String ?? "" }
            chapters.append("\(times[0]) \(times[1]) \(title)")
        }
        codecs = (root["streams"] as? [[String: Any]] ?? []).map { $0["codec_name"] as? String ?? "" }
    }

    /// Times and hashes of the coded packets of all streams but the last ones, a line each.
    static func packets(_ path: String, streams: Int) async throws -> [String] {
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-copyts", "-i", path]
                + (0..<streams).flatMap { ["-map", "0:\($0)"] } + ["-c", "copy", "-f", "framemd5", "-"])
        return run.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
            + (run.errorOutput.isEmpty ? [] : [run.errorOutput])
    }
}

/// The types of a file's boxes in order.
func boxTypes(_ path: String) throws -> [String] {
    MovieReading.children([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))).map(\.type)
}
