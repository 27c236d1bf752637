import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import Testing

private func ffmpeg(_ arguments: String...) async throws {
    let run = try await CommandRun.run("ffmpeg", ["-v", "error"] + arguments)
    try #require(run.exitCode == 0, "\(run.errorOutput)")
}

/// What `ffprobe` prints of some entries, a line each.
private func ffprobe(_ path: String, _ entries: String, _ options: String...) async throws -> String {
    let arguments = ["-v", "error", "-show_entries", entries] + options + ["-of", "csv=p=0", path]
    return try await CommandRun.run("ffprobe", arguments).output.trimmingCharacters(in: .whitespacesAndNewlines)
}

@Suite struct `Frame numbers` {
    /// `#N` counted packets: in AVI with B-frames, program streams, cut transport
    /// streams and files with edit lists it named another picture.
    @Test(arguments: Fixture.numbered)
    func `Frame numbers count the frames that a linear decode shows`(_ fixture: Fixture) async throws {
        let expected = try Sidecar.load(fixture).shownFrames.map(\.time)
        let asset = fixture.asset
        var times: [CMTime] = []
        for number in expected.indices { times.append(try await asset.loadTime(ofFrame: number)) }
        #expect(times == expected)
        await #expect(throws: AVError.self) { try await asset.loadTime(ofFrame: expected.count) }
    }

    /// The first samples of this file lie before its edit list: `#0` to `#9` lay before the start.
    @Test func `Frame numbers leave out what an edit list hides`() async throws {
        let asset = Fixture("edit-list-trim.mp4").asset
        #expect(try await asset.loadTime(ofFrame: 0) == .zero)
    }

    /// Two hidden frames in front of a shown one, each in a packet of its own, counted as three.
    @Test func `Frame numbers leave out hidden frames of VP9`() async throws {
        let folder = try TemporaryFolder()
        let film = folder.path("hidden.webm")
        // The encoder's alternate references come in packets with the frame after them; split apart they are hidden packets.
        try await ffmpeg(
            "-i", Fixture("vp9.webm").path, "-map", "0:v", "-c", "copy", "-bsf:v", "vp9_superframe_split", "-f",
            "matroska", film)
        let split = AVURLAsset(url: URL(fileURLWithPath: film))
        let shown = try Sidecar.load(Fixture("vp9.webm")).shownFrames.count
        _ = try await split.loadTime(ofFrame: shown - 1)
        await #expect(throws: AVError.self) { try await split.loadTime(ofFrame: shown) }
    }

    @Test func `Frame numbers below zero count back from the end`() async throws {
        let asset = Fixture("movie.mp4").asset
        #expect(try await asset.loadTime(ofFrame: -1) == CMTime(value: 249, timescale: 25))
        #expect(try await asset.loadTime(ofFrame: -250) == .zero)
        let error = await #expect(throws: AVError.self) { try await asset.loadTime(ofFrame: -251) }
        #expect(error?.reason == "there is no frame #-251: the video has 250 frames")
    }
}

@Suite struct `The zero of a movie` {
    /// A lone track behind an empty edit of 10 s began at zero and lasted 4 s, with a segment at -10 s.
    @Test func `The zero of a movie is the movie's own, whatever begins there`() async throws {
        let folder = try TemporaryFolder()
        let film = folder.path("late.mp4")
        try await ffmpeg(
            "-itsoffset", "10", "-i", Fixture("edit-list-empty.mp4").path, "-map", "0:v", "-c", "copy", film)
        let asset = AVURLAsset(url: URL(fileURLWithPath: film))
        let (duration, tracks) = try await asset.load(.duration, .tracks)
        let range = try await tracks[0].load(.timeRange)
        let start = try #require(Double(try await ffprobe(film, "stream=start_time")))
        // From version 7 on ffprobe counts from the first picture.
        let header = try await CommandRun.run("exiftool", ["-n", "-s3", "-QuickTime:Duration", film]).output
        let end = try #require(Double(header.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(start >= 10)
        #expect(abs(range.start.seconds - start) < 0.001)
        #expect(abs(duration.seconds - end) < 0.001)
        #expect(try await asset.loadDescription().origin == .zero)
        let segments = try await tracks[0].load(.segments)
        #expect(segments.first?.isEmpty == true)
        #expect(segments.first?.timeMapping.target.start == .zero)
        #expect(try await asset.loadTime(ofFrame: 0) == range.start)
    }

