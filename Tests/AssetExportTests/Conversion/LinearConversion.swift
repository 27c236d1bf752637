import AssetExport
import FFmpegKit
import Foundation
import MediaAsset
import MediaCore
import MediaEngine

/// One track of an asset, seen from all sides that matter to an export.
struct SourceTrack {
    /// What the asset says of it.
    var description: TrackDescription
    /// What the demuxer says of it.
    var stream: StreamInfo
    /// What else the demuxer says of it.
    var traits: StreamTraits
}

/// Makes a new file of a whole one by a preset, one step after the other, in as
/// few lines as can be: enough to see what the settings lead to.
struct LinearConversion {
    var preset: ExportPreset
    var source: String
    var fileType: AVFileType
    /// Changes what the preset makes of the tracks.
    var adjust: (inout [TrackConversion], CMTime) throws -> Void = { _, _ in }
    /// Changes what the source says of its tracks.
    var amend: (inout SourceTrack) -> Void = { _ in }
    /// Frames of pictures to take at most.
    var frames = Int.max

    private final class Sink: MuxerSink {
        let isSeekable = true
        var bytes: [UInt8] = []
        func write(_ piece: UnsafeRawBufferPointer, at position: UInt64) throws {
            let start = Int(position)
            if bytes.count < start + piece.count {
                bytes += [UInt8](repeating: 0, count: start + piece.count - bytes.count)
            }
            bytes.replaceSubrange(start..<(start + piece.count), with: piece)
        }
    }

    private final class Track {
        let stream: StreamInfo
        let conversion: TrackConversion
        let decoder: Decoder
        let encoder: Encoder
        let graph: FilterGraph
        var target = 0
        var samples: Int64 = 0
        var last = Int64.min
        var taken = 0
        var packets: [Packet] = []

        init(
            _ stream: StreamInfo, _ conversion: TrackConversion, _ demuxer: Demuxer, _ pass: EncodingPass,
            _ palette: Frame?
        ) throws {
            (self.stream, self.conversion) = (stream, conversion)
            decoder = try demuxer.makeDecoder(stream: stream.index)
            var settings = conversion.encoding.encoder
            if case .video = settings.media { settings.pass = pass }
            encoder = try Encoder.open(settings)
            var configuration = FilterGraph.Configuration(
                timeBase: stream.timeBase
            ) { format throws(FFmpegError) in
                var description = try conversion.encoding.filters(format)
                description.stills["palette"] = palette
                return description
            }
            configuration.frameSize = encoder.frameSize
            graph = FilterGraph(configuration)
        }

        /// Whether a frame is one that stays.
        func keeps(_ frame: Frame) -> Bool {
            taken += 1
            if case .oneOf(let count) = conversion.encoding.rateLimit { return taken % count == 1 || count == 1 }
            return true
        }

        func drain() throws {
            while case .frame(let frame) = try graph.pull() {
                if frame.isSound {
                    try encoder.send(frame, atTicks: samples)
                    samples += Int64(frame.sampleCount)
                } else {
                    let time = (graph.timeBase ?? stream.timeBase).time(of: frame.presentationTicks ?? 0)
                    let ticks = encoder.timeBase.ticks(atOrBefore: time)
                    guard ticks > last else { continue }
                    last = ticks
                    try encoder.send(frame, atTicks: ticks)
                }
                try receive()
            }
        }

        func receive() throws {
            while case .packet(let packet) = try encoder.receive() { packets.append(packet) }
        }

        func finish() throws {
            try graph.finish()
            try drain()
            try encoder.finish()
            try receive()
        }
    }

    /// - Returns: What became of the tracks.
    @discardableResult
    func run(to path: String) async throws -> [TrackConversion] {
        let tracks = try await sourceTracks()
        let codecs = [preset.videoEncoding?.encoder, preset.audioEncoding?.encoder].compactMap { $0 }
            .compactMap { EncoderCapabilities(ofEncoder: $0)?.codec }
        let format = try fileType.containerFormat(holding: codecs)
        var conversions: [TrackConversion] = []
        var kept: [SourceTrack] = []
        for track in tracks {
            guard
                let conversion = try preset.conversion(
                    of: track.description, stream: track.stream, traits: track.traits, to: format)
            else { continue }
            conversions.append(conversion)
            kept.append(track)
        }
        let duration = tracks.map(\.description.timeRange.end).filter(\.isNumeric).max() ?? .zero
        try adjust(&conversions, duration)
        var statistics = ""
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pass-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let isTwoPass = conversions.contains { $0.passes == 2 && $0.encoding.paletteFilters == nil }
        for pass in isTwoPass ? [1, 2] : [0] {
            let mode: EncodingPass =
                pass == 0
                ? .only
                : pass == 1 ? .first(directory: folder.path) : .second(directory: folder.path, statistics: statistics)
            statistics = try encode(kept, conversions, format, mode, to: path)
        }
        return conversions
    }

