internal import Foundation
public import MediaTime

/// What `ffprobe` and a linear decode by another program tell of a fixture.
public struct Sidecar: Decodable, Sendable {
    public var format: Format?
    public var streams: [Stream]?
    public var chapters: [Chapter]?
    /// The first video track's frames in the order of a linear decode.
    public var frames: [Frame]?
    /// The last line of `ffprobe` where it fails.
    public var error: String?

    public struct Format: Decodable, Sendable {
        public var formatName: String
        public var startTime: String?
        public var duration: String?
        public var size: String?
        public var bitRate: String?
        public var tags: [String: String]?
    }

    public struct Stream: Decodable, Sendable {
        public var index: Int
        public var codecName: String?
        public var codecType: String?
        public var profile: String?
        public var width: Int?
        public var height: Int?
        public var pixFmt: String?
        public var sampleAspectRatio: String?
        public var fieldOrder: String?
        public var colorRange: String?
        public var colorSpace: String?
        public var colorPrimaries: String?
        public var colorTransfer: String?
        public var rFrameRate: String?
        public var avgFrameRate: String?
        public var timeBase: String
        public var startPts: Int64?
        public var durationTs: Int64?
        public var duration: String?
        public var nbFrames: String?
        public var sampleRate: String?
        public var channels: Int?
        public var disposition: [String: Int]?
        public var tags: [String: String]?

        public var isAttachedPicture: Bool { disposition?["attached_pic"] == 1 }
        /// Whether the stream plays: cover art does not.
        public var isPlaying: Bool { (codecType == "video" || codecType == "audio") && !isAttachedPicture }
        /// When the stream starts, on the container's timeline.
        public var start: CMTime? { startPts.flatMap { CMTime(ticks: $0, timeBase: timeBase) } }
    }

    public struct Chapter: Decodable, Sendable {
        public var timeBase: String
        public var start: Int64
        public var end: Int64
        public var tags: [String: String]?
    }

    public struct Frame: Decodable, Sendable {
        public var pts: Int64?
        public var linearPts: Int64?
        public var timeBase: String
        public var duration: Int64?
        public var key: Bool
        public var type: String
        /// Read from the pixels; `nil` if they cannot be read.
        public var number: Int?
        /// Whether the picture is not the one of that number in the undamaged file.
        public var differs: Bool?
    }

    /// The sidecar of a fixture.
    public static func load(_ fixture: Fixture) throws -> Sidecar {
        let url = Fixture.folder.appendingPathComponent("expected/\(fixture.name).json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Sidecar.self, from: Data(contentsOf: url))
    }
}

extension Sidecar {
    /// A frame on the asset's timeline.
    public struct ShownFrame: Sendable {
        public var time: CMTime
        public var number: Int?
        /// Whether the linear decode has the right picture of that number.
        public var isWhole: Bool
    }

    /// The container's time at which the earliest playing stream starts.
    public var origin: CMTime { (streams ?? []).filter(\.isPlaying).compactMap(\.start).min() ?? .zero }

    /// The frames on the asset's timeline, which starts at the earliest start
    /// of a playing stream. A frame without a time follows the one before it.
    public var shownFrames: [ShownFrame] {
        var result: [ShownFrame] = []
        var next: Int64 = 0
        for frame in frames ?? [] {
            let ticks = frame.pts ?? next
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
    public func index(shownAt time: CMTime) -> Int { Swift.max(0, (firstIndex { $0.time > time } ?? count) - 1) }

    /// The frame shown at a time: the last one at or before it, else the first.
    public func frame(shownAt time: CMTime) -> Element { self[index(shownAt: time)] }
}

extension CMTime {
    /// A time of a number of ticks, as `ffprobe` writes them.
    ///
    /// - Parameter timeBase: A fraction, such as `1/12800`.
    public init?(ticks: Int64, timeBase: String) {
        let parts = timeBase.split(separator: "/").compactMap { Int32($0) }
        guard parts.count == 2, parts[1] > 0 else { return nil }
        self.init(value: ticks * Int64(parts[0]), timescale: parts[1])
    }
}
