import Foundation
import OpenAVFoundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct FileProgramTests {
    @Test("A client's compressor exports with progress") func compression() async throws {
        let folder = try Folder()
        let compressor = VideoCompressor()
        let result = Box<Result<URL, Error>>()
        let seen = Box<Float>()
        compressor.onProgress = { seen.set($0) }
        // A timer needs a run loop; that of this thread runs until the export has ended.
        Thread.detachNewThread {
            var isDone = false
            compressor.compress(fixture("movie.mov"), to: folder.file("small.mp4"), quality: .low) {
                result.set($0)
                isDone = true
            }
            while !isDone { RunLoop.current.run(until: Date() + 0.05) }
        }
        let url = try await result.wait().get()
        #expect((0...1).contains(try await seen.wait()))
        #expect(try abs(probedDuration(url) - 10) < 0.1)
        #expect(try probe(url, "stream=codec_name").prefix(2) == ["h264", "aac"])
        #expect(savings(before: fixture("movie.mov"), after: url).percent > -100 && !compressor.isRunning)
    }

    @Test("A client's trimmer cuts and reports what it refuses") func trimming() async throws {
        let folder = try Folder()
        let box = Box<(URL?, TrimError?)>()
        let points = [(TrimPoint(seconds: 2), TrimPoint(seconds: 5))]
        VideoTrimmer().trim(sourceURL: fixture("movie.mp4"), destinationURL: folder.file("cut.mp4"), points: points) {
            box.set(($0, $1))
        }
        let (url, error) = try await box.wait()
        #expect(error == nil)
        #expect(try abs(probedDuration(#require(url)) - 3) < 0.05)
        let refused = Box<TrimError?>()
        let wrong = [(TrimPoint(seconds: 5), TrimPoint(seconds: 2))]
        VideoTrimmer().trim(sourceURL: fixture("movie.mp4"), destinationURL: folder.file("no.mp4"), points: wrong) {
            refused.set($1)
        }
        guard case .invalidTimeRange(start: 5, end: 2) = try await refused.wait() else {
            Issue.record("a range that ends before it begins")
            return
        }
    }

    @Test("A client's extractor exports the audio of videos") func soundOfFilms() async throws {
        let folder = try Folder()
        let box = Box<(done: [URL], failures: [String])>()
        Thread.detachNewThread {
            box.set(AudioExtractor().extractAll([fixture("movie.mp4"), fixture("10bit.mp4")], into: folder.url))
        }
        let (done, failures) = try await box.wait()
        #expect(done.map { $0.lastPathComponent } == ["movie.m4a"] && failures == ["There is no sound in this video."])
        #expect(try probe(#require(done.first), "stream=codec_name", streams: "a") == ["aac"])
        #expect(try output(of: "exiftool", ["-s3", "-Title", #require(done.first).path]) == "Counting bars")
        #expect(try abs(probedDuration(#require(done.first)) - 10) < 0.05)
    }

    @Test("A client's song library sorts by tags and durations") func songs() throws {
        let folder = try Folder()
        let names = ["audio-only.mp3", "audio-only.flac", "audio-only.m4a", "attached-picture.mp3", "movie.mp4"]
        for name in names { try FileManager.default.copyItem(at: fixture(name), to: folder.file(name)) }
        let library = SongLibrary()
        try library.scan(folder: folder.url)
        // ffprobe's titles and durations.
        #expect(library.songs.count == 4)
        #expect(
            library.sorted(by: .title).map { $0.title } == ["attached-picture"]
                + Array(repeating: "Two tones", count: 3))
        // FFmpeg 9 leaves out what an MP3's encoder put around the sound, so that others are as long.
        let isCut = try probedDuration(folder.file("audio-only.mp3")) < 3.01
        #expect(isCut || library.sorted(by: .longestFirst).first?.url.lastPathComponent == "audio-only.mp3")
        #expect(library.sorted(by: .longestFirst).last?.url.lastPathComponent == "audio-only.flac")
        #expect(library.sorted(by: .title).first?.artwork?.starts(with: [0xFF, 0xD8]) == true)
        #expect(library.totalPlayingTime == "0:09" && Set(library.songs).count == 4)
        #expect(library.sorted(by: .title).last?.description == "Two tones – Unknown Artist")
    }

    @Test(
        "A client's validator rejects uploads by codec",
        arguments: [
            ("movie.mp4", nil), ("text.mp4", .notPlayable), ("vp9.webm", .videoCodec("vp09")),
            ("alpha-prores.mov", .videoCodec("ap4h")), ("audio-only.flac", .audioCodec("flac")),
        ] as [(String, UploadValidator.Rejection?)])
    func uploads(name: String, expected: UploadValidator.Rejection?) {
        do {
            try UploadValidator().validate(AVURLAsset(url: fixture(name)))
            #expect(expected == nil, "\(name)")
        } catch {
            #expect(error as? UploadValidator.Rejection == expected)
        }
    }

    @Test("A client's validator rejects uploads by size, frame rate and sample rate") func limitsOfUploads() {
        let small = UploadValidator(maximumHeight: 100)
        let slow = UploadValidator(maximumFrameRate: 24)
        let asset = AVURLAsset(url: fixture("movie.mp4"))
        #expect(throws: UploadValidator.Rejection.resolution(width: 320, height: 240)) { try small.validate(asset) }
        #expect(throws: UploadValidator.Rejection.frameRate(25)) { try slow.validate(asset) }
        #expect(throws: UploadValidator.Rejection.sampleRate(48_000)) {
            try UploadValidator(sampleRates: [44_100]).validate(asset)
        }
    }

    @Test("A client's lister names the languages of tracks") func languages() {
        let lister = LanguageLister(asset: AVAsset(url: fixture("languages.mp4")))
        // ffprobe: eng, deu, fra; deu.
        #expect(lister.options(.audio).map { $0.trackID } == [2, 3, 4])
        #expect(
            lister.options().map { "\($0)" } == [
                "Audio: English", "Audio: German", "Audio: French", "Subtitles: German",
            ])
        #expect(lister.byLanguage["de"]?.count == 2)
        let chapters = LanguageLister(asset: AVAsset(url: fixture("movie.mov")))
        #expect(chapters.chapterNames(languages: ["en"]) == ["Opening", "Middle", "Ending"])
    }

    @Test("A client's tagger writes tags that exiftool reads") func tags() async throws {
        let folder = try Folder()
        let tags = MovieTagger.Tags(
            title: "Nouveau titre", artist: "Someone", summary: "About", location: (48.8584, 2.2945),
            creationDate: Date(timeIntervalSince1970: 1_700_000_000), artworkURL: nil)
        let box = Box<Error?>()
        MovieTagger().tag(fixture("movie.mov"), with: tags, to: folder.file("tagged.mov"), as: .mov) { box.set($0) }
        #expect(try await box.wait() == nil)
        let path = folder.file("tagged.mov").path
        func read(_ tag: String) throws -> String { try output(of: "exiftool", ["-s3", "-n", "-\(tag)", path]) }
        #expect(try read("Description") == "About")
        #expect(try read("GPSCoordinates").hasPrefix("48.8584 2.2945"))
        let (title, artist) = (try read("Title"), try read("Artist"))
        let created = try read("Keys:CreationDate")
        // The items that the film had before have no common key, so that this client leaves them in its list.
        #expect(title == "Nouveau titre")
        #expect(artist == "Someone")
        #expect(created.hasPrefix("2023:11:14 22:13:20"))
        #expect(try read("Make") == "Fixture Works")
    }

    @Test("A client's export settings follow the track") func settings() throws {
        let asset = AVURLAsset(url: fixture("bt709-tagged.mp4"))
        let track = try #require(asset.tracks(withMediaType: .video).first)
        let settings = ExportSettings(platform: .phone).videoSettings(for: track)
        #expect(settings[AVVideoWidthKey] as? Int == 240 && settings[AVVideoHeightKey] as? Int == 180)
        let compression = try #require(settings[AVVideoCompressionPropertiesKey] as? [String: Any])
        // 240 × 180 × 25 × 0.07
        #expect(compression[AVVideoAverageBitRateKey] as? Int == 75_600)
        #expect((settings[AVVideoColorPropertiesKey] as? [String: String])?[AVVideoYCbCrMatrixKey] == "ITU_R_709_2")
        let sound = try #require(AVURLAsset(url: fixture("languages.mp4")).tracks(withMediaType: .audio).first)
        let audio = ExportSettings(platform: .archive).audioSettings(for: sound)
        #expect(audio[AVNumberOfChannelsKey] as? Int == 1 && audio[AVSampleRateKey] as? Double == 48_000)
        #expect(audio[AVFormatIDKey] as? UInt32 == 0x616C_6163)
        // The tag of mono, 100 << 16 | 1, comes first.
        #expect((audio[AVChannelLayoutKey] as? Data)?.prefix(4).elementsEqual([1, 0, 100, 0]) == true)
    }

    @Test("A client's operations split a media file in a queue") func operations() async throws {
        let folder = try Folder()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let asset = AVURLAsset(url: fixture("languages.mp4"))
        let operations = split(asset, every: 1.25, into: folder.url, queue: queue)
        let box = Box<Bool>()
        Thread.detachNewThread {
            queue.waitUntilAllOperationsAreFinished()
            box.set(true)
        }
        #expect(try await box.wait() && operations.count == 3)
        let urls = try operations.map { try #require($0.result).get() }
        let durations = try urls.map(probedDuration)
        for (duration, expected) in zip(durations, [1.25, 1.25, 0.5]) { #expect(abs(duration - expected) < 0.05) }
    }
}