    /// Why nothing can be made of the tracks; `nil` if something can.
    func refusal() async throws -> String? {
        let format = try preset.containerFormat(for: fileType)
        for track in try await sourceTracks() {
            do throws(AVError) {
                _ = try preset.conversion(
                    of: track.description, stream: track.stream, traits: track.traits, to: format)
            } catch {
                return error.reason
            }
        }
        return nil
    }

    func sourceTracks() async throws -> [SourceTrack] {
        let description = try await AVURLAsset(url: URL(fileURLWithPath: source)).loadDescription()
        let demuxer = try Demuxer.open(source, policy: SafetyPolicy(), interrupt: Interrupt())
        return description.tracks.map {
            var track = SourceTrack(
                description: $0, stream: demuxer.streams[$0.streamIndex],
                traits: demuxer.traits(ofStream: $0.streamIndex))
            amend(&track)
            return track
        }
    }

    /// What one filter makes of all pictures.
    private func palette(of stream: StreamInfo, _ encoding: TrackEncoding) throws -> Frame? {
        guard let filters = encoding.paletteFilters else { return nil }
        let demuxer = try Demuxer.open(source, policy: SafetyPolicy(), interrupt: Interrupt())
        demuxer.select(streams: [stream.index])
        let decoder = try demuxer.makeDecoder(stream: stream.index)
        let graph = FilterGraph(FilterGraph.Configuration(timeBase: stream.timeBase, filters: filters))
        var (number, taken): (Int64, Int) = (0, 0)
        reading: while true {
            switch try decoder.receive().output {
            case .frame(let frame):
                taken += 1
                if taken <= frames { try graph.push(frame) }
            case .needsPacket:
                number += 1
                _ = try decoder.send(try demuxer.readPacket(), number: number)
            case .end: break reading
            }
        }
        try graph.finish()
        while case .frame(let frame) = try graph.pull() { return frame }
        return nil
    }

    private func encode(
        _ kept: [SourceTrack], _ conversions: [TrackConversion], _ format: ContainerFormat, _ pass: EncodingPass,
        to path: String
    ) throws -> String {
        let demuxer = try Demuxer.open(source, policy: SafetyPolicy(), interrupt: Interrupt())
        let sink = Sink()
        let muxer = try Muxer.open(format, sink: sink)
        var tracks: [Int: Track] = [:]
        for (track, conversion) in zip(kept, conversions) {
            let new = try Track(
                track.stream, conversion, demuxer, pass, try palette(of: track.stream, conversion.encoding))
            new.target = try muxer.addStream(CodedStream(from: new.encoder, traits: conversion.traits))
            tracks[track.stream.index] = new
        }
        demuxer.select(streams: Set(tracks.keys))
        demuxer.infersPresentationTimes = true
        try muxer.start()
        var number: Int64 = 0
        func take(_ track: Track) throws {
            while case .frame(let frame) = try track.decoder.receive().output {
                if track.taken < frames, track.keeps(frame) { try track.graph.push(frame) }
                try track.drain()
            }
        }
        while let packet = try demuxer.readPacket() {
            guard let track = tracks[packet.streamIndex] else { continue }
            number += 1
            _ = try track.decoder.send(packet, number: number)
            try take(track)
        }
        for track in tracks.values {
            _ = try track.decoder.send(nil, number: number + 1)
            try take(track)
            try track.finish()
        }
        for track in tracks.values.sorted(by: { $0.target < $1.target }) {
            for packet in track.packets {
                try muxer.write(packet, toStream: track.target, timeBase: track.encoder.timeBase)
            }
        }
        try muxer.finish()
        try Data(sink.bytes).write(to: URL(fileURLWithPath: path))
        return tracks.values.map(\.encoder.passStatistics).first { !$0.isEmpty } ?? ""
    }
}
