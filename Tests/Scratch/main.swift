import Foundation
import MediaSamples
import OpenAVFoundation
import SampleBuffers

/// scratch frames FILE [pixfmt] | sound FILE bits float | coded FILE | copy IN OUT
func hash(_ bytes: UnsafeRawBufferPointer, _ h: inout UInt64) {
    for b in bytes { h = (h ^ UInt64(b)) &* 0x100_0000_01b3 }
}
let args = CommandLine.arguments
let url = URL(fileURLWithPath: args[2])
let asset = AVURLAsset(url: url)
let start = Date()
func adler(_ data: [UnsafeRawBufferPointer]) -> UInt32 {
    var a: UInt32 = 0
    var b: UInt32 = 0  // as ffmpeg's framecrc
    for d in data {
        var i = 0
        let n = d.count
        while i < n {
            let end = min(i + 5550, n)
            while i < end {
                a &+= UInt32(d[i])
                b &+= a
                i += 1
            }
            a %= 65521
            b %= 65521
        }
    }
    return b << 16 | a
}
switch args[1] {
case "frames", "time":
    let track = try await asset.loadTracks(withMediaType: .video)[0]
    let reader = try AVAssetReader(asset: asset)
    var settings: [String: Any] = [:]
    if args.count > 3, let n = UInt32(args[3]) { settings[kCVPixelBufferPixelFormatTypeKey as! String] = n }
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
    if args.count > 4 { output.alwaysCopiesSampleData = false }
    reader.add(output)
    if args.count > 6 {
        reader.timeRange = CMTimeRange(
            start: CMTime(seconds: Double(args[5])!, preferredTimescale: 90000),
            end: CMTime(seconds: Double(args[6])!, preferredTimescale: 90000))
    }
    guard reader.startReading() else {
        print("cannot start: \(String(describing: reader.error))")
        exit(1)
    }
    var n = 0
    while let s = output.copyNextSampleBuffer() {
        n += 1
        if args[1] == "time" { continue }
        let b = CMSampleBufferGetImageBuffer(s)!
        CVPixelBufferLockBaseAddress(b, .readOnly)
        var rows: [UnsafeRawBufferPointer] = []
        let f = CVPixelBufferGetPixelFormatType(b)
        let planes = max(1, CVPixelBufferGetPlaneCount(b))
        for p in 0..<planes {
            let planar = CVPixelBufferIsPlanar(b)
            let base = planar ? CVPixelBufferGetBaseAddressOfPlane(b, p)! : CVPixelBufferGetBaseAddress(b)!
            let stride = planar ? CVPixelBufferGetBytesPerRowOfPlane(b, p) : CVPixelBufferGetBytesPerRow(b)
            let (w, h) =
                planar
                ? (CVPixelBufferGetWidthOfPlane(b, p), CVPixelBufferGetHeightOfPlane(b, p))
                : (CVPixelBufferGetWidth(b), CVPixelBufferGetHeight(b))
            let bpp: Int =
                switch f {
                case kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA: 4
                case kCVPixelFormatType_24RGB: 3
                case kCVPixelFormatType_64RGBALE: 8
                case kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_OneComponent16: 2
                case kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange,
                    kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange:
                    p == 0 ? 2 : 4
                case kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
                    kCVPixelFormatType_OneComponent8:
                    1
                default: p == 0 ? 1 : 2
                }
            for y in 0..<h { rows.append(UnsafeRawBufferPointer(start: base + y * stride, count: w * bpp)) }
        }
        let pts = CMSampleBufferGetPresentationTimeStamp(s)
        let d = CMSampleBufferGetDuration(s)
        print(
            String(format: "%.6f %.6f 0x%08x", pts.seconds, d.seconds, adler(rows)),
            "\(CVPixelBufferGetWidth(b))x\(CVPixelBufferGetHeight(b))", f,
            "out \(CMSampleBufferGetOutputPresentationTimeStamp(s).seconds)")
        CVPixelBufferUnlockBaseAddress(b, .readOnly)
    }
    print(
        "# \(n) frames, status \(reader.status.rawValue) \(reader.error.map { "\($0.localizedDescription)" } ?? "") \(-start.timeIntervalSinceNow) s"
    )
case "sound":
    let track = try await asset.loadTracks(withMediaType: .audio)[0]
    let reader = try AVAssetReader(asset: asset)
    var settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM]
    settings[AVLinearPCMBitDepthKey] = Int(args[3])!
    settings[AVLinearPCMIsFloatKey] = args[4] == "1"
    if args.count > 7 { settings[AVSampleRateKey] = Int(args[7])! }
    if args.count > 8 { settings[AVNumberOfChannelsKey] = Int(args[8])! }
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
    reader.add(output)
    if args.count > 6, args[5] != "-" {
        reader.timeRange = CMTimeRange(
            start: CMTime(seconds: Double(args[5])!, preferredTimescale: 48000),
            end: CMTime(seconds: Double(args[6])!, preferredTimescale: 48000))
    }
    guard reader.startReading() else {
        print("cannot start: \(String(describing: reader.error))")
        exit(1)
    }
    var n = 0
    var first: CMTime?
    var last = CMTime.zero
    while let s = output.copyNextSampleBuffer() {
        let data = try CMSampleBufferGetDataBuffer(s)!.dataBytes()
        FileHandle.standardOutput.write(data)
        n += CMSampleBufferGetNumSamples(s)
        if first == nil { first = CMSampleBufferGetPresentationTimeStamp(s) }
        last = CMTimeAdd(CMSampleBufferGetPresentationTimeStamp(s), CMSampleBufferGetDuration(s))
    }
    FileHandle.standardError.write(
        "# \(n) samples \(first?.seconds ?? -1) to \(last.seconds) status \(reader.status.rawValue) \(reader.error.map { "\($0.localizedDescription)" } ?? "") \(-start.timeIntervalSinceNow) s\n"
            .data(using: .utf8)!)