    @Test func `The zero of a fragmented movie without an edit list is its least time`() async throws {
        let folder = try TemporaryFolder()
        let (whole, film) = (folder.path("whole.mp4"), folder.path("cut.mp4"))
        try await ffmpeg(
            "-i", Fixture("movie.mp4").path, "-map", "0:v", "-c", "copy", "-movflags",
            "frag_keyframe+empty_moov+default_base_moof", "-use_editlist", "0", whole)
        // Without its first five fragments, of a second each.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        var fragments: [Int] = []
        var rest = bytes.startIndex..<bytes.endIndex
        while let box = bytes.range(of: Data("moof".utf8), in: rest) {
            fragments.append(box.lowerBound - 4)
            rest = box.upperBound..<bytes.endIndex
        }
        try #require(fragments.count == 10)
        try (bytes[..<fragments[0]] + bytes[fragments[5]...]).write(to: URL(fileURLWithPath: film))
        let description = try await AVURLAsset(url: URL(fileURLWithPath: film)).loadDescription()
        let packets = try await ffprobe(film, "packet=pts_time").split(separator: "\n").compactMap { Double($0) }
        let least = try #require(packets.min())
        #expect(least >= 5)
        #expect(abs(description.origin.seconds - least) < 0.001)
        #expect(description.tracks[0].timeRange.start == .zero)
        #expect(abs(description.duration.seconds - 5) < 0.001)
        #expect(!description.durationIsEstimate)
    }
}

@Suite struct `Durations of fragmented movies` {
    /// A movie header with all bits of its duration set read 143165 s where the film lasts 4 s.
    @Test(arguments: ["fragmented.mp4", "fragmented-sidx.mp4"], [UInt32.max, 0, 1, 0x7fff_ffff])
    func `Durations of fragmented movies come from the fragments, whatever the header says`(
        _ name: String, _ claimed: UInt32
    ) async throws {
        let folder = try TemporaryFolder()
        let film = folder.path("film.mp4")
        var bytes = try Data(contentsOf: Fixture(name).url)
        let header = try #require(bytes.range(of: Data("mvhd".utf8)))
        let place = header.upperBound + 16
        bytes.replaceSubrange(place..<(place + 4), with: withUnsafeBytes(of: claimed.bigEndian) { Data($0) })
        try bytes.write(to: URL(fileURLWithPath: film))
        let description = try await AVURLAsset(url: URL(fileURLWithPath: film)).loadDescription()
        let untouched = try await Fixture(name).asset.loadDescription()
        #expect(description.duration == untouched.duration)
        #expect(!description.durationIsEstimate)
        // The pictures' last packet, as ffprobe lists it; the sound ends before.
        let ends = try await ffprobe(film, "packet=pts_time,duration_time", "-select_streams", "v").split(
            separator: "\n"
        ).compactMap { line in
            let fields = line.split(separator: ",").compactMap { Double($0) }
            return fields.count == 2 ? fields[0] + fields[1] : nil
        }
        let end = try #require(ends.max())
        #expect(abs((description.duration + description.origin).seconds - end) < 0.002)
    }

    @Test func `Bit rates of fragmented movies match their durations`() async throws {
        let description = try await Fixture("fragmented.mp4").asset.loadDescription()
        let bits = Double(try #require(description.byteCount)) * 8
        #expect(abs(Double(try #require(description.bitRate)) - bits / description.duration.seconds) <= 1)
    }
}
