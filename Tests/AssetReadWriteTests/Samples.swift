import AssetReadWrite
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import SampleBuffers
import Testing

/// A decoded picture that a test looks at.
struct ReadFrame {
    let presentationTime: CMTime
    let duration: CMTime
    let outputTime: CMTime
    let buffer: CVPixelBuffer

    /// All planes without padding.
    var bytes: [UInt8] {
        buffer.withLockedPlanes(.readOnly) { planes in
            planes.flatMap { plane in
                (0..<plane.height).flatMap { Array(plane.row($0)) }
            }
        }
    }

    /// The number in the picture's bars, which are of luma.
    var number: Int? {
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        let luma = buffer.withLockedPlanes(.readOnly) { planes in (0..<height).flatMap { Array(planes[0].row($0)) } }
        let rgb = luma.flatMap { (value: UInt8) -> [UInt8] in
            let full = UInt8(clamping: (Int(value) - 16) * 255 / 219)
            return [full, full, full]
        }
        return CGImage(width: width, height: height, hasAlpha: false, pixels: rgb)?.frameNumber
    }
}

/// What a reader gave, and how it ended.
struct Reading {
    var frames: [ReadFrame] = []
    var sound: [(time: CMTime, bytes: Data, count: Int)] = []
    var samples: [CMSampleBuffer] = []
    var status = AVAssetReader.Status.unknown
    var error: (any Error)?

    /// Reads all of a track.
    static func read(
        _ asset: AVAsset, _ settings: [String: Any]? = [:], of mediaType: AVMediaType = .video,
        range: CMTimeRange? = nil, allowsDamage: Bool = false, copies: Bool = true
    ) async throws -> Reading {
        let track = try #require(try await asset.loadTracks(withMediaType: mediaType).first)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
        output.alwaysCopiesSampleData = copies
        return try read(asset, output, isDecoded: settings != nil, range: range, allowsDamage: allowsDamage)
    }

    /// Reads all that an output gives.
    static func read(
        _ asset: AVAsset, _ output: AVAssetReaderOutput, isDecoded: Bool = true, range: CMTimeRange? = nil,
        allowsDamage: Bool = false
    ) throws -> Reading {
        let reader = try AVAssetReader(asset: asset)
        reader.allowsDamagedMedia = allowsDamage
        if let range { reader.timeRange = range }
        reader.add(output)
        var result = Reading()
        guard reader.startReading() else {
            (result.status, result.error) = (reader.status, reader.error)
            return result
        }
        while let sample = output.copyNextSampleBuffer() {
            if let buffer = CMSampleBufferGetImageBuffer(sample) {
                result.frames.append(
                    ReadFrame(
                        presentationTime: CMSampleBufferGetPresentationTimeStamp(sample),
                        duration: CMSampleBufferGetDuration(sample),
                        outputTime: CMSampleBufferGetOutputPresentationTimeStamp(sample), buffer: buffer))
            } else if isDecoded {
                result.sound.append(
                    (
                        CMSampleBufferGetPresentationTimeStamp(sample),
                        try #require(CMSampleBufferGetDataBuffer(sample)).dataBytes(),
                        CMSampleBufferGetNumSamples(sample)
                    ))
            } else {
                result.samples.append(sample)
            }
        }
        (result.status, result.error) = (reader.status, reader.error)
        return result
    }

    var soundBytes: [UInt8] { sound.flatMap { [UInt8]($0.bytes) } }
}

/// Settings of decoded pictures.
func pictures(_ format: OSType, width: Int? = nil, height: Int? = nil) -> [String: Any] {
    var settings: [String: Any] = [String(describing: kCVPixelBufferPixelFormatTypeKey): format]
    if let width { settings[String(describing: kCVPixelBufferWidthKey)] = width }
    if let height { settings[String(describing: kCVPixelBufferHeightKey)] = height }
    return settings
}

/// What ffmpeg makes of a track of sound.
func ffmpegSound(of path: String, _ format: String, _ options: [String] = []) async throws -> [UInt8] {
    // Of movies it decodes all of the last packet, whatever of that is meant to be heard.
    let isMovie = try await ffprobe(path, ["-show_entries", "format=format_name"]).first?.contains("mov") == true
    let length = try await ffprobe(path, ["-select_streams", "a:0", "-show_entries", "stream=duration"]).first
    let limit = isMovie ? length.map { ["-t", $0] } ?? [] : []
    let run = try await CommandRun.run(
        "ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-map", "0:a:0"] + limit + options + ["-f", format, "-"])
    return [UInt8](run.standardOutput)
}

/// What ffprobe says.
func ffprobe(_ path: String, _ arguments: [String]) async throws -> [String] {
    let run = try await CommandRun.run("ffprobe", ["-v", "error"] + arguments + ["-of", "csv=p=0", path])
    return run.output.split(separator: "\n").map(String.init)
}

func range(_ start: CMTime, _ end: CMTime) -> CMTimeRange { CMTimeRange(start: start, end: end) }
func seconds(_ value: Int64, _ scale: Int32 = 1000) -> CMTime { CMTime(value: value, timescale: scale) }

/// Whether two lists are equal; where they are not, nobody wants to see millions of differences.
func isSame<Element: Equatable>(_ one: some Collection<Element>, _ other: some Collection<Element>) -> Bool {
    one.count == other.count && one.elementsEqual(other)
}

/// The mean difference of samples of 16 bits.
func meanDifference(_ one: [UInt8], _ other: [UInt8]) -> Int {
    func sample(_ bytes: [UInt8], _ index: Int) -> Int {
        Int(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8))
    }
    let differences = stride(from: 0, to: min(one.count, other.count), by: 2).map {
        abs(sample(one, $0) - sample(other, $0))
    }
    return differences.reduce(0, +) / max(1, differences.count)
}