case "coded":
    let track = try await asset.loadTracks(withMediaType: args.count > 3 ? AVMediaType(rawValue: args[3]) : .video)[0]
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    guard reader.startReading() else {
        print("cannot start: \(String(describing: reader.error))")
        exit(1)
    }
    var n = 0
    var bytes = 0
    while let s = output.copyNextSampleBuffer() {
        n += 1
        bytes += CMSampleBufferGetTotalSampleSize(s)
    }
    print(
        "# \(n) samples, \(bytes) bytes, status \(reader.status.rawValue) \(reader.error.map { "\($0.localizedDescription)" } ?? "") \(-start.timeIntervalSinceNow) s"
    )
case "copy", "transcode":
    let reader = try AVAssetReader(asset: asset)
    let out = URL(fileURLWithPath: args[3])
    if args.count > 5 {
        reader.timeRange = CMTimeRange(
            start: CMTime(seconds: Double(args[4])!, preferredTimescale: 90000),
            end: CMTime(seconds: Double(args[5])!, preferredTimescale: 90000))
    }
    let writer = try AVAssetWriter(outputURL: out, fileType: AVFileType(filenameExtension: out.pathExtension)!)
    var pairs: [(AVAssetReaderTrackOutput, AVAssetWriterInput)] = []
    for track in try await asset.load(.tracks) {
        var inS: [String: Any]?
        var outS: [String: Any]?
        if args[1] == "transcode" {
            guard [.video, .audio].contains(track.mediaType) else { continue }
            if track.mediaType == .video {
                let size = try await track.load(.naturalSize)
                inS = [:]
                outS = [
                    AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: Int(size.width),
                    AVVideoHeightKey: Int(size.height),
                ]
            } else {
                inS = [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32]
                outS = [AVFormatIDKey: kAudioFormatMPEG4AAC]
            }
        }
        let o = AVAssetReaderTrackOutput(track: track, outputSettings: inS)
        o.alwaysCopiesSampleData = false
        let i = AVAssetWriterInput(mediaType: track.mediaType, outputSettings: outS)
        if track.mediaType == .video { i.transform = try await track.load(.preferredTransform) }
        reader.add(o)
        writer.add(i)
        pairs.append((o, i))
    }
    guard reader.startReading() else {
        print("cannot start: \(String(describing: reader.error))")
        exit(1)
    }
    guard writer.startWriting() else {
        print("cannot write: \(String(describing: writer.error))")
        exit(1)
    }
    let from = args.count > 5 ? CMTime(seconds: Double(args[4])!, preferredTimescale: 90000) : .zero
    writer.startSession(atSourceTime: from)
    await withTaskGroup(of: Void.self) { group in
        for (o, i) in pairs {
            let q = DispatchQueue(label: "q")
            nonisolated(unsafe) let (o, i) = (o, i)
            group.addTask {
                await withCheckedContinuation { c in
                    let done = NSLock()
                    nonisolated(unsafe) var isDone = false
                    i.requestMediaDataWhenReady(on: q) {
                        while i.isReadyForMoreMediaData {
                            if let s = o.copyNextSampleBuffer(), i.append(s) { continue }
                            i.markAsFinished()
                            done.lock()
                            let was = isDone
                            isDone = true
                            done.unlock()
                            if !was { c.resume() }
                            return
                        }
                    }
                }
            }
        }
    }
    await writer.finishWriting()
    print(
        "# reader \(reader.status.rawValue) \(String(describing: reader.error)) writer \(writer.status.rawValue) \(String(describing: writer.error)) \(-start.timeIntervalSinceNow) s"
    )
case "shown":
    var n = 0
    for try await f in asset.frames(format: kCVPixelFormatType_24RGB) {
        n += 1
        if n > 1 { break }
        let (w, h) = (CVPixelBufferGetWidth(f.pixelBuffer), CVPixelBufferGetHeight(f.pixelBuffer))
        var data = Data("P6 \(w) \(h) 255\n".utf8)
        f.withPlane(0) { b, stride in
            for y in 0..<h {
                for x in 0..<(3 * w) { data.append(b.unsafeLoad(fromByteOffset: y * stride + x, as: UInt8.self)) }
            }
        }
        try data.write(to: URL(fileURLWithPath: args[3]))
    }
default: print("?")
}
if args[1] == "said" {
    let out = URL(fileURLWithPath: args[3])
    let writer = try AVAssetWriter(outputURL: out, fileType: out.pathExtension == "mp4" ? .mp4 : .mov)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 48])
    input.transform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 48, ty: 0)
    input.languageCode = "swe"
    input.mediaTimeScale = 24_000
    let title = AVMutableMetadataItem()
    title.identifier = .commonIdentifierTitle
    title.value = "Ett namn" as NSString
    writer.metadata = [title]
    writer.movieTimeScale = 48_000
    writer.add(input)
    try writer.start()
    writer.startSession(atSourceTime: .zero)
    let a = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input, sourcePixelBufferAttributes: [:])
    for i in 0..<3 { var b: CVPixelBuffer?; CVPixelBufferPoolCreatePixelBuffer(nil, a.pixelBufferPool!, &b); print(a.append(b!, withPresentationTime: CMTime(value: Int64(i), timescale: 24))) }
    await writer.finishWriting()
    print(writer.status.rawValue, writer.metadataLosses)
}
