import Foundation
import OpenAVFoundation
import TestSupport
import Testing

private func fixture(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/\(name)")
}

/// What a program of the search path prints.
private func output(of arguments: [String]) async throws -> String {
    let run = try await CommandRun.run(arguments[0], Array(arguments.dropFirst()))
    #expect(run.exitCode == 0, "\(arguments)")
    return run.output
}

/// A film with sound in two languages and a commentary, and three tracks of subtitles, made by ffmpeg.
private func withFilm<T>(_ name: String, subtitles: String, _ body: (URL) async throws -> T) async throws -> T {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (text, film) = (folder.appendingPathComponent("text.srt"), folder.appendingPathComponent(name))
    try Data("1\n00:00:00,100 --> 00:00:01,500\nHello\n".utf8).write(to: text)
    var arguments = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=2"]
    arguments += ["-f", "lavfi", "-i", "sine=duration=2", "-i", text.path]
    for stream in ["0:v", "1:a", "1:a", "1:a", "2:s", "2:s", "2:s"] { arguments += ["-map", stream] }
    arguments += ["-c:v", "mpeg4", "-c:a", "aac", "-c:s", subtitles]
    let languages = ["a:0": "eng", "a:1": "ger", "a:2": "eng", "s:0": "eng", "s:1": "ger", "s:2": "eng"]
    for (stream, language) in languages { arguments += ["-metadata:s:\(stream)", "language=\(language)"] }
    arguments += ["-metadata:s:a:2", "title=With the director"]
    let purposes = [
        "a:0": "default", "a:1": "dub", "a:2": "comment", "s:0": "forced", "s:1": "0", "s:2": "hearing_impaired",
    ]
    for (stream, purpose) in purposes { arguments += ["-disposition:\(stream)", purpose] }
    _ = try await output(of: arguments + [film.path])
    return try await body(film)
}

/// A movie with boxes put into a track's user data; the movie's own come after its media, so that nothing else moves.
private func adding(_ boxes: [[UInt8]], toTrack number: Int, of movie: URL) throws -> URL {
    var bytes = [UInt8](try Data(contentsOf: movie))
    func size(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    func children(_ range: Range<Int>, _ type: String) -> [Int] {
        var (found, at) = ([Int](), range.lowerBound)
        while at + 8 <= range.upperBound, size(at) >= 8 {
            if bytes[at + 4..<at + 8].elementsEqual(type.utf8) { found.append(at) }
            at += size(at)
        }
        return found
    }
    func grow(_ at: Int, by count: Int) {
        let new = UInt32(size(at) + count)
        for index in 0..<4 { bytes[at + index] = UInt8(truncatingIfNeeded: new >> (24 - 8 * UInt32(index))) }
    }
    let moov = try #require(children(0..<bytes.count, "moov").first)
    try #require(moov + size(moov) == bytes.count)
    let tracks = children(moov + 8..<bytes.count, "trak")
    let track = try #require(tracks.indices.contains(number) ? tracks[number] : nil)
    let added = box("udta", boxes.flatMap { $0 })
    bytes.insert(contentsOf: added, at: track + size(track))
    grow(track, by: added.count)
    grow(moov, by: added.count)
    let place = movie.deletingLastPathComponent().appendingPathComponent("changed-" + movie.lastPathComponent)
    try Data(bytes).write(to: place)
    return place
}

private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let size = UInt32(8 + content.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8) + content
}

private func kind(_ scheme: String, _ value: String) -> [UInt8] {
    box("kind", [0, 0, 0, 0] + Array(scheme.utf8) + [0] + Array(value.utf8) + [0])
}

private let english = Locale(identifier: "en_US")

