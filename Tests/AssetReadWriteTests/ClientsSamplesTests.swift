import AssetExport
import AssetReadWrite
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import SampleBuffers
import Testing

/// Samples that a client encoded itself, or got from elsewhere: their descriptions, and files of them.
struct ClientsSamplesTests {
    /// The parameter sets that a description tells, by the functions of C.
    private func sets(
        _ description: CMFormatDescription, isHEVC: Bool
    ) throws -> (sets: [[UInt8]], lengthSize: Int32) {
        let get =
            isHEVC
            ? CMVideoFormatDescriptionGetHEVCParameterSetAtIndex : CMVideoFormatDescriptionGetH264ParameterSetAtIndex
        var (count, lengthSize): (Int, Int32) = (0, 0)
        #expect(get(description, 0, nil, nil, &count, &lengthSize) == 0)
        let sets = try (0..<count).map { index in
            var (pointer, size): (UnsafePointer<UInt8>?, Int) = (nil, 0)
            #expect(get(description, index, &pointer, &size, nil, nil) == 0)
            return Array(UnsafeBufferPointer(start: try #require(pointer), count: size))
        }
        #expect(get(description, count, nil, nil, nil, nil) == -12710)
        return (sets, lengthSize)
    }

    private func description(_ sets: [[UInt8]], isHEVC: Bool, lengthSize: Int32 = 4) -> CMFormatDescription? {
        var made: CMFormatDescription?
        let pointers = sets.map { set in
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: set.count)
            _ = copy.initialize(from: set)
            return copy
        }
        defer { for pointer in pointers { pointer.deallocate() } }
        let starts = pointers.compactMap { $0.baseAddress.map { UnsafePointer($0) } }
        let status =
            isHEVC
            ? CMVideoFormatDescriptionCreateFromHEVCParameterSets(
                allocator: nil, parameterSetCount: sets.count, parameterSetPointers: starts,
                parameterSetSizes: sets.map(\.count), nalUnitHeaderLength: lengthSize, extensions: nil,
                formatDescriptionOut: &made)
            : CMVideoFormatDescriptionCreateFromH264ParameterSets(
                allocator: nil, parameterSetCount: sets.count, parameterSetPointers: starts,
                parameterSetSizes: sets.map(\.count), nalUnitHeaderLength: lengthSize, formatDescriptionOut: &made)
        #expect((status == 0) == (made != nil))
        return made
    }

    /// A sample with the same bytes and times, as a client would make it that never saw the file.
    private func strangers(_ sample: CMSampleBuffer, _ format: CMFormatDescription) throws -> CMSampleBuffer {
        let bytes = try #require(sample.dataBuffer).withContiguousStorage { Data($0) }
        let block = try CMBlockBuffer(length: bytes.count)
        try block.fillDataBytes(with: 0)
        try bytes.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
        let new = try CMSampleBuffer(
            dataBuffer: block, formatDescription: format, numSamples: 1, sampleTimings: sample.sampleTimingInfos(),
            sampleSizes: [bytes.count])
        if let list = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false),
            (list[0] as? NSDictionary)?.object(forKey: kCMSampleAttachmentKey_NotSync) != nil,
            let own = CMSampleBufferGetSampleAttachmentsArray(new, createIfNecessary: true)?[0] as? NSMutableDictionary
        {
            own.setObject(NSNumber(value: true), forKey: kCMSampleAttachmentKey_NotSync)
        }
        return new
    }

