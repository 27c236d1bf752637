// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

enum SampleError: Error {
    case noTrack
    case cannotRead((any Error)?)
    case cannotWrite((any Error)?)
}

/// Finds cuts by how bright pictures are, as code for scene detection does.
struct BrightnessMeter {
    let asset: AVAsset

    /// The mean of the luma of each picture, with its time.
    func measure(from start: CMTime, seconds: Double) async throws -> [(time: CMTime, mean: Double)] {
        guard let track = try await asset.loadTracks(withMediaType: .video).first else { throw SampleError.noTrack }
        let reader = try AVAssetReader(asset: asset)
        reader.timeRange = CMTimeRange(
            start: start, duration: CMTime(seconds: seconds, preferredTimescale: 600))
        let output = AVAssetReaderTrackOutput(
            track: track,
            outputSettings: [
                kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
            ])
        output.alwaysCopiesSampleData = false
        guard reader.canAdd(output) else { throw SampleError.cannotRead(nil) }
        reader.add(output)
        guard reader.startReading() else { throw SampleError.cannotRead(reader.error) }
        var found: [(time: CMTime, mean: Double)] = []
        while let sample = output.copyNextSampleBuffer() {
            guard let picture = CMSampleBufferGetImageBuffer(sample) else { continue }
            found.append((CMSampleBufferGetPresentationTimeStamp(sample), mean(of: picture)))
            CMSampleBufferInvalidate(sample)
        }
        guard reader.status == .completed else { throw SampleError.cannotRead(reader.error) }
        return found
    }

    private func mean(of picture: CVPixelBuffer) -> Double {
        CVPixelBufferLockBaseAddress(picture, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddressOfPlane(picture, 0) else { return 0 }
        let (width, height) = (CVPixelBufferGetWidthOfPlane(picture, 0), CVPixelBufferGetHeightOfPlane(picture, 0))
        let stride = CVPixelBufferGetBytesPerRowOfPlane(picture, 0)
        let luma = base.assumingMemoryBound(to: UInt8.self)
        var sum = 0
        for row in 0..<height {
            for column in 0..<width { sum += Int(luma[row * stride + column]) }
        }
        return Double(sum) / Double(width * height)
    }
}

/// Makes films of drawings, as timelapse and slideshow code does.
final class DrawingRecorder {
    private let writer: AVAssetWriter
    private let input: AVAssetWriterInput
    private let adaptor: AVAssetWriterInputPixelBufferAdaptor
    private let frameDuration: CMTime

    init(url: URL, width: Int, height: Int, framesPerSecond: Int32) throws {
        writer = try AVAssetWriter(outputURL: url, fileType: .mp4)
        input = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [
                AVVideoCodecKey: AVVideoCodecType.h264,
                AVVideoWidthKey: width,
                AVVideoHeightKey: height,
                AVVideoCompressionPropertiesKey: [AVVideoAverageBitRateKey: 2_000_000],
            ])
        input.expectsMediaDataInRealTime = false
        adaptor = AVAssetWriterInputPixelBufferAdaptor(
            assetWriterInput: input,
            sourcePixelBufferAttributes: [
                kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
                kCVPixelBufferWidthKey as String: width,
                kCVPixelBufferHeightKey as String: height,
            ])
        frameDuration = CMTime(value: 1, timescale: framesPerSecond)
        guard writer.canAdd(input) else { throw SampleError.cannotWrite(nil) }
        writer.add(input)
    }

    /// Draws each picture as one shade of grey.
    func record(_ shades: [UInt8]) async throws {
        guard writer.startWriting() else { throw SampleError.cannotWrite(writer.error) }
        writer.startSession(atSourceTime: .zero)
        for (index, shade) in shades.enumerated() {
            while !input.isReadyForMoreMediaData { try await Task.sleep(nanoseconds: 1_000_000) }
            guard let pool = adaptor.pixelBufferPool, let picture = draw(shade, from: pool),
                adaptor.append(picture, withPresentationTime: CMTimeMultiply(frameDuration, multiplier: Int32(index)))
            else { throw SampleError.cannotWrite(writer.error) }
        }
        input.markAsFinished()
        writer.endSession(atSourceTime: CMTimeMultiply(frameDuration, multiplier: Int32(shades.count)))
        await writer.finishWriting()
        guard writer.status == .completed else { throw SampleError.cannotWrite(writer.error) }
    }

    private func draw(_ shade: UInt8, from pool: CVPixelBufferPool) -> CVPixelBuffer? {
        var created: CVPixelBuffer?
        guard CVPixelBufferPoolCreatePixelBuffer(nil, pool, &created) == kCVReturnSuccess, let picture = created else {
            return nil
        }
        CVPixelBufferLockBaseAddress(picture, [])
        defer { CVPixelBufferUnlockBaseAddress(picture, []) }
        guard
            let context = CGContext(
                data: CVPixelBufferGetBaseAddress(picture), width: CVPixelBufferGetWidth(picture),
                height: CVPixelBufferGetHeight(picture), bitsPerComponent: 8,
                bytesPerRow: CVPixelBufferGetBytesPerRow(picture), space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue)
        else { return nil }
        let grey = CGFloat(shade) / 255
        context.setFillColor(red: grey, green: grey, blue: grey, alpha: 1)
        context.fill(CGRect(x: 0, y: 0, width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture)))
        return picture
    }
}

