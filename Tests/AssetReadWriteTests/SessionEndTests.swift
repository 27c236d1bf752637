import AssetExport
import AssetReadWrite
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaMetadata
import MediaTestSupport
import SampleBuffers
import Testing

/// Where films of samples end, and which of their tracks are alternatives, as other programs see it.
struct SessionEndTests {
    /// Copies a film sample by sample, or encodes it anew, and ends the session early.
    private func film(
        _ name: String, of fixture: String, in folder: TemporaryFolder, end: CMTime, isEncoded: Bool,
        start: CMTime = .zero
    ) async throws -> String {
        let asset = Fixture(fixture).asset
        let url = URL(fileURLWithPath: folder.path(name))
        let writer = try AVAssetWriter(
            outputURL: url, fileType: #require(AVFileType(filenameExtension: url.pathExtension)))
        let reader = try AVAssetReader(asset: asset)
        var pairs: [(AVAssetReaderTrackOutput, AVAssetWriterInput)] = []
        for track in try await asset.load(.tracks) where !isEncoded || track.mediaType != .text {
            let encoding: [String: Any] =
                track.mediaType == .video
                ? [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 320, AVVideoHeightKey: 240]
                : [AVFormatIDKey: kAudioFormatMPEG4AAC]
            let output = AVAssetReaderTrackOutput(track: track, outputSettings: isEncoded ? [:] : nil)
            let input = AVAssetWriterInput(
                mediaType: track.mediaType, outputSettings: isEncoded ? encoding : nil)
            reader.add(output)
            writer.add(input)
            pairs.append((output, input))
        }
        try reader.start()
        try writer.start()
        writer.startSession(atSourceTime: start)
        for (output, input) in pairs {
            while let sample = output.copyNextSampleBuffer() { #expect(input.append(sample)) }
        }
        writer.endSession(atSourceTime: end)
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        return url.path
    }

    private func pictureCount(_ path: String) async throws -> Int {
        try await CommandRun.ffmpegPixels(of: path, options: ["-fps_mode", "passthrough", "-s", "4x4"]).count / 48
    }

    private func soundLength(_ path: String) async throws -> Double {
        let run = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-ar", "48000", "-f", "s16le", "-"])
        return Double(run.standardOutput.count) / 2 / 48_000
    }

    @Test(arguments: [("copy.mp4", false), ("copy.mov", false), ("new.mp4", true), ("new.mov", true)])
    func `Samples after a session's end are neither shown nor heard`(_ name: String, _ isEncoded: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = try await film(name, of: "movie.mp4", in: folder, end: seconds(13, 10), isEncoded: isEncoded)
        // 25 pictures a second: the one at 1.28 s is the last that begins before 1.3 s.
        #expect(try await pictureCount(path) == 33)
        #expect(abs(try await soundLength(path) - 1.3) < 0.03)
        let told = try await ffprobe(path, ["-show_entries", "format=duration"])
        #expect(told == ["1.300000"])
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        #expect(try await asset.load(.duration) == seconds(13, 10))
        let frames = try await Reading.read(asset).frames
        #expect(frames.map(\.number) == (0..<33).map { $0 })
        #expect(frames.last.map { $0.presentationTime + $0.duration } == seconds(13, 10))
    }

    @Test func `A written session that starts late and ends early is just that long`() async throws {
        let folder = try TemporaryFolder()
        let path = try await film(
            "part.mp4", of: "long-gop.mp4", in: folder, end: seconds(3, 1), isEncoded: false, start: seconds(2, 1))
        let frames = try await Reading.read(AVURLAsset(url: URL(fileURLWithPath: path))).frames
        #expect(frames.map(\.number) == (50..<75).map { $0 })
        #expect(try await ffprobe(path, ["-show_entries", "format=duration"]) == ["1.000000"])
    }

    @Test func `A session's end after the last sample cuts nothing`() async throws {
        let folder = try TemporaryFolder()
        let path = try await film("all.mp4", of: "movie.mp4", in: folder, end: seconds(60, 1), isEncoded: false)
        #expect(try await pictureCount(path) == pictureCount(Fixture("movie.mp4").path))
    }

    @Test(arguments: ["alternatives.mp4", "alternatives.mov"])
    func `Tracks of an input group are alternatives, of which the default one is enabled`(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path(name))
        let writer = try AVAssetWriter(
            outputURL: url, fileType: #require(AVFileType(filenameExtension: url.pathExtension)))
        let asset = Fixture("movie.mp4").asset
        let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
        var inputs: [AVAssetWriterInput] = []
        for language in ["eng", "deu", "fra"] {
            let input = AVAssetWriterInput(mediaType: .audio, outputSettings: nil)
            input.languageCode = language
            writer.add(input)
            inputs.append(input)
        }
        let group = AVAssetWriterInputGroup(inputs: Array(inputs[0..<2]), defaultInput: inputs[1])
        #expect(writer.canAdd(group))
        writer.add(group)
        #expect(!writer.canAdd(AVAssetWriterInputGroup(inputs: [inputs[1], inputs[2]], defaultInput: nil)))
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        for input in inputs {
            let reader = try AVAssetReader(asset: asset)
            let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
            reader.add(output)
            try reader.start()
            while let sample = output.copyNextSampleBuffer() { #expect(input.append(sample)) }
            input.markAsFinished()
        }
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        // By ISO/IEC 14496-12: flags at 1, the group after the duration and eight reserved bytes and the layer.
        let bytes = [UInt8](try Data(contentsOf: url))
        let headers = bytes.indices.dropLast(48).filter { bytes[$0..<($0 + 4)].elementsEqual("tkhd".utf8) }
        let groups = headers.map { Int(bytes[$0 + 4 + 34]) << 8 | Int(bytes[$0 + 4 + 35]) }
        try #require(groups.count == 3)
        #expect(groups[0] == groups[1] && groups[0] != groups[2] && groups[0] != 0)
        #expect(headers.map { bytes[$0 + 7] & 1 } == [0, 1, 1])
        let made = AVURLAsset(url: url)
        let selection = try #require(try await made.loadMediaSelectionGroup(for: .audible))
        #expect(selection.options.count >= 2)
        #expect(selection.defaultOption?.extendedLanguageTag?.hasPrefix("de") == true)
    }
}
