import AssetReadWrite
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import SampleBuffers
import Testing

/// Coded samples, states, mistakes and the end of readers.
struct ReaderTests {
    private func track(_ name: String, _ type: AVMediaType = .video) async throws -> (AVURLAsset, AVAssetTrack) {
        let asset = Fixture(name).asset
        return (asset, try #require(try await asset.loadTracks(withMediaType: type).first))
    }

    @Test(arguments: ["vfr.mp4", "long-gop.mp4", "movie.mp4", "hevc-open-gop.mp4", "cues.mkv", "one-frame.mp4"])
    func `Coded samples last until the next one is shown`(_ name: String) async throws {
        let samples = try await Reading.read(Fixture(name).asset, nil).samples
        let told = try await ffprobe(Fixture(name).path, ["-select_streams", "v:0", "-show_entries", "frame=pts_time"])
        let times = told.compactMap { Double($0.split(separator: ",")[0]) }
        let inOrder = samples.sorted { $0.presentationTimeStamp < $1.presentationTimeStamp }
        try #require(samples.count == times.count)
        for (sample, (start, end)) in zip(inOrder, zip(times, times.dropFirst())) {
            #expect(abs(sample.duration.seconds - (end - start)) < 0.0015, "\(sample.presentationTimeStamp.seconds)")
        }
        let last = try #require(inOrder.last)
        // Sound lasts longer in one of them.
        guard name != "movie.mp4" else { return }
        let length = try await ffprobe(Fixture(name).path, ["-show_entries", "format=duration"])
        let end = (last.presentationTimeStamp + last.duration).seconds
        #expect(abs(end - (Double(length.first ?? "") ?? 0)) < 0.0015)
    }

    @Test(
        .enabled(if: Fixture.corpus != nil, "there is no corpus"),
        arguments: ["timecode/max-heromode.mp4", "quicktime-meta/quicktime-hvc1.mov", "edit-list/sample_edit_list.mp4"])
    func `Data tracks of the corpus have all their samples`(_ name: String) async throws {
        let url = try #require(Fixture.corpus).appendingPathComponent(name)
        let asset = AVURLAsset(url: url)
        let told = try await ffprobe(
            url.path, ["-select_streams", "d", "-count_packets", "-show_entries", "stream=nb_read_packets"])
        var counts: [Int] = []
        for track in try await asset.load(.tracks) where ![.video, .audio].contains(track.mediaType) {
            let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
            let reading = try Reading.read(asset, output, isDecoded: false)
            #expect(reading.status == .completed)
            counts.append(reading.samples.count)
        }
        #expect(counts == told.compactMap { Int($0) })
    }

    @Test(arguments: ["movie.mp4", "h264-open-gop.mp4", "cues.mkv", "vp9.webm", "edit-list-trim.mp4"])
    func `Coded samples are the packets that ffprobe lists`(_ name: String) async throws {
        let reading = try await Reading.read(Fixture(name).asset, nil)
        #expect(reading.status == .completed)
        let packets = try await ffprobe(
            Fixture(name).path, ["-select_streams", "v:0", "-show_entries", "packet=pts_time,size,flags"])
        #expect(reading.samples.count == packets.count)
        // What is zero is the asset's own affair.
        let zero =
            try CMSampleBufferGetPresentationTimeStamp(#require(reading.samples.first)).seconds
            - (Double(#require(packets.first).split(separator: ",")[0]) ?? -1)
        for (sample, packet) in zip(reading.samples, packets) {
            let fields = packet.split(separator: ",").map(String.init)
            #expect(
                abs(CMSampleBufferGetPresentationTimeStamp(sample).seconds - (Double(fields[0]) ?? -1) - zero)
                    < 0.000_01)
            #expect(CMSampleBufferGetTotalSampleSize(sample) == Int(fields[1]))
            let said =
                CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)?.firstObject as? NSDictionary
            let isSync = (said?.object(forKey: kCMSampleAttachmentKey_NotSync) as? NSNumber)?.boolValue != true
            #expect(isSync == fields[2].hasPrefix("K"))
            let isHidden = (said?.object(forKey: kCMSampleAttachmentKey_DoNotDisplay) as? NSNumber)?.boolValue == true
            #expect(isHidden == fields[2].contains("D"))
        }
    }

    @Test func `Coded samples of a range begin with a sync sample and hide what is not shown`() async throws {
        let reading = try await Reading.read(
            Fixture("long-gop.mp4").asset, nil, range: range(seconds(3000), seconds(3200)))
        let first = try #require(reading.samples.first)
        #expect(CMSampleBufferGetSampleAttachmentsArray(first, createIfNecessary: false) != nil)
        let shown = reading.samples.filter { sample in
            let said =
                CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)?.firstObject as? NSDictionary
            return said?.object(forKey: kCMSampleAttachmentKey_DoNotDisplay) == nil
        }
        let times = shown.map { CMSampleBufferGetPresentationTimeStamp($0) }.sorted()
        #expect(times == (75..<80).map { seconds(Int64($0), 25) })
    }

    @Test func `A reader is used once, and completes with the last of its outputs`() async throws {
        let asset = Fixture("movie.mp4").asset
        let video = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let audio = try #require(try await asset.loadTracks(withMediaType: .audio).first)
        let reader = try AVAssetReader(asset: asset)
        let outputs = [video, audio].map { AVAssetReaderTrackOutput(track: $0, outputSettings: nil) }
        for output in outputs {
            #expect(reader.canAdd(output))
            reader.add(output)
            #expect(!reader.canAdd(output))
        }
        #expect(reader.outputs.count == 2)
        #expect(outputs[0].copyNextSampleBuffer() == nil)
        #expect(reader.startReading())
        #expect(reader.status == .reading)
        // All of one first: nothing waits for the other.
        while outputs[0].copyNextSampleBuffer() != nil {}
        #expect(reader.status == .reading)
        while outputs[1].copyNextSampleBuffer() != nil {}
        #expect(reader.status == .completed)
        #expect(!reader.startReading())
    }

    @Test func `Ranges are read again where random access was asked for`() async throws {
        let (asset, track) = try await track("movie.mp4")
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: [:])
        output.supportsRandomAccess = true
        reader.timeRange = range(.zero, seconds(200))
        reader.add(output)
        #expect(reader.startReading())
        func times() -> [CMTime] {
            var times: [CMTime] = []
            while let sample = output.copyNextSampleBuffer() {
                times.append(CMSampleBufferGetPresentationTimeStamp(sample))
            }
            return times
        }
        #expect(times() == (0..<5).map { seconds($0, 25) })
        #expect(reader.status == .reading)
        let ranges = [range(seconds(400), seconds(480)), range(seconds(4000), seconds(4080))]
        output.reset(forReadingTimeRanges: ranges.map { NSValue(timeRange: $0) })
        #expect(times() == [10, 11, 100, 101].map { seconds($0, 25) })
        output.markConfigurationAsFinal()
        #expect(reader.status == .completed)
    }