@Suite(.timeLimit(.minutes(5))) struct `Code that selects media as AVFoundation's clients do` {
    @Test(arguments: [("film.mkv", "srt"), ("film.mp4", "mov_text"), ("film.mov", "mov_text")])
    func `Client code shows a menu of languages`(film: String, subtitles: String) async throws {
        try await withFilm(film, subtitles: subtitles) { url in
            let asset = AVURLAsset(url: url)
            let menu = try await SelectionMenu(asset: asset)
            let sound = try await menu.entries(for: .audible, locale: english)
            #expect(sound.map(\.title) == ["English", "German", "With the director"])
            #expect(sound.map(\.language) == ["en", "de", "en"] && sound.map(\.isSelected) == [true, false, false])
            let german = try await menu.entries(for: .audible, locale: Locale(identifier: "de_DE"))
            #expect(german.map(\.title) == ["Englisch", "Deutsch", "With the director"])
            #expect(menu.isAutomatic(.audible))
            #expect(try await menu.select(.audible, languages: ["fr-FR", "de-AT"]))
            #expect(try await menu.entries(for: .audible, locale: english).map(\.isSelected) == [false, true, false])
            #expect(!menu.isAutomatic(.audible) && menu.isAutomatic(.legible))
            // Somebody has to be heard.
            menu.turnOff(.audible)
            #expect(try await menu.entries(for: .audible, locale: english).map(\.isSelected) == [false, true, false])
            #expect(try await !menu.select(.audible, languages: ["ja"]))
            #expect(try await menu.entries(for: .visual, locale: english).isEmpty)
        }
    }

    @Test func `Client code leaves forced subtitles out of the menu`() async throws {
        try await withFilm("film.mkv", subtitles: "srt") { url in
            let asset = AVURLAsset(url: url)
            let menu = try await SelectionMenu(asset: asset)
            let text = try await menu.entries(for: .legible, locale: english)
            #expect(text.map(\.title) == ["Off", "German", "English SDH"])
            #expect(text.map(\.isSelected) == [true, false, false])
            #expect(try await menu.select(.legible, languages: ["de"]))
            #expect(try await menu.entries(for: .legible, locale: english).map(\.isSelected) == [false, true, false])
            menu.turnOff(.legible)
            #expect(try await menu.entries(for: .legible, locale: english).map(\.isSelected) == [true, false, false])
            let text0 = try #require(try await asset.loadMediaSelectionGroup(for: .legible))
            let sound = try #require(asset.mediaSelectionGroup(forMediaCharacteristic: .audible))
            // English sound brings the forced English subtitles along, German sound has none.
            #expect(
                sound.options.map { $0.associatedMediaSelectionOption(in: text0) == text0.options[0] } == [
                    true, false, true,
                ])
        }
    }

    @Test func `Client code finds tracks for people who see or hear badly`() async throws {
        try await withFilm("film.mkv", subtitles: "srt") { url in
            let report = try await AccessibilityReport(asset: AVAsset(url: url))
            #expect(report.captions == ["en"] && report.commentaries == ["en"])
            #expect(report.describedSound.isEmpty && report.easyText.isEmpty)
        }
    }

    @Test(arguments: ["film.mp4", "film.mov"])
    func `Client code knows the characteristics that a track is tagged with`(film: String) async throws {
        try await withFilm(film, subtitles: "mov_text") { url in
            let tags = ["public.accessibility.describes-video", "public.auxiliary-content", "com.example.own"]
            let tagged = try adding(tags.map { box("tagc", Array($0.utf8)) }, toTrack: 2, of: url)
            let track = try await AVURLAsset(url: tagged).loadTracks(withMediaType: .audio)[1]
            let characteristics = try await track.load(.mediaCharacteristics)
            #expect(characteristics.contains(.audible))
            #expect(tags.allSatisfy { characteristics.contains(AVMediaCharacteristic(rawValue: $0)) })
            #expect(track.hasMediaCharacteristic(.describesVideoForAccessibility))
            let report = try await AccessibilityReport(asset: AVURLAsset(url: tagged))
            #expect(report.describedSound == ["de"] && report.commentaries.contains("de"))
        }
    }

    @Test func `Client code knows the kinds of DASH and of HTML`() async throws {
        try await withFilm("film.mp4", subtitles: "mov_text") { url in
            let boxes = [
                kind("urn:mpeg:dash:role:2011", "easyreader"), kind("about:html-kind", "captions"),
                kind("urn:example", "commentary"),
            ]
            let asset = AVURLAsset(url: try adding(boxes, toTrack: 5, of: url))
            let report = try await AccessibilityReport(asset: asset)
            #expect(report.easyText == ["de"] && report.captions.contains("de"))
            #expect(!report.commentaries.contains("de"))
            let easy = try await asset.loadTracks(withMediaCharacteristic: .easyToRead)
            #expect(easy.map(\.trackID) == [6])
        }
    }

    // A stored choice is found in the file opened anew; a group's choice means nothing to another asset.
    @Test func `Client code keeps a selection, and takes none of another asset`() async throws {
        let (first, again) = (AVURLAsset(url: fixture("languages.mp4")), AVURLAsset(url: fixture("languages.mp4")))
        let group = try #require(try await first.loadMediaSelectionGroup(for: .audible))
        let other = try #require(try await again.loadMediaSelectionGroup(for: .audible))
        var memory = SubtitleMemory()
        #expect(try memory.recall(in: other) == nil)
        try memory.remember(group.options[2])
        #expect(try memory.recall(in: group) == group.options[2])
        #expect(try memory.recall(in: other)?.extendedLanguageTag == "fr")
        #expect(group != other && group.options[0] != other.options[0])
        #expect(group == first.mediaSelectionGroup(forMediaCharacteristic: .audible))
        #expect(other.mediaSelectionOption(withPropertyList: "nothing") == nil)

        let preferred = try await first.load(.preferredMediaSelection)
        #expect(preferred.selectedMediaOption(in: other) == nil && preferred.asset === first)
        let mutable = try #require(preferred.mutableCopy() as? AVMutableMediaSelection)
        mutable.select(other.options[1], in: other)
        mutable.select(other.options[1], in: group)
        #expect(mutable == preferred && group.options[1].associatedMediaSelectionOption(in: other) == nil)
        mutable.select(group.options[2], in: group)
        #expect(mutable != preferred && mutable.selectedMediaOption(in: group)?.extendedLanguageTag == "fr")
        // ffprobe: the German sound is the default.
        #expect(preferred.selectedMediaOption(in: group)?.extendedLanguageTag == "de")
    }

    // ffprobe's list of streams: kind, whether it is the default, language.
    @Test(arguments: ["languages.mp4", "languages.mkv", "movie.mp4", "vp9.webm"])
    func `Client code lists the selection options that ffprobe lists`(name: String) async throws {
        let fields = "stream=codec_type:stream_disposition=default:stream_tags=language"
        let text = try await output(of: [
            "ffprobe", "-v", "error", "-show_entries", fields, "-of", "compact=p=0:nk=0", fixture(name).path,
        ])
        let asset = AVURLAsset(url: fixture(name))
        for (kind, characteristic) in [("audio", AVMediaCharacteristic.audible), ("subtitle", .legible)] {
            let lines = text.split(separator: "\n").filter { $0.contains("codec_type=\(kind)") }
            let group = try await asset.loadMediaSelectionGroup(for: characteristic)
            #expect(group?.options.count ?? 0 == lines.count && (group == nil) == lines.isEmpty)
            #expect(
                asset.availableMediaCharacteristicsWithMediaSelectionOptions.contains(characteristic) != lines.isEmpty)
            guard let group else { continue }
            let preset = lines.firstIndex { $0.contains("disposition:default=1") } ?? (kind == "audio" ? 0 : nil)
            #expect(group.defaultOption == preset.map { group.options[$0] })
            for (option, line) in zip(group.options, lines) {
                let codes = ["en": "eng", "de": "ger deu", "fr": "fre fra"]
                let known = option.extendedLanguageTag.flatMap { codes[$0] }?.split(separator: " ") ?? ["und"]
                #expect(known.contains { line.contains("language=\($0)") } || !line.contains("language="))
            }
        }
    }

    @Test func `Client code lists all selections`() async throws {
        let asset = AVURLAsset(url: fixture("languages.mp4"))
        let (all, preferred) = try await asset.load(.allMediaSelections, .preferredMediaSelection)
        // Three languages to hear, one to read or none.
        #expect(all.count == 6 && Set(all).count == 6 && all.contains(preferred))
        #expect(asset.allMediaSelections == all && asset.preferredMediaSelection == preferred)
        let missing = AVURLAsset(url: fixture("no-such.mp4"))
        #expect(missing.allMediaSelections.isEmpty && missing.preferredMediaSelection.asset === missing)
        #expect(missing.mediaSelectionGroup(forMediaCharacteristic: .audible) == nil)
        await #expect(throws: AVError.self) { try await missing.loadMediaSelectionGroup(for: .audible) }
        let group = await withCheckedContinuation { continuation in
            asset.loadMediaSelectionGroup(for: .legible) { group, error in
                #expect(error == nil)
                continuation.resume(returning: group)
            }
        }
        #expect(group?.options.map(\.mediaType) == [.subtitle])
        let none = try await asset.loadMediaSelectionGroup(for: .containsHDRVideo)
        #expect(none == nil)
    }

    @Test func `Client code finds options by language`() async throws {
        let asset = AVURLAsset(url: fixture("languages.mp4"))
        let options = try #require(try await asset.loadMediaSelectionGroup(for: .audible)).options
        func tags(_ identifier: String) -> [String?] {
            AVMediaSelectionGroup.mediaSelectionOptions(from: options, with: Locale(identifier: identifier))
                .map(\.extendedLanguageTag)
        }
        #expect(tags("fr") == ["fr"] && tags("de_AT") == ["de"] && tags("es").isEmpty)
        let sorted = AVMediaSelectionGroup.mediaSelectionOptions(
            from: options, filteredAndSortedAccordingToPreferredLanguages: ["fr-CA", "es", "en"])
        #expect(sorted.map(\.extendedLanguageTag) == ["fr", "en"])
        #expect(options.map(\.isPlayable) == [true, true, true])
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Code that walks through samples as AVFoundation's clients do` {
    // ffprobe's packets, in the order in which the file has them.
    @Test(arguments: ["movie.mp4", "h264-open-gop.mp4", "vp9.webm"])
    func `Client code finds the packets that ffprobe lists`(name: String) async throws {
        let text = try await output(of: [
            "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
            "packet=pts_time,dts_time,size,pos,flags", "-of", "csv=p=0", fixture(name).path,
        ])
        let rows = text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let asset = AVURLAsset(url: fixture(name))
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let walk = try #require(try await FrameWalk(track: track))
        let zero = walk.presentationTimes[0] - (Double(rows[0][0]) ?? 0)
        func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 0.0011 }
        #expect(walk.presentationTimes.count == rows.count && abs(zero) < 0.1)
        #expect(zip(walk.presentationTimes, rows).allSatisfy { isClose($0 - zero, Double($1[0]) ?? -1) })
        #expect(zip(walk.decodeTimes, rows).allSatisfy { isClose($0 - zero, Double($1[1]) ?? -1) })
        #expect(walk.sizes == rows.map { Int64($0[2]) ?? -1 })
        #expect(walk.offsets == rows.map { Int64($0[3]) ?? -1 })
        let keys = rows.filter { $0[4].hasPrefix("K") }.map { (Double($0[0]) ?? -1) + zero }
        #expect(walk.syncTimes.count == keys.count && zip(walk.syncTimes, keys).allSatisfy(isClose))
    }

    // movie.mp4 has 25 frames in each second, for ten seconds, by ffprobe.
    @Test func `Client code steps from frame to frame`() async throws {
        let asset = AVURLAsset(url: fixture("movie.mp4"))
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let time = CMTime(value: 1030, timescale: 1000)
        let found = try #require(FrameWalk.neighbours(of: time, in: track))
        #expect(found.before.seconds == 0.96 && found.at.seconds == 1 && found.after.seconds == 1.04)
        let cursor = try #require(track.makeSampleCursor(presentationTimeStamp: .positiveInfinity))
        #expect(cursor.presentationTimeStamp.seconds == 9.96 && cursor.currentSampleDuration.seconds == 0.04)
        #expect(cursor.stepInPresentationOrder(byCount: 1) == 0)
        #expect(cursor.stepInPresentationOrder(byCount: .min) == -249 && cursor.presentationTimeStamp == .zero)
        var wasPinned = ObjCBool(true)
        let moved = cursor.step(byPresentationTime: CMTime(value: 2, timescale: 1), wasPinned: &wasPinned)
        #expect(moved.seconds == 2 && !wasPinned.boolValue)
        _ = cursor.step(byPresentationTime: CMTime(value: 20, timescale: 1), wasPinned: &wasPinned)
        #expect(cursor.presentationTimeStamp.seconds == 9.96 && wasPinned.boolValue)
        let first = try #require(track.makeSampleCursorAtFirstSampleInDecodeOrder())
        let last = try #require(track.makeSampleCursorAtLastSampleInDecodeOrder())
        #expect(first.comparePositionInDecodeOrder(withPositionOf: last) == .orderedAscending)
        #expect(last.stepInDecodeOrder(byCount: -1000) == -249 && first.samplesRequiredForDecoderRefresh == 0)
        #expect(track.makeSampleCursor(presentationTimeStamp: .invalid) == nil)
        #expect(first.copyCurrentSampleFormatDescription().mediaType == .video)
    }
}