    private func copy(
        _ fixture: String, _ mediaType: AVMediaType, to path: String, hints: Bool = false,
        _ format: (CMFormatDescription) throws -> CMFormatDescription
    ) async throws {
        let asset = Fixture(fixture).asset
        let track = try #require(try await asset.loadTracks(withMediaType: mediaType).first)
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        reader.add(output)
        try reader.start()
        let url = URL(fileURLWithPath: path)
        let writer = try AVAssetWriter(
            outputURL: url, fileType: #require(AVFileType(filenameExtension: url.pathExtension)))
        let own = try format(try #require(try await track.load(.formatDescriptions).first))
        let input = AVAssetWriterInput(
            mediaType: mediaType, outputSettings: nil, sourceFormatHint: hints ? own : nil)
        writer.add(input)
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        while let sample = output.copyNextSampleBuffer() { #expect(input.append(try strangers(sample, own))) }
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
    }

    private func hashes(_ path: String, _ stream: String) async throws -> [String] {
        var result: [String] = []
        for options in [["-c", "copy", "-f", "streamhash"], ["-f", "framemd5"]] {
            let passthrough = stream == "v" ? ["-fps_mode", "passthrough"] : []
            let run = try await CommandRun.run(
                "ffmpeg", ["-v", "error", "-i", path, "-map", "0:\(stream):0"] + passthrough + options + ["-"])
            result += run.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
                String($0.split(separator: $0.contains("=") ? "=" : ",").last ?? "")
            }
        }
        return result
    }

    @Test(
        arguments: Tier.some(
            [
                ("movie.mp4", "mp4"), ("movie.mp4", "mkv"), ("long-gop.mp4", "mov"), ("h264-444.mp4", "mp4"),
                ("interlaced-tff.mp4", "mp4"), ("hevc-open-gop.mp4", "mp4"), ("hevc-open-gop.mp4", "mov"),
                ("10bit.mp4", "mp4"),
            ], 3))
    func `Coded frames made by a client are written as they are`(_ name: String, _ kind: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("copy." + kind)
        try await copy(name, .video, to: path, hints: kind == "mov") { known in
            let isHEVC = known.mediaSubType == .hevc
            let (sets, lengthSize) = try sets(known, isHEVC: isHEVC)
            let made = try #require(description(sets.reversed(), isHEVC: isHEVC, lengthSize: lengthSize))
            #expect(made.dimensions == known.dimensions)
            #expect(made.parameterSets == known.parameterSets)
            #expect(made.nalUnitHeaderLength == 4)
            return made
        }
        #expect(try await hashes(path, "v") == hashes(Fixture(name).path, "v"))
        let facts = ["-select_streams", "v", "-show_entries", "stream=codec_name,profile,width,height,pix_fmt"]
        #expect(try await ffprobe(path, facts) == ffprobe(Fixture(name).path, facts))
    }

    @Test(arguments: ["movie.mp4", "long-gop.mp4", "10bit.mp4", "hevc-open-gop.mp4", "interlaced-tff.mp4"])
    func `Parameter sets in a format description are those of the file`(_ name: String) async throws {
        let track = try #require(try await Fixture(name).asset.loadTracks(withMediaType: .video).first)
        let description = try #require(try await track.load(.formatDescriptions).first)
        let atoms =
            CMFormatDescriptionGetExtension(
                description, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
            as? NSDictionary
        let isHEVC = description.mediaSubType == .hevc
        let told = try #require(atoms?.object(forKey: NSString(string: isHEVC ? "hvcC" : "avcC")) as? NSData) as Data
        let file = try Data(contentsOf: URL(fileURLWithPath: Fixture(name).path))
        let box = try #require(file.firstRange(of: Data((isHEVC ? "hvcC" : "avcC").utf8)))
        let size = file[(box.lowerBound - 4)..<box.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        let own = file[box.upperBound..<(box.lowerBound + size - 4)]
        // The spacing of slices, and the rate of pictures, are not in the sets themselves; writers differ in the rest.
        #expect(told.prefix(isHEVC ? 13 : 5) == own.prefix(isHEVC ? 13 : 5))
        if !isHEVC { #expect(told == Data(own)) }
        for set in description.parameterSets { #expect(own.firstRange(of: set) != nil) }
    }

    @Test(arguments: Tier.some(["m4a", "mov", "mp4"], 1))
    func `AAC made by a client is written as it is`(_ kind: String) async throws {
        let folder = try TemporaryFolder()
        // The configuration by itself, in descriptors, one with a byte of its rate that looks like a tag, and none.
        let plain: [UInt8] = [0x11, 0x90]
        let descriptor: [UInt8] =
            [3, 0x16, 0, 1, 0, 4, 0x11, 0x40, 0x15] + [UInt8](repeating: 0, count: 11) + [5, 2] + plain
        let fast: [UInt8] =
            [3, 0x80, 0x80, 0x80, 0x22, 0, 0, 0, 4, 0x80, 0x80, 0x80, 0x14, 0x40, 0x15, 0, 0x18, 0, 0, 5, 0xDC, 0]
            + [0, 5, 0xDC, 0, 5, 0x80, 0x80, 0x80, 2] + plain + [6, 0x80, 0x80, 0x80, 1, 2]
        for (index, cookie) in [plain, descriptor, fast, [0, 0, 0, 0] + fast, []].enumerated() {
            let path = folder.path("\(index).\(kind)")
            try await copy("audio-only.m4a", .audio, to: path) { known in
                var stream = try #require(known.audioStreamBasicDescription)
                #expect((stream.mSampleRate, stream.mChannelsPerFrame) == (48_000, 2))
                var made: CMFormatDescription?
                _ = CMAudioFormatDescriptionCreate(
                    allocator: nil, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: cookie.count,
                    magicCookie: cookie, extensions: nil, formatDescriptionOut: &made)
                let new = try #require(made)
                var size = 0
                let lent = CMAudioFormatDescriptionGetMagicCookie(new, sizeOut: &size)
                #expect(Array(UnsafeRawBufferPointer(start: lent, count: size)) == cookie)
                return new
            }
            #expect(try await hashes(path, "a").first == hashes(Fixture("audio-only.m4a").path, "a").first)
        }
    }

    @Test(arguments: ["wav", "mov", "caf", "aiff"])
    func `PCM in a client's memory is written as it is`(_ kind: String) async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path("sound." + kind))
        var stream = AudioStreamBasicDescription(
            mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
                | (kind == "aiff" ? kAudioFormatFlagIsBigEndian : 0),
            mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16,
            mReserved: 0)
        var made: CMFormatDescription?
        _ = CMAudioFormatDescriptionCreate(
            allocator: nil, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
            extensions: nil, formatDescriptionOut: &made)
        let format = try #require(made)
        let writer = try AVAssetWriter(
            outputURL: url, fileType: #require(AVFileType(filenameExtension: url.pathExtension)))
        let input = AVAssetWriterInput(mediaType: .audio, outputSettings: nil)
        writer.add(input)
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        let bytes = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7 / 3) })
        for start in stride(from: 0, to: bytes.count, by: 4000) {
            let block = try CMBlockBuffer(length: 4000)
            try block.fillDataBytes(with: 0)
            try bytes[start..<(start + 4000)].withUnsafeBytes { try block.replaceDataBytes(with: $0) }
            #expect(
                input.append(
                    try CMSampleBuffer(
                        dataBuffer: block, formatDescription: format, numSamples: 1000,
                        presentationTimeStamp: seconds(Int64(start / 4), 48_000), packetDescriptions: [])))
        }
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        let run = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-i", url.path, "-f", kind == "aiff" ? "s16be" : "s16le", "-"])
        let isSame = run.standardOutput == bytes
        #expect(isSame)
    }

    @Test func `A written track has one format description`() async throws {
        let folder = try TemporaryFolder()
        let writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: folder.path("two.mp4")), fileType: .mp4)
        let input = AVAssetWriterInput(mediaType: .video, outputSettings: nil)
        writer.add(input)
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        let first = try await Reading.read(Fixture("movie.mp4").asset, nil).samples
        // The same film read again says the same.
        let again = try await Reading.read(Fixture("movie.mp4").asset, nil).samples
        let other = try await Reading.read(Fixture("anamorphic.mp4").asset, nil).samples
        #expect(input.append(first[0]))
        #expect(input.append(again[1]))
        #expect(!input.append(other[2]))
        #expect(writer.status == .failed)
        #expect("\(writer.error as Any)".contains("another format description"))
        #expect(try folder.contents().isEmpty)
    }

    @Test func `Format descriptions without complete parameter sets are refused`() async throws {
        let track = try #require(try await Fixture("movie.mp4").asset.loadTracks(withMediaType: .video).first)
        let known = try #require(try await track.load(.formatDescriptions).first)
        let sets = try sets(known, isHEVC: false).sets
        #expect(description(sets, isHEVC: false) != nil)
        #expect(description([sets[0]], isHEVC: false) == nil)
        #expect(description(sets, isHEVC: true) == nil)
        #expect(description(sets, isHEVC: false, lengthSize: 3) == nil)
        #expect(description([[0x67], sets[1]], isHEVC: false) == nil)
        #expect(description([Array(sets[0].prefix(6)), sets[1]], isHEVC: false) == nil)
        #expect(throws: NSError.self) { try CMFormatDescription(h264ParameterSets: []) }
        var plain: CMFormatDescription?
        _ = CMVideoFormatDescriptionCreate(
            allocator: nil, codecType: kCMVideoCodecType_H264, width: 64, height: 48, extensions: nil,
            formatDescriptionOut: &plain)
        let folder = try TemporaryFolder()
        for (name, format) in [("a.mp4", plain), ("b.mp4", nil)] {
            let writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: folder.path(name)), fileType: .mp4)
            let input = AVAssetWriterInput(mediaType: .video, outputSettings: nil)
            writer.add(input)
            try writer.start()
            writer.startSession(atSourceTime: .zero)
            let block = try CMBlockBuffer(length: 8)
            try block.fillDataBytes(with: 1)
            let sample = try CMSampleBuffer(
                dataBuffer: block, formatDescription: format, numSamples: 1,
                sampleTimings: [
                    CMSampleTimingInfo(
                        duration: seconds(1, 25), presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
                ], sampleSizes: [8])
            #expect(!input.append(sample))
            #expect(writer.status == .failed)
        }
        #expect(try folder.contents().isEmpty)
    }
}