    @Test func `Impossible settings of a reader's output are errors`() async throws {
        let (asset, track) = try await track("movie.mp4")
        let bad: [[String: Any]] = [
            pictures(1_234_567), pictures(kCVPixelFormatType_32BGRA, width: 0),
            [String(describing: kCVPixelBufferPixelFormatTypeKey): "BGRA"], [AVVideoCodecKey: "avc1"],
        ]
        for settings in bad {
            let reader = try AVAssetReader(asset: asset)
            let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
            #expect(!reader.canAdd(output))
            reader.add(output)
            #expect(!reader.startReading())
            #expect(reader.status == .failed)
            #expect((reader.error as? AVError)?.code == .incorrectlyConfigured)
            #expect(output.copyNextSampleBuffer() == nil)
        }
        let sound = try #require(try await asset.loadTracks(withMediaType: .audio).first)
        let badSound: [[String: Any]] = [
            [AVFormatIDKey: kAudioFormatMPEG4AAC], [AVLinearPCMBitDepthKey: 12], [AVSampleRateKey: -1],
            [AVNumberOfChannelsKey: "two"],
        ]
        for settings in badSound {
            #expect(
                try !AVAssetReader(asset: asset).canAdd(
                    AVAssetReaderTrackOutput(track: sound, outputSettings: settings)))
        }
    }

    @Test func `Tracks of other assets and ranges without a length are refused`() async throws {
        let (asset, _) = try await track("movie.mp4")
        let (_, other) = try await track("vfr.mp4")
        let reader = try AVAssetReader(asset: asset)
        #expect(!reader.canAdd(AVAssetReaderTrackOutput(track: other, outputSettings: nil)))
        for range in [CMTimeRange.zero, .invalid, CMTimeRange(start: seconds(-5), duration: seconds(10))] {
            let reading = try await Reading.read(asset, range: range)
            #expect(reading.status == .failed)
            #expect((reading.error as? AVError)?.code == .incorrectlyConfigured)
        }
    }

    @Test func `Cancelling a reader ends reading, from another thread too`() async throws {
        let (asset, track) = try await track("long-gop.mp4")
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: [:])
        reader.add(output)
        #expect(reader.startReading())
        #expect(output.copyNextSampleBuffer() != nil)
        Thread.detachNewThread { reader.cancelReading() }
        while output.copyNextSampleBuffer() != nil {}
        #expect(reader.status == .cancelled || reader.status == .completed)
        reader.cancelReading()
        #expect(output.copyNextSampleBuffer() == nil)
    }

    @Test func `A file that changes while it is read makes the reader fail`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("film.mp4")
        try FileManager.default.copyItem(atPath: Fixture("movie.mp4").path, toPath: path)
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        reader.add(output)
        #expect(reader.startReading())
        #expect(output.copyNextSampleBuffer() != nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data([0, 0, 0, 8]) + Data("free".utf8))
        try file.close()
        while output.copyNextSampleBuffer() != nil {}
        #expect(reader.status == .failed)
        #expect((reader.error as? AVError)?.code == .invalidSourceMedia)
    }

    @Test func `Samples outlive the reader that gave them`() async throws {
        var reading: Reading? = try await Reading.read(
            Fixture("movie.mp4").asset, range: range(.zero, seconds(100)), copies: false)
        let first = try #require(reading?.frames.first)
        reading = nil
        #expect(first.number == 0)
    }
}