/// Makes films smaller by reading and writing their samples, as code for uploads does.
final class SampleTranscoder {
    private let asset: AVAsset
    private let queue = DispatchQueue(label: "samples")

    init(asset: AVAsset) { self.asset = asset }

    /// Encodes the pictures anew; the sound stays as it is.
    func transcode(to url: URL, bitRate: Int) async throws {
        guard let video = try await asset.loadTracks(withMediaType: .video).first else { throw SampleError.noTrack }
        let size = try await video.load(.naturalSize)
        let reader = try AVAssetReader(asset: asset)
        let writer = try AVAssetWriter(url: url, fileType: .mp4)
        writer.shouldOptimizeForNetworkUse = true
        var transfers: [(AVAssetReaderTrackOutput, AVAssetWriterInput)] = []
        let pictures = AVAssetReaderTrackOutput(
            track: video,
            outputSettings: [
                kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
            ])
        let encoded = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [
                AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: Int(size.width),
                AVVideoHeightKey: Int(size.height),
                AVVideoCompressionPropertiesKey: [
                    AVVideoAverageBitRateKey: bitRate, AVVideoMaxKeyFrameIntervalKey: 50,
                    AVVideoProfileLevelKey: AVVideoProfileLevelH264HighAutoLevel,
                ],
            ])
        encoded.transform = try await video.load(.preferredTransform)
        transfers.append((pictures, encoded))
        if let audio = try await asset.loadTracks(withMediaType: .audio).first {
            let format = try await audio.load(.formatDescriptions).first
            transfers.append(
                (
                    AVAssetReaderTrackOutput(track: audio, outputSettings: nil),
                    AVAssetWriterInput(mediaType: .audio, outputSettings: nil, sourceFormatHint: format)
                ))
        }
        for (output, input) in transfers {
            reader.add(output)
            writer.add(input)
        }
        guard reader.startReading() else { throw SampleError.cannotRead(reader.error) }
        guard writer.startWriting() else { throw SampleError.cannotWrite(writer.error) }
        writer.startSession(atSourceTime: .zero)
        let group = DispatchGroup()
        for (output, input) in transfers {
            group.enter()
            input.requestMediaDataWhenReady(on: DispatchQueue(label: "transfer")) {
                while input.isReadyForMoreMediaData {
                    if let sample = output.copyNextSampleBuffer(), input.append(sample) { continue }
                    input.markAsFinished()
                    group.leave()
                    return
                }
            }
        }
        await withCheckedContinuation { continuation in
            group.notify(queue: queue) { continuation.resume() }
        }
        guard reader.status == .completed else {
            writer.cancelWriting()
            throw SampleError.cannotRead(reader.error)
        }
        await writer.finishWriting()
        guard writer.status == .completed else { throw SampleError.cannotWrite(writer.error) }
    }
}

/// How loud sound is, as waveform views ask for it.
struct LoudnessReader {
    let asset: AVAsset

    /// The greatest sample of each stretch of all sound together.
    func peaks(samplesPerPeak: Int) async throws -> [Int16] {
        let tracks = try await asset.loadTracks(withMediaType: .audio)
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderAudioMixOutput(
            audioTracks: tracks,
            audioSettings: [
                AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 16,
                AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: false,
            ])
        reader.add(output)
        guard reader.startReading() else { throw SampleError.cannotRead(reader.error) }
        var (peaks, current, count): ([Int16], Int16, Int) = ([], 0, 0)
        while let sample = output.copyNextSampleBuffer() {
            guard let block = CMSampleBufferGetDataBuffer(sample) else { continue }
            var data = [Int16](repeating: 0, count: CMBlockBufferGetDataLength(block) / 2)
            CMBlockBufferCopyDataBytes(
                block, atOffset: 0, dataLength: CMBlockBufferGetDataLength(block), destination: &data)
            for value in data {
                current = max(current, value == .min ? .max : abs(value))
                count += 1
                if count == samplesPerPeak {
                    peaks.append(current)
                    (current, count) = (0, 0)
                }
            }
        }
        guard reader.status == .completed else { throw SampleError.cannotRead(reader.error) }
        return peaks
    }
}

/// Reads a file of sound into memory and writes its first half, as samplers do.
func halve(_ source: URL, to target: URL) throws -> (frames: AVAudioFramePosition, rate: Double) {
    let file = try AVAudioFile(forReading: source)
    let half = AVAudioFrameCount(file.length / 2)
    guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: half) else {
        throw SampleError.cannotRead(nil)
    }
    try file.read(into: buffer, frameCount: half)
    do {
        let written = try AVAudioFile(forWriting: target, settings: file.processingFormat.settings)
        try written.write(from: buffer)
    }
    return (file.length, file.processingFormat.sampleRate)
}
