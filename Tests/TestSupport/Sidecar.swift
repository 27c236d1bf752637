internal import Foundation
package import MediaCore

/// What `ffprobe` and a linear decode by another program tell of a fixture.
package struct Sidecar: Decodable, Sendable {
    package var format: Format?
    package var streams: [Stream]?
    package var chapters: [Chapter]?
    /// The first video track's frames in the order of a linear decode.
    package var frames: [Frame]?
    /// The last line of `ffprobe` where it fails.
    package var error: String?

    package struct Format: Decodable, Sendable {
        package var filename: String?
        package var formatName: String
        package var startTime: String?
        package var duration: String?
        package var size: String?
        package var bitRate: String?
        package var tags: [String: String]?
    }

    package struct Stream: Decodable, Sendable {
        package var index: Int
        package var codecName: String?
        package var codecType: String?
        package var profile: String?
        package var width: Int?
        package var height: Int?
        package var pixFmt: String?
        package var sampleAspectRatio: String?
        package var fieldOrder: String?
        package var colorRange: String?
        package var colorSpace: String?
        package var colorPrimaries: String?
        package var colorTransfer: String?
        package var rFrameRate: String?
        package var avgFrameRate: String?
        package var timeBase: String
        package var startPts: Int64?
        package var durationTs: Int64?
        package var duration: String?
        package var nbFrames: String?
        package var sampleRate: String?
        package var channels: Int?
        package var disposition: [String: Int]?
        package var tags: [String: String]?

        package var isAttachedPicture: Bool { disposition?["attached_pic"] == 1 }
        /// Whether the stream plays: cover art does not.
        package var isPlaying: Bool { (codecType == "video" || codecType == "audio") && !isAttachedPicture }
        /// When the stream starts to be shown or heard, on the container's timeline: `ffprobe` tells when its first packet
        /// begins, of which decoders of the fixtures' Opus leave out 312 samples, seven milliseconds.
        package var start: CMTime? {
            let leftOut: Int64 = codecName == "opus" && timeBase == "1/1000" ? 7 : 0
            return startPts.flatMap { CMTime(ticks: $0 + leftOut, timeBase: timeBase) }
        }
    }

    package struct Chapter: Decodable, Sendable {
        package var timeBase: String
        package var start: Int64
        package var end: Int64
        package var tags: [String: String]?
    }

    package struct Frame: Decodable, Sendable {
        package var pts: Int64?
        package var linearPts: Int64?
        package var timeBase: String
        package var duration: Int64?
        package var key: Bool
        package var type: String
        /// Read from the pixels; `nil` if they cannot be read.
        package var number: Int?
        /// Whether the picture is not the one of that number in the undamaged file.
        package var differs: Bool?
    }

    /// The sidecar of a fixture.
    package static func load(_ fixture: Fixture) throws -> Sidecar {
        let url = Fixture.folder.appendingPathComponent("expected/\(fixture.name).json")
        return try decoded(Data(contentsOf: url))
    }

    /// What the `ffprobe` that is installed says of streams and format: of range and matrix versions differ.
    package static func probe(_ fixture: Fixture) async throws -> Sidecar {
        let arguments = ["-v", "error", "-show_streams", "-show_format", "-of", "json", fixture.path]
        return try decoded(Data(try await CommandRun.run("ffprobe", arguments).output.utf8))
    }

    private static func decoded(_ data: Data) throws -> Sidecar {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Sidecar.self, from: data)
    }
}

extension Sidecar {
    /// A frame on the asset's timeline.
    package struct ShownFrame: Sendable {
        package var time: CMTime
        package var number: Int?
        /// Whether the linear decode has the right picture of that number.
        package var isWhole: Bool
    }

    /// The container's time of the asset's zero: a movie's own, but for
    /// fragmented ones without an edit list, which the fixtures' names tell;
    /// elsewhere where the earliest playing stream starts.
    package var origin: CMTime {
        let isMovie = format?.formatName.hasPrefix("mov") ?? false
        if isMovie, format?.filename?.hasPrefix("fragmented") != true { return .zero }
        return (streams ?? []).filter(\.isPlaying).compactMap(\.start).min() ?? .zero
    }

    /// Whether the container only counts pictures, in decoding order: what
    /// `ffprobe` says then is late by the decoder's delay.
    private var countsPictures: Bool { ["avi", "mpegvideo"].contains(format?.formatName ?? "") }

    /// The frames on the asset's timeline, whose zero is `origin`.
    ///
    /// A frame without a time follows the one before it.
    package var shownFrames: [ShownFrame] {
        var result: [ShownFrame] = []
        var next: Int64 = 0
        for frame in frames ?? [] {
            let ticks = countsPictures ? next : frame.pts ?? next
            next = ticks + (frame.duration ?? 1)
            guard let time = CMTime(ticks: ticks, timeBase: frame.timeBase) else { continue }
            let isWhole = frame.number != nil && frame.differs != true
            result.append(ShownFrame(time: time - origin, number: frame.number, isWhole: isWhole))
        }
        return result
    }
}

extension [Sidecar.ShownFrame] {
    /// The position of the frame shown at a time: the last one at or before it, else the first.
    package func index(shownAt time: CMTime) -> Int { Swift.max(0, (firstIndex { $0.time > time } ?? count) - 1) }

    /// The frame shown at a time: the last one at or before it, else the first.
    package func frame(shownAt time: CMTime) -> Element { self[index(shownAt: time)] }
}

extension CMTime {
    /// A time of a number of ticks, as `ffprobe` writes them.
    ///
    /// - Parameter timeBase: A fraction, such as `1/12800`.
    package init?(ticks: Int64, timeBase: String) {
        let parts = timeBase.split(separator: "/").compactMap { Int32($0) }
        guard parts.count == 2, parts[1] > 0 else { return nil }
        self.init(value: ticks * Int64(parts[0]), timescale: parts[1])
    }
}
