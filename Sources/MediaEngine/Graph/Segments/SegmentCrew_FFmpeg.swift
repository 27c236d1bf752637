package import FFmpegKit
internal import Foundation
internal import MediaCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// How many segments of a track are encoded at a time, and by how many threads each.
///
/// Nothing of it changes what comes out: an encoder whose output depends on the number of its threads always has the same.
package struct SegmentCrew: Equatable {
    package let segments: Int
    package let threads: Int

    /// - Parameters:
    ///   - count: How many segments there are.
    ///   - processors: How many threads there may be in all.
    ///   - memory: How many bytes there may be.
    package init(
        _ settings: EncoderSettings, count: Int, processors: Int = ProcessorShare.count, memory: Int64 = Self.memory
    ) {
        let threads = EncoderThreads.reproducible(byEncoder: settings.name)
        let fitting = Int(clamping: memory / max(1, Self.memory(of: settings)))
        segments = max(1, min(count, processors, fitting))
        self.threads = threads.isFixed ? threads.count : max(threads.count, processors / segments)
    }

    /// What an encoder that looks ahead, and the decoder and the filters before it, hold.
    private static func memory(of settings: EncoderSettings) -> Int64 {
        guard case .video(let video) = settings.media else { return 0 }
        return Int64(video.width) * Int64(video.height) * bytesPerPixel * picturesHeld + base
    }

    private static let bytesPerPixel: Int64 = 3
    private static let picturesHeld: Int64 = 64
    private static let base: Int64 = 32 << 20

    /// Half of what this process may have.
    private static var memory: Int64 {
        var limit = rlimit()
        let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0
        let machine = Int64(clamping: ProcessInfo.processInfo.physicalMemory)
        return min(machine, isKnown ? Int64(clamping: limit.rlim_cur) : machine) / 2
    }
}

extension EncoderSettings {
    /// Whether encoders that are asked for this give the same header each, which all segments of a file share.
    package func givesOneHeader() throws(FFmpegError) -> Bool {
        let settings = forSegment(threads: EncoderThreads.reproducible(byEncoder: name).count)
        let header = try CodedStream(from: Encoder.open(settings)).configuration
        return try CodedStream(from: Encoder.open(settings)).configuration == header
    }

    /// For one segment, by a number of threads: the same packets on every machine.
    func forSegment(threads: Int) -> EncoderSettings {
        var settings = self
        settings.threads = threads
        let own = EncoderThreads.parameters(ofEncoder: name, threads: threads)
        if let own, let option = EncoderParameters.option(ofEncoder: name) {
            let asked = settings.options[option].map { [$0] } ?? []
            settings.options[option] = ([own] + asked).joined(separator: ":")
        }
        return settings
    }
}
