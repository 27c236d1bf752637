import Foundation
import OpenAVFoundation

/// A line for each sample that an output gives, with a digest of its bytes.
func lines(of output: AVAssetReaderOutput, limit: Int = .max) -> [String] {
    var lines: [String] = []
    while lines.count < limit, let sample = output.copyNextSampleBuffer() { lines.append(line(of: sample)) }
    return lines
}

func line(of sample: CMSampleBuffer) -> String {
    let times = [
        CMSampleBufferGetPresentationTimeStamp(sample), CMSampleBufferGetDecodeTimeStamp(sample),
        CMSampleBufferGetDuration(sample), CMSampleBufferGetOutputPresentationTimeStamp(sample),
    ]
    var parts = [times.map(text).joined(separator: " "), "\(CMSampleBufferGetNumSamples(sample))"]
    if let block = CMSampleBufferGetDataBuffer(sample) { parts.append("\(Digest(bytes(of: block)))") }
    if let pixels = CMSampleBufferGetImageBuffer(sample) { parts.append(digest(of: pixels)) }
    let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) as? [[String: Any]]
    for attachment in attachments ?? [] where !attachment.isEmpty {
        parts.append(attachment.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ","))
    }
    return parts.joined(separator: " ")
}

func bytes(of block: CMBlockBuffer) -> Data {
    var data = Data(count: CMBlockBufferGetDataLength(block))
    data.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        CMBlockBufferCopyDataBytes(block, atOffset: 0, dataLength: buffer.count, destination: base)
    }
    return data
}

/// A digest of the rows of all planes; what lies behind the rows is not looked at.
func digest(of pixels: CVPixelBuffer) -> String {
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    var digest = Digest()
    func add(_ base: UnsafeMutableRawPointer?, rows: Int, stride: Int, width: Int) {
        guard let base else { return }
        for row in 0..<rows { digest.add(UnsafeRawBufferPointer(start: base + row * stride, count: width)) }
    }
    let format = CVPixelBufferGetPixelFormatType(pixels)
    if CVPixelBufferIsPlanar(pixels) {
        for plane in 0..<CVPixelBufferGetPlaneCount(pixels) {
            let isPairs = plane == 1 && CVPixelBufferGetPlaneCount(pixels) == 2
            let deep = format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange ? 2 : 1
            add(
                CVPixelBufferGetBaseAddressOfPlane(pixels, plane), rows: CVPixelBufferGetHeightOfPlane(pixels, plane),
                stride: CVPixelBufferGetBytesPerRowOfPlane(pixels, plane),
                width: CVPixelBufferGetWidthOfPlane(pixels, plane) * (isPairs ? 2 : 1) * deep)
        }
    } else {
        let bytesPerPixel = format == kCVPixelFormatType_24RGB ? 3 : 4
        add(
            CVPixelBufferGetBaseAddress(pixels), rows: CVPixelBufferGetHeight(pixels),
            stride: CVPixelBufferGetBytesPerRow(pixels), width: CVPixelBufferGetWidth(pixels) * bytesPerPixel)
    }
    return "\(CVPixelBufferGetWidth(pixels))x\(CVPixelBufferGetHeight(pixels)) \(format) \(digest)"
}

let linearPCM: [String: any Sendable] = [
    AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
    AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: false,
]

func pixelFormat(_ format: OSType) -> [String: any Sendable] {
    [kCVPixelBufferPixelFormatTypeKey as String: format]
}

/// Reads an asset with one output, and writes a line for each sample.
func read(
    _ name: String, _ asset: AVAsset, _ output: AVAssetReaderOutput, _ range: CMTimeRange?, _ workspace: Workspace
) throws {
    let reader = try AVAssetReader(asset: asset)
    if let range { reader.timeRange = range }
    guard reader.canAdd(output) else { throw ClientError.failed("\(name): the output cannot be added") }
    reader.add(output)
    guard reader.startReading() else {
        try workspace.write("\(name).txt", ["error: \(reader.error.map(describe) ?? "none")"])
        return
    }
    var found = lines(of: output)
    found.append("status \(reader.status.rawValue) \(reader.error.map(describe) ?? "")")
    try workspace.write("\(name).txt", found)
}

/// Samples of every fixture: coded ones, decoded frames, decoded audio.
@Sendable func reading(_ workspace: Workspace) async throws {
    let range = CMTimeRange(start: CMTime(value: 1, timescale: 4), duration: CMTime(value: 1, timescale: 2))
    for name in try workspace.all() {
        let asset = AVURLAsset(url: workspace.fixture(name))
        for track in (try? await asset.load(.tracks)) ?? [] {
            let file = "\(name)-\(track.trackID)"
            let coded = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
            try read("\(file)-coded", asset, coded, nil, workspace)
            if track.mediaType == .video {
                let settings = pixelFormat(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
                let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
                try read("\(file)-frames", asset, output, range, workspace)
            } else if track.mediaType == .audio {
                let output = AVAssetReaderTrackOutput(track: track, outputSettings: linearPCM)
                try read("\(file)-audio", asset, output, range, workspace)
            }
        }
    }
    let movie = AVURLAsset(url: workspace.fixture("movie.mp4"))
    guard let video = try await movie.loadTracks(withMediaType: .video).first else { throw ClientError.noTrack }
    for format in [
        kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_24RGB,
        kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8Planar,
        kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
    ] {
        let output = AVAssetReaderTrackOutput(track: video, outputSettings: pixelFormat(format))
        try read("movie-\(format)", movie, output, range, workspace)
    }
    let mix = AVAssetReaderAudioMixOutput(
        audioTracks: try await movie.loadTracks(withMediaType: .audio),
        audioSettings: linearPCM.merging([AVSampleRateKey: 22050, AVNumberOfChannelsKey: 1]) { $1 })
    try read("movie-mix", movie, mix, nil, workspace)
    try audioFile(workspace)
}

private func audioFile(_ workspace: Workspace) throws {
    for name in ["audio-only.flac", "audio-only.m4a", "audio-only.mp3"] {
        let file = try AVAudioFile(forReading: workspace.fixture(name))
        let count = AVAudioFrameCount(min(file.length, 4800))
        guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: count) else { continue }
        try file.read(into: buffer, frameCount: count)
        try workspace.write("\(name)-file.txt", ["\(file.length) \(file.fileFormat) \(buffer.frameLength)"])
        let written = try AVAudioFile(
            forWriting: workspace.result("\(name).wav"), settings: file.processingFormat.settings)
        try written.write(from: buffer)
    }
}
