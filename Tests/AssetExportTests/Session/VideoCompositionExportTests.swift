import AssetExport
import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaImage
import MediaTestSupport
import SampleBuffers
import Testing

private func t(_ value: Int64, _ timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

@Suite("Exports of video compositions", .timeLimit(.minutes(5)))
struct VideoCompositionExportTests {
    private static let red = [200.0, 40, 30]
    private static let blue = [20.0, 60, 180]

    /// Blue of 64x48 over red of 128x96, two seconds.
    private func layered(
        _ studio: Studio, _ place: (AVMutableVideoCompositionLayerInstruction) -> Void
    ) async throws -> (AVMutableComposition, AVMutableVideoComposition) {
        let (red, blue) = try await (
            studio.film("0xC8281E", width: 128, height: 96), studio.film("0x143CB4", width: 64, height: 48)
        )
        let composition = AVMutableComposition()
        var layers: [AVMutableVideoCompositionLayerInstruction] = []
        for film in [blue, red] {
            let track = try #require(
                composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
            let source = try #require(try await film.loadTracks(withMediaType: .video).first)
            try track.insertTimeRange(CMTimeRange(start: .zero, duration: t(2, 1)), of: source, at: .zero)
            layers.append(AVMutableVideoCompositionLayerInstruction(assetTrack: track))
        }
        place(layers[0])
        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = CMTimeRange(start: .zero, duration: t(2, 1))
        instruction.layerInstructions = layers
        let video = AVMutableVideoComposition()
        (video.renderSize, video.frameDuration) = (CGSize(width: 128, height: 96), t(1, 10))
        video.instructions = [instruction]
        return (composition, video)
    }

    @Test func `Exported layers are drawn in their order, placed and cropped, as in stills`() async throws {
        let studio = try Studio()
        let (composition, video) = try await layered(studio) { layer in
            layer.setTransform(CGAffineTransform(translationX: 32, y: 16), at: .zero)
            layer.setCropRectangle(CGRect(x: 0, y: 0, width: 48, height: 48), at: .zero)
        }
        let made = try await studio.export(composition) { $0.videoComposition = video }
        let pictures = try await made.pictures()
        #expect(pictures.count == 20)
        let generator = AVAssetImageGenerator(asset: composition)
        generator.videoComposition = video
        let still = try await generator.image(at: t(17, 20))
        #expect(still.image.size == [128, 96] && still.actualTime == t(8, 10))
        for (x, y, color) in [
            (4, 4, Self.red), (30, 40, Self.red), (34, 18, Self.blue), (78, 62, Self.blue), (82, 40, Self.red),
            (120, 90, Self.red), (40, 66, Self.red),
        ] {
            for picture in [pictures[0], pictures[19]] {
                expect(picture.color(x, y, width: 128), isNear: color, "(\(x), \(y))")
            }
            expect(still.image.color(x: x, y: y), isNear: color, "still (\(x), \(y))")
        }
    }

    @Test func `Exported layers fade and move by ramps: first, middle and last frame`() async throws {
        let studio = try Studio()
        let whole = CMTimeRange(start: .zero, duration: t(2, 1))
        let (composition, video) = try await layered(studio) { layer in
            layer.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0, timeRange: whole)
            layer.setTransformRamp(
                fromStart: .identity, toEnd: CGAffineTransform(translationX: 64, y: 0), timeRange: whole)
        }
        let pictures = try await studio.export(composition) { $0.videoComposition = video }.pictures()
        #expect(pictures.count == 20)
        for number in [0, 10, 19] {
            let opacity = 1 - Double(number) / 20
            let mixed = zip(Self.red, Self.blue).map { $0 * (1 - opacity) + $1 * opacity }
            let left = 64 * number / 20
            expect(pictures[number].color(left + 32, 24, width: 128), isNear: mixed, "picture \(number)")
            expect(pictures[number].color(left + 60, 24, width: 128), isNear: mixed, "picture \(number)")
            if left > 4 { expect(pictures[number].color(left - 4, 24, width: 128), isNear: Self.red, "left") }
            expect(pictures[number].color(min(127, left + 68), 24, width: 128), isNear: Self.red, "right")
        }
    }

    @Test
    func `Exports of video compositions begin in the middle with a range, and keep a track's times`() async throws {
        let studio = try Studio()
        let (composition, video) = try await layered(studio) { layer in
            layer.setOpacityRamp(
                fromStartOpacity: 0, toEndOpacity: 1, timeRange: CMTimeRange(start: .zero, duration: t(2, 1)))
        }
        let range = CMTimeRange(start: t(5, 10), duration: t(8, 10))
        let half = try await studio.export(composition) {
            ($0.videoComposition, $0.timeRange) = (video, range)
        }.pictures()
        #expect(half.count == 8)
        let quarter = zip(Self.red, Self.blue).map { $0 * 0.75 + $1 * 0.25 }
        expect(half[0].color(10, 10, width: 128), isNear: quarter, "at 0.5 s")
        video.frameDuration = t(1, 1000)
        video.sourceTrackIDForFrameTiming = composition.tracks[0].trackID
        let timed = try await studio.export(composition) { $0.videoComposition = video }
        #expect(try await timed.pictures().count == 20)
        let times = try await timed.probe(["-select_streams", "v:0", "-show_entries", "packet=pts_time"])
        #expect(times.split(separator: "\n").map { Double($0.split(separator: ",")[0]) }.last == 1.9)
    }

    @Test func `Exports of video compositions show the background where no layer is drawn`() async throws {
        let studio = try Studio()
        let film = try await studio.film("0x143CB4", width: 64, height: 48)
        let track = try #require(try await film.loadTracks(withMediaType: .video).first)
        let (first, second) = (AVMutableVideoCompositionInstruction(), AVMutableVideoCompositionInstruction())
        first.timeRange = CMTimeRange(start: .zero, duration: t(1, 1))
        first.backgroundColor = CGColor(red: 1, green: 0.5, blue: 0, alpha: 1)
        second.timeRange = CMTimeRange(start: t(1, 1), duration: t(1, 1))
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        layer.setTransform(
            CGAffineTransform(rotationAngle: .pi / 2).concatenating(CGAffineTransform(translationX: 48, y: 0)),
            at: .zero)
        second.layerInstructions = [layer]
        let video = AVMutableVideoComposition()
        (video.renderSize, video.frameDuration) = (CGSize(width: 100, height: 64), t(1, 5))
        video.instructions = [first, second]
        let pictures = try await studio.export(film) { $0.videoComposition = video }.pictures()
        #expect(pictures.count == 10)
        expect(pictures[2].color(50, 30, width: 100), isNear: [255, 127.5, 0], "background")
        expect(pictures[7].color(20, 60, width: 100), isNear: Self.blue, "turned")
        expect(pictures[7].color(80, 20, width: 100), isNear: [0, 0, 0], "beside")
    }

    @Test func `Exports of an asset's own composition are upright, the frames at their times`() async throws {
        let studio = try Studio()
        let film = Fixture("rotate-90.mp4").asset
        let video = try await AVVideoComposition.videoComposition(withPropertiesOf: film)
        let made = try await studio.export(film, "high", as: .mp4) { $0.videoComposition = video }
        let asset = AVURLAsset(url: made.url)
        let generator = AVAssetImageGenerator(asset: asset)
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        let upright = AVAssetImageGenerator(asset: film)
        upright.appliesPreferredTrackTransform = true
        upright.requestedTimeToleranceBefore = .zero
        upright.requestedTimeToleranceAfter = .zero
        let frames = try Sidecar.load(Fixture("rotate-90.mp4")).shownFrames
        for frame in [frames[0], frames[frames.count / 2], frames[frames.count - 1]] {
            let (still, wanted) = try await (generator.image(at: frame.time), upright.image(at: frame.time))
            #expect(still.actualTime == frame.time)
            #expect(still.image.size == wanted.image.size)
            let difference = zip(still.image.pixels, wanted.image.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(difference / wanted.image.pixels.count < 6)
        }
        let options = ["-count_frames", "-select_streams", "v:0", "-show_entries", "stream=nb_read_frames"]
        #expect(try await made.probe(options) == "\(frames.count)")
    }

    @Test func `Exports of video compositions keep the audio`() async throws {
        let studio = try Studio()
        let film = Fixture("movie.mp4").asset
        let video = try await AVVideoComposition.videoComposition(withPropertiesOf: film)
        let made = try await studio.export(film, "high", as: .mp4) { $0.videoComposition = video }
        #expect(try await made.probe(["-show_entries", "stream=codec_name"]).hasPrefix("h264\naac"))
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: made.url))
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        for number in [0, 77, 199] {
            let still = try await generator.image(at: t(Int64(number), 25))
            #expect(still.image.frameNumber == number)
        }
    }

    @Test func `Exports of video compositions keep HDR, and map it where they ask for SDR`() async throws {
        let studio = try Studio()
        let path = studio.folder.path("hdr.mkv")
        let run = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=c=white:s=64x48:r=10:d=1", "-vf",
                "format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv",
                "-c:v", "ffv1", "-color_primaries", "bt2020", "-color_trc", "smpte2084",
                "-colorspace", "bt2020nc", "-color_range", "tv", path,
            ])
        #expect(run.exitCode == 0)
        let film = AVURLAsset(url: URL(fileURLWithPath: path))
        let video = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: film)
        let kept = try await studio.export(film, "hevc-high", as: .mp4) { $0.videoComposition = video }
        let tags = "stream=color_transfer,color_primaries,color_space"
        #expect(
            try await kept.probe(["-select_streams", "v:0", "-show_entries", tags]) == "bt2020nc,smpte2084,bt2020")
        video.colorPrimaries = AVVideoColorPrimaries_ITU_R_709_2
        video.colorTransferFunction = AVVideoTransferFunction_ITU_R_709_2
        video.colorYCbCrMatrix = AVVideoYCbCrMatrix_ITU_R_709_2
        let mapped = try await studio.export(film, "hevc-high", as: .mp4) { $0.videoComposition = video }
        #expect(try await mapped.probe(["-select_streams", "v:0", "-show_entries", tags]) == "bt709,bt709,bt709")
    }

    @Test func `Exports of invalid video compositions fail, and make nothing`() async throws {
        let studio = try Studio()
        let (composition, video) = try await layered(studio) { _ in }
        func code(_ preset: String = "high", _ change: (AVMutableVideoComposition) -> Void) async -> AVError.Code? {
            guard let copy = video.mutableCopy() as? AVMutableVideoComposition else { return nil }
            change(copy)
            do {
                _ = try await studio.export(composition, preset, as: .mp4) { $0.videoComposition = copy }
                return nil
            } catch { return (error as? AVError)?.code }
        }
        #expect(await code { $0.renderSize = .zero } == .invalidVideoComposition)
        #expect(await code { $0.frameDuration = .zero } == .invalidVideoComposition)
        #expect(await code { $0.instructions = [] } == .invalidVideoComposition)
        #expect(
            await code { video in
                let early = AVMutableVideoCompositionInstruction()
                early.timeRange = CMTimeRange(start: .zero, duration: t(1, 1))
                video.instructions = [early]
            } == .invalidVideoComposition)
        #expect(await code("passthrough") { _ in } == .operationNotSupportedForPreset)
        #expect(try studio.folder.contents().allSatisfy { $0.hasSuffix(".mkv") })
    }

    // MARK: Sound

    @Test func `Audio mixes are exported with the set volumes, sample by sample`() async throws {
        let studio = try Studio()
        let film = try await studio.film(
            "0x143CB4", width: 64, height: 48, sound: "aevalsrc=0.5:s=48000:d=2:c=mono")
        let track = try #require(try await film.loadTracks(withMediaType: .audio).first)
        let parameters = AVMutableAudioMixInputParameters(track: track)
        parameters.setVolume(0.5, at: .zero)
        parameters.setVolumeRamp(
            fromStartVolume: 0.5, toEndVolume: 0, timeRange: CMTimeRange(start: t(1, 1), duration: t(1, 2)))
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        let samples = try await studio.export(film, "prores-422", as: .mov) { $0.audioMix = mix }.samples()
        #expect(samples.count == 96000)
        for (time, wanted) in [(0.0, 0.25), (0.999, 0.25), (1.25, 0.125), (1.499, 0.0005), (1.7, 0.0)] {
            #expect(
                abs(Double(samples[Int(time * 48000)]) - wanted) < 0.0002, "\(time) s: \(samples[Int(time * 48000)])")
        }
        let cut = try await studio.export(film, "prores-422", as: .mov) {
            ($0.audioMix, $0.timeRange) = (mix, CMTimeRange(start: t(1, 1), duration: t(1, 4)))
        }.samples()
        #expect(cut.count == 12000)
        #expect(abs(cut[0] - 0.25) < 0.0002 && abs(cut[11999] - 0.125) < 0.0002)
    }

    @Test func `The pitch of exported audio changes with the speed, or is kept`() async throws {
        let studio = try Studio()
        let film = try await studio.film("0x143CB4", width: 64, height: 48, sound: "sine=f=500:r=48000:d=2")
        let composition = AVMutableComposition()
        let whole = CMTimeRange(start: .zero, duration: t(2, 1))
        try await composition.insertTimeRange(whole, of: film, at: .zero)
        composition.scaleTimeRange(whole, toDuration: t(1, 1))
        /// How often samples go from below zero to above it.
        func waves(_ algorithm: AVAudioTimePitchAlgorithm) async throws -> Int {
            let samples = try await studio.export(composition, "prores-422", as: .mov) {
                $0.audioTimePitchAlgorithm = algorithm
            }.samples()
            #expect(samples.count == 48000)
            return zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
        }
        #expect(abs(try await waves(.varispeed) - 1000) < 10)
        #expect(abs(try await waves(.spectral) - 500) < 10)
    }
}
