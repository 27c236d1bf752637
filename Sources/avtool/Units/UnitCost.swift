internal import AVToolCommands
internal import Foundation
internal import MediaTime

/// What a unit is held to cost, within a factor of about two; docs/scale.md has what it was measured by.
struct UnitCost: Codable, Hashable {
    /// Seconds of one processor core.
    var coreSeconds: Double
    /// Bytes of the largest process.
    var memory: Int64

    init(coreSeconds: Double, memory: Int64) { (self.coreSeconds, self.memory) = (coreSeconds, memory) }

    /// Work that is done in a row.
    static func + (first: UnitCost, second: UnitCost) -> UnitCost {
        UnitCost(coreSeconds: first.coreSeconds + second.coreSeconds, memory: max(first.memory, second.memory))
    }

    /// One of several shares.
    func share(of count: Int) -> UnitCost { UnitCost(coreSeconds: coreSeconds / Double(count), memory: memory) }

    var rounded: UnitCost { UnitCost(coreSeconds: (coreSeconds * 1000).rounded() / 1000, memory: memory) }
}

/// What has to be known of a film for its cost.
struct FilmFacts {
    var seconds = 0.0
    var pixels = 0.0
    var framesPerSecond = 25.0
    var byteCount = 0.0

    /// What an export's own plan says of how it is divided; 1 if it is not.
    var segments = 1

    private var frames: Double { seconds * framesPerSecond }

    /// Seconds of one core for each pixel, measured with FFmpeg 5.1.
    private enum PerPixel {
        static let decoding = 2.5e-9
        static let comparing = 1.1e-9
        static let seeking = 8e-9
        static let png = 30e-9
        /// By what a preset's name holds.
        static let encoding = ["hevc": 90e-9, "vp9": 60e-9, "av1": 60e-9, "prores": 24e-9, "dnxhr": 10e-9, "gif": 20e-9]
        static let h264 = 12e-9
    }

    private static let presetsOfSound: Set = ["m4a", "mp3", "opus", "flac", "alac", "wav"]
    private static let opening = 0.06
    private static let processMemory: Int64 = 60 << 20

    /// What the work of a command on the film costs.
    func cost(of command: any SeveralFilesCommand) -> UnitCost {
        var held = 20.0
        let seconds: Double
        switch command {
        case let command as ThumbsCommand: seconds = stills(command) * (PerPixel.seeking + PerPixel.png) * pixels
        case let command as StoryboardCommand: seconds = tiles(command) * (0.01 + PerPixel.seeking * pixels)
        case is SheetCommand: seconds = 20 * (0.01 + PerPixel.seeking * pixels)
        case is VerifyCommand: seconds = frames * pixels * (PerPixel.decoding + PerPixel.comparing)
        case is ScenesCommand: seconds = frames * pixels * PerPixel.decoding
        case let command as ExportCommand where command.choice.preset == "passthrough": seconds = byteCount * 2e-9
        case let command as ExportCommand where Self.presetsOfSound.contains(command.choice.preset):
            seconds = self.seconds * 0.02
        case let command as ExportCommand:
            held = 64
            seconds = frames * pixels * (PerPixel.decoding + Self.encoding(command.choice.preset))
        default: seconds = byteCount * 1e-9
        }
        let memory = Self.processMemory + Int64(min(1e12, pixels * 3 * held))
        return UnitCost(coreSeconds: Self.opening + min(seconds, 1e12), memory: memory)
    }

    /// How many shares a film's work can have at most; 1 where it cannot be shared.
    func mostPieces(of command: any SeveralFilesCommand) -> Int {
        switch command {
        case let command as ThumbsCommand:
            command.scenes.scenes || command.covers.cover || command.streams ? 1 : Int(min(1e5, stills(command)))
        case let command as StoryboardCommand: Int(min(1e5, tiles(command)))
        case is ExportCommand: segments
        default: 1
        }
    }

    private func stills(_ command: ThumbsCommand) -> Double {
        if let times = try? command.at?.get() { return Double(times.entries.count) }
        if let step = try? command.every?.time() { return max(1, seconds / max(step.seconds, 1e-6)) }
        if let count = command.count { return Double(count) }
        return max(1, seconds / 2)
    }

    private func tiles(_ command: StoryboardCommand) -> Double {
        let step = (try? command.every?.time())?.seconds ?? min(10, max(0.5, seconds / 100))
        return max(1, seconds / max(step, 1e-6))
    }

    private static func encoding(_ preset: String) -> Double {
        PerPixel.encoding.first { preset.contains($0.key) }?.value ?? PerPixel.h264
    }
}
