import FFmpegKit
import Foundation
import MediaCore
import MediaIO
import MediaTestSupport
import Testing

@testable import ImageGeneration
@testable import MediaAsset
@testable import MediaEngine

/// Films whose container leads to no frame, by what a pass over them has found out.
@Suite struct `Streams entered by the places of their frames` {
    private static let films = ["raw.h264", "raw.m2v", "mpeg2.ps", "mpeg2-ps-sparse-pts.mpg", "theora.ogv"]

    private func reader(of source: AssetSource) throws -> FrameReader {
        let index = try #require(try source.describe().videoTrack).streamIndex
        return try FrameReader.make(of: source, streamIndex: index, cancellation: Cancellation(), always: true) { _ in
            []
        }.reader
    }

    /// The expected pictures come from a decode from the first packet to the last.
    @Test(arguments: films)
    func `Streams entered by byte positions give the frames of a linear decode, in any order`(_ name: String) throws {
        let source = Fixture(name).source
        let reader = try reader(of: source)
        #expect(!reader.lacksPositions)
        let index = try #require(try source.describe().videoTrack).streamIndex
        let linear = try LinearDecode(source: source, streamIndex: index, interrupt: Interrupt()) { _ in }
        #expect(linear.pictures.count > 20)
        for picture in linear.pictures.reversed() + linear.pictures {
            guard case .shown(let shown) = try reader.frame(at: picture.ticks) else {
                Issue.record("no picture at \(picture.ticks)")
                continue
            }
            #expect(shown.ticks == picture.ticks && shown.frame.contentDigest == picture.digest, "\(picture.ticks)")
        }
        #expect(!reader.lacksPositions, "went without the index after all")
    }

    @Test(arguments: films)
    func `Streams entered by byte positions decode little for a late frame`(_ name: String) throws {
        let source = Fixture(name).source
        let reader = try reader(of: source)
        let track = try #require(try source.knownFrames(ofStream: try source.describe().videoTrack!.streamIndex))
        _ = try reader.frame(at: try #require(track.shown.last).presentation)
        #expect(reader.counters.decoded <= track.frames.count / 2)
    }

    /// An index of another film that is as long, or one that was changed by hand.
    @Test func `Streams whose packets are not at the indexed positions are decoded from the beginning`() throws {
        let source = Fixture("raw.h264").source
        let index = try #require(try source.describe().videoTrack).streamIndex
        #expect(try source.makeFramesKnown(ofStream: index, Cancellation()))
        let known = try #require(try source.knownFrames(ofStream: index))
        var frames = known.frames
        for number in frames.indices { frames[number].byteCount += 1 }
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("index.jsonl")
        let wrong = FrameIndex(
            origin: .zero,
            tracks: [
                FrameIndex.Track(
                    trackID: 1, streamIndex: index, tick: known.tick, frames: frames, truncation: nil)
            ])
        let film = URL(fileURLWithPath: Fixture("raw.h264").path)
        try FrameIndexFile.write(
            wrong, of: try #require(FileFingerprint(of: film)), to: RunFiles().output(url.path, replaces: false))
        let asset = AVURLAsset(url: film, options: [AVURLAssetFrameIndexKey: try FrameIndexFile(url: url)])
        let reader = try FrameReader(source: asset.source, streamIndex: index)
        #expect(!reader.lacksPositions)
        let last = try #require(known.shown.last)
        guard case .shown(let shown) = try reader.frame(at: last.presentation) else {
            Issue.record("no picture")
            return
        }
        #expect(shown.ticks == last.presentation && reader.lacksPositions)
    }

    @Test func `An index that was written is the one that is read`() throws {
        for name in ["raw.h264", "movie.mp4", "mpeg2.ps"] {
            let source = Fixture(name).source
            let index = try source.makeFrameIndex(of: try source.indexableTracks(nil))
            let folder = try TemporaryFolder()
            let url = folder.url.appendingPathComponent("index.jsonl")
            let film = URL(fileURLWithPath: Fixture(name).path)
            try FrameIndexFile.write(
                index, of: try #require(FileFingerprint(of: film)), to: RunFiles().output(url.path, replaces: false))
            let file = try FrameIndexFile(url: url)
            try file.checkFits(film)
            let read = try file.load()
            #expect(read.origin == index.origin && read.tracks.count == index.tracks.count)
            for (one, other) in zip(read.tracks, index.tracks) {
                #expect(one.trackID == other.trackID && one.streamIndex == other.streamIndex && one.tick == other.tick)
                let differ = zip(one.frames, other.frames).contains { frame, original in
                    var original = original
                    original.isKey = frame.isKey
                    return frame != original
                }
                #expect(one.frames.count == other.frames.count && !differ)
            }
            #expect(throws: AVError.self) { try file.checkFits(URL(fileURLWithPath: Fixture("vfr.mp4").path)) }
        }
    }

    @Test(arguments: [
        "", "{}\n", #"{"format":"avtool-index","version":2,"source":{},"tracks":[]}"# + "\n",
        #"{"format":"avtool-index","version":1,"source":{},"tracks":[{"track":1,"stream":0,"tick":[1,25],"frames":1}]}"#
            + "\n[1,0,null,1,0,99999999999999999999,\"clean\",true]\n",
        #"{"format":"avtool-index","version":1,"source":{},"tracks":[{"track":1,"stream":0,"tick":[1,25],"frames":1}]}"#
            + "\n[1,0,null,1,0,5,\"clean\",true",
        #"{"format":"avtool-index","version":1,"source":{},"tracks":[{"track":1,"stream":0,"tick":[0,25],"frames":0}]}"#
            + "\n",
        #"{"format":"avtool-index","version":1,"source":{},"tracks":[{"track":1,"stream":0,"tick":[1,25],"frames":1}]}"#
            + "\n[1,0,null,1,-4,5,\"clean\",true]\n",
    ])
    func `Indexes that make no sense are refused`(_ text: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("index.jsonl")
        try Data(text.utf8).write(to: url)
        #expect(throws: AVError.self) { _ = try FrameIndexFile(url: url).load() }
    }

    @Test func `Unknown columns of an index are ignored`() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("index.jsonl")
        let header =
            #"{"format":"avtool-index","version":1,"source":{},"new":1,"tracks":[{"track":1,"stream":0,"tick":[1,25],"frames":1}]}"#
        try Data("\(header)\n[1,-9223372036854775808,null,1,0,5,\"gradual\",false,\"x]\",7]\n".utf8).write(to: url)
        let frame = try #require(try FrameIndexFile(url: url).load().tracks.first?.frames.first)
        #expect(frame.presentation == .min && frame.entry == .gradual && !frame.isShown && frame.byteCount == 5)
    }

    /// Memory grew with the film: packets were kept until the end.
    @Test func `Packets that were handed out are released`() throws {
        let demuxer = try Fixture("raw.m2v").source.open()
        weak var first: Packet?
        var count = 0
        while let packet = try demuxer.readPacket() {
            if count == 0 { first = packet }
            count += 1
        }
        #expect(count > 40 && first == nil)
    }
}
