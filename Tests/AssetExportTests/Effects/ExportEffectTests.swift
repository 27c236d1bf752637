import AssetExport
import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

private func t(_ value: Int64, _ timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

/// What is told of finished files by ffmpeg.
@Suite("Effects of exports", .timeLimit(.minutes(5)))
struct ExportEffectTests {
    private static let blue = [20.0, 60, 180]

    private func effects(_ change: (inout ExportEffects) -> Void) -> ExportEffects {
        var effects = ExportEffects()
        change(&effects)
        return effects
    }

    @Test(arguments: ["prores-4444", "prores-422"])
    func `Fades bring video and audio in and out, in proportion to time`(preset: String) async throws {
        let studio = try Studio()
        let film = try await studio.film(
            "0x143CB4", width: 64, height: 48, sound: "aevalsrc=0.5:s=48000:d=2:c=mono")
        let effects = effects { ($0.fadeInDuration, $0.fadeOutDuration) = (t(1, 2), t(1, 1)) }
        let made = try await studio.export(film, preset) { $0.effects = effects }
        let pictures = try await made.pictures()
        #expect(pictures.count == 20)
        for (number, share) in [(0, 0.0), (1, 0.2), (4, 0.8), (5, 1.0), (10, 1.0), (11, 0.9), (15, 0.5), (19, 0.1)] {
            expect(
                pictures[number].color(30, 20, width: 64), isNear: Self.blue.map { $0 * share }, "picture \(number)",
                within: preset == "prores-4444" ? 2 : 4)
        }
        let samples = try await made.samples()
        #expect(samples.count == 96000)
        for (time, wanted) in [(0.0, 0.0), (0.25, 0.25), (0.5, 0.5), (0.99, 0.5), (1.5, 0.25), (1.999, 0.0005)] {
            #expect(abs(Double(samples[Int(time * 48000)]) - wanted) < 0.0003, "\(time) s")
        }
    }

    @Test func `Fades of a range go from its own beginning to its own end`() async throws {
        let studio = try Studio()
        let film = try await studio.film("0x143CB4", width: 64, height: 48)
        let effects = effects { ($0.fadeInDuration, $0.fadeOutDuration) = (t(1, 2), t(1, 2)) }
        let pictures = try await studio.export(film) {
            ($0.effects, $0.timeRange) = (effects, CMTimeRange(start: t(3, 10), duration: t(1, 1)))
        }.pictures()
        #expect(pictures.count == 10)
        for (number, share) in [(0, 0.0), (2, 0.4), (5, 1.0), (7, 0.6)] {
            expect(
                pictures[number].color(30, 20, width: 64), isNear: Self.blue.map { $0 * share }, "picture \(number)")
        }
    }

    // MARK: Overlays

    private func overlay(_ color: [UInt8], width: Int, height: Int) throws -> PictureOverlay {
        let pixels = (0..<(width * height)).flatMap { _ in color }
        return PictureOverlay(
            try #require(CGImage(width: width, height: height, hasAlpha: color.count == 4, pixels: pixels)))
    }

    @Test(arguments: ["prores-4444", "prores-422"])
    func `An overlay lies over all frames, as far as it is inside`(preset: String) async throws {
        let studio = try Studio()
        let film = try await studio.film("0x143CB4", width: 128, height: 96)
        var opaque = try overlay([220, 160, 40], width: 20, height: 10)
        opaque.position = .offset(x: 6, y: 4)
        var clear = try overlay([220, 160, 40, 128], width: 20, height: 10)
        clear.position = .offset(x: -1, y: -1)
        // Chroma of half the width is coded with more loss.
        let tolerance = preset == "prores-4444" ? 2.0 : 4
        for (overlay, place, share) in [(opaque, (6, 4), 1.0), (clear, (108, 86), 128.0 / 255)] {
            let pictures = try await studio.export(film, preset) { session in
                session.effects = effects { $0.overlay = overlay }
            }.pictures()
            let mixed = zip(Self.blue, [220.0, 160, 40]).map { $0 * (1 - share) + $1 * share }
            for picture in [pictures[0], pictures[19]] {
                expect(
                    picture.color(place.0 + 4, place.1 + 4, width: 128), isNear: mixed, "\(place)", within: tolerance)
                expect(
                    picture.color(place.0 + 15, place.1 + 8, width: 128), isNear: mixed, "\(place)", within: tolerance)
                expect(picture.color(64, 48, width: 128), isNear: Self.blue, "the middle", within: tolerance)
            }
        }
    }

    @Test func `An overlay keeps its shape on anamorphic and turned video`() async throws {
        let studio = try Studio()
        for name in ["anamorphic.mp4", "rotate-90.mp4"] {
            let film = Fixture(name).asset
            var square = try overlay([255, 0, 255], width: 40, height: 40)
            square.position = .share(x: 0.5, y: 0.5)
            let made = try await studio.export(film, "high", as: .mp4) { session in
                session.effects = effects { $0.overlay = square }
            }
            let generator = AVAssetImageGenerator(asset: AVURLAsset(url: made.url))
            generator.appliesPreferredTrackTransform = true
            let image = try await generator.image(at: .zero).image
            var (columns, rows): (Set<Int>, Set<Int>) = ([], [])
            for y in 0..<image.height {
                for x in 0..<image.width
                where image.color(x: x, y: y)[0] > 190 && image.color(x: x, y: y)[1] < 70
                    && image.color(x: x, y: y)[2] > 190
                {
                    columns.insert(x)
                    rows.insert(y)
                }
            }
            #expect(
                abs(columns.count - 40) <= 4 && abs(rows.count - 40) <= 4, "\(name): \(columns.count)x\(rows.count)")
            let middle = ((columns.min() ?? 0) + (columns.max() ?? 0)) / 2
            #expect(abs(middle - image.width / 2) <= 3)
        }
    }

    // MARK: Loudness

    /// Integrated loudness and true peak, by ffmpeg.
    private func loudness(of film: StudioFilm) async throws -> (integrated: Double, peak: Double) {
        let run = try await CommandRun.run(
            "ffmpeg", ["-hide_banner", "-i", film.url.path, "-af", "ebur128=peak=true", "-f", "null", "-"])
        func last(_ label: String) throws -> Double {
            let line = try #require(run.errorOutput.split(separator: "\n").last { $0.contains(label) })
            return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
        }
        return (try last("I: "), try last("Peak: "))
    }

    @Test(arguments: [
        ("sine=f=440:r=48000:d=4,volume=0.02", -23.0), ("sine=f=440:r=44100:d=4,volume=6", -23.0),
        ("anoisesrc=r=48000:d=4:a=0.2:seed=4:c=pink", -16.0),
        ("sine=f=440:r=48000:d=4,aformat=channel_layouts=5.1", -23.0),
    ])
    func `Audio is brought to a loudness`(sound: String, target: Double) async throws {
        let studio = try Studio()
        let film = try await studio.film("0x143CB4", width: 64, height: 48, sound: sound)
        let effects = effects { $0.volume = .loudness(target) }
        let made = try await studio.export(film, "high", as: .mp4) { $0.effects = effects }
        let found = try await loudness(of: made)
        #expect(abs(found.integrated - target) < 0.5, "\(found)")
        #expect(found.peak < -0.5, "\(found)")
    }

    @Test func `Loudness holds peaks down rather than clip, leaves silence alone, and warns`() async throws {
        let studio = try Studio()
        let effects = effects { $0.volume = .loudness(-16) }
        let clicks = "sine=f=440:r=48000:d=4,volume='if(lt(mod(t,1),0.002),8,0.05)':eval=frame,asetnsamples=64"
        let peaky = try await studio.film("0x143CB4", width: 64, height: 48, sound: clicks, name: "peaky")
        let made = try await studio.export(peaky, "prores-422") { $0.effects = effects }
        #expect(try await loudness(of: made).peak < -0.8)
        #expect(made.result.warnings.contains { $0.contains("held down") })
        let silent = try await studio.film(
            "0x143CB4", width: 64, height: 48, sound: "anullsrc=r=48000:cl=mono,atrim=duration=2", name: "silent")
        let quiet = try await studio.export(silent, "high", as: .mp4) { $0.effects = effects }
        #expect(quiet.result.warnings.contains { $0.contains("silence") })
        #expect(try await quiet.samples().allSatisfy { abs($0) < 0.0001 })
    }

    /// Ranges whose last piece of sound is cut; six channels; sound in step where peaks are held down.
    @Test func `Loudness is measured over all of the audio, and keeps each channel and its times`() async throws {
        let studio = try Studio()
        let rising = "sine=f=440:r=48000:d=4,volume='0.05+t/5':eval=frame,asetnsamples=1000"
        let film = try await studio.film("0x143CB4", width: 64, height: 48, sound: rising)
        for end in [t(11, 10), t(2, 1), t(317, 100)] {
            let made = try await studio.export(film, "prores-422") { session in
                session.timeRange = CMTimeRange(start: .zero, duration: end)
                session.effects = effects { $0.volume = .loudness(-30) }
            }
            #expect(abs(try await loudness(of: made).integrated + 30) < 0.2, "\(end.seconds) s")
        }
        let tones = (0..<6).map { "\($0 == 0 ? 0.9 : 0.1)*sin(\(300 + 100 * $0)*2*PI*t)*(1-0.9*gt(mod(t\\,1)\\,0.1))" }
        let six = try await studio.film(
            "0x143CB4", width: 64, height: 48, sound: "aevalsrc=\(tones.joined(separator: "|")):c=5.1:s=48000:d=3",
            name: "six")
        let made = try await studio.export(six, "prores-422") { session in
            session.effects = effects { $0.volume = .loudness(-9) }
        }
        for channel in 0..<6 {
            let (old, new) = (try await samples(of: six.url, channel), try await samples(of: made.url, channel))
            #expect(old.count == new.count)
            #expect(new.map { abs($0) }.max() ?? 1 < 0.9)
            let product = zip(old, new).reduce(0) { $0 + Double($1.0) * Double($1.1) }
            let power = [old, new].map { $0.reduce(0) { $0 + Double($1) * Double($1) } }
            #expect(product / (power[0] * power[1]).squareRoot() > 0.9, "channel \(channel)")
        }
    }

    private func samples(of url: URL, _ channel: Int) async throws -> [Float] {
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-i", url.path, "-map", "0:a:0", "-af", "pan=mono|c0=c\(channel)", "-f", "f32le", "-"])
        return run.standardOutput.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    @Test func `Audio is made louder by decibels, in segments and compositions too`() async throws {
        let studio = try Studio()
        let film = try await studio.film(
            "0x143CB4", width: 64, height: 48, sound: "aevalsrc=0.125:s=48000:d=2:c=mono")
        let louder = effects { $0.volume = .decibels(6.0206) }
        let whole = try await studio.export(film, "prores-422") { $0.effects = louder }.samples()
        #expect(whole.count == 96000 && whole.allSatisfy { abs($0 - 0.25) < 0.0002 })
        let joined = try await AVMutableComposition(joining: [
            .init(film, in: CMTimeRange(start: .zero, duration: t(1, 2))), .init(film),
        ])
        let both = try await studio.export(joined, "prores-422") { $0.effects = louder }.samples()
        #expect(both.count == 120000 && both.allSatisfy { abs($0 - 0.25) < 0.0002 })
        let normal = effects { $0.volume = .loudness(-20) }
        let tone = try await studio.film(
            "0x143CB4", width: 64, height: 48, sound: "sine=f=440:r=48000:d=2", name: "tone")
        let twice = try await AVMutableComposition(joining: [.init(tone), .init(tone)])
        let found = try await loudness(of: studio.export(twice, "high", as: .mp4) { $0.effects = normal })
        #expect(abs(found.integrated + 20) < 0.5)
    }

    // MARK: Failures

    @Test func `Effects fail where nothing is encoded, or their values make no sense`() async throws {
        let film = Fixture("movie.mp4").asset
        func code(_ preset: String, _ type: AVFileType = .mp4, _ change: (inout ExportEffects) throws -> Void)
            async throws -> AVError.Code?
        {
            let session = AVAssetExportSession(asset: film, preset: try ExportPresetCatalog.builtIn.preset(preset))
            try change(&session.effects)
            do {
                _ = try await session.plan(for: type)
                return nil
            } catch { return (error as? AVError)?.code }
        }
        #expect(try await code("passthrough") { $0.fadeInDuration = t(1, 1) } == .operationNotSupportedForPreset)
        #expect(try await code("copy-audio-h264") { $0.volume = .decibels(3) } == .operationNotSupportedForPreset)
        #expect(try await code("copy-video-aac") { $0.volume = .decibels(3) } == nil)
        #expect(try await code("gif", .gif) { $0.fadeInDuration = t(1, 1) } == .operationNotSupportedForAsset)
        #expect(try await code("high") { $0.fadeInDuration = t(11, 1) } == .incorrectlyConfigured)
        #expect(try await code("high") { $0.fadeInDuration = t(-1, 1) } == .incorrectlyConfigured)
        #expect(try await code("high") { $0.volume = .loudness(3) } == .incorrectlyConfigured)
        #expect(
            try await code("high") {
                $0.overlay = try overlay([1, 2, 3], width: 4, height: 4)
                $0.overlay?.opacity = 2
            } == .incorrectlyConfigured)
    }
}
