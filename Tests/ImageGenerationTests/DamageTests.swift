import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import Testing

@Suite(.serialized) struct `Damaged files` {
    /// The frames whose pictures differ from the undamaged file's, by another decoder.
    private static func spoiledFrames(_ frames: [Sidecar.ShownFrame]) -> [Int] {
        frames.indices.filter { !frames[$0].isWhole }
    }

    @Test func `Damaged frames are refused and all others are right`() async throws {
        let fixture = Fixture("damaged.mp4")
        let frames = try Sidecar.load(fixture).shownFrames
        #expect(Self.spoiledFrames(frames) == Array(134...149))
        var refused: [Int] = []
        for result in await fixture.generator.results(for: frames.map(\.time)) {
            switch result {
            case .success(let still):
                #expect(still.image.frameNumber == still.index)
                #expect(still.actualTime == frames[still.index].time)
                #expect(still.damage == nil)
            case .failure(let failure):
                refused.append(failure.index)
                let error = failure.error as? AVError
                #expect(error?.code == .decodeFailed)
                #expect(error?.reason.contains("cannot be had") == true)
            }
        }
        #expect(refused == Array(134...149))
    }

    @Test(arguments: [133, 134, 141, 149, 150])
    func `Single requests for damaged frames agree with a batch`(_ number: Int) async throws {
        let error = await Fixture("damaged.mp4").generator.failure(at: seconds(Int64(number), 25))
        #expect((error == nil) == !(134...149).contains(number))
    }

    @Test func `Damaged frames are delivered with their damage where that is allowed`() async throws {
        let generator = Fixture("damaged.mp4").generator
        generator.allowsDamagedPictures = true
        let stills = try await generator.allStills(for: (0..<250).map { seconds($0, 25) })
        #expect(stills.map { $0.image.frameNumber } == Array(0..<250))
        #expect(stills.map(\.actualTime) == (0..<250).map { seconds($0, 25) })
        #expect(stills.filter { $0.damage != nil }.map(\.index) == Array(134...149))
    }

    @Test func `Frames after lost packets are right or refused`() async throws {
        let fixture = Fixture("damaged.ts")
        let frames = try Sidecar.load(fixture).shownFrames
        let asset = fixture.asset
        let duration = try await asset.load(.duration)
        let times = frames.map(\.time).filter { $0 <= duration }
        #expect(times.count >= 97)
        var delivered: Set<Int> = []
        for result in await exactGenerator(of: asset).results(for: times) {
            guard case .success(let still) = result else { continue }
            let expected = frames[still.index]
            #expect(still.actualTime == expected.time)
            #expect(expected.isWhole && still.image.frameNumber == expected.number)
            if let number = expected.number { delivered.insert(number) }
        }
        // The 41st packet, frame 38, is the first with a loss; the GOP ends with frame 49.
        #expect(Set(0..<38).subtracting(delivered).isEmpty)
        #expect(Set(50..<97).subtracting(delivered).isEmpty)
    }

    @Test func `Frames before the cut of a truncated file are right`() async throws {
        let frames = try Sidecar.load(Fixture("truncated.mp4")).shownFrames
        let stills = try await Fixture("truncated.mp4").generator.allStills(for: frames.dropLast(2).map(\.time))
        #expect(stills.map { $0.image.frameNumber } == Array(0..<140))
        #expect(stills.map(\.actualTime) == frames.dropLast(2).map(\.time))
    }

    @Test(arguments: [143, 150, 175, 200, 249])
    func `Times after the cut of a truncated file fail with that reason`(_ number: Int) async throws {
        let error = await Fixture("truncated.mp4").generator.failure(at: seconds(Int64(number), 25)) as? AVError
        #expect(error?.code == .decodeFailed)
        #expect(error?.reason.contains("cut short") == true, "\(error?.reason ?? "no error")")
    }

    @Test func `No damage is reported where there is none`() async throws {
        let generator = Fixture("movie.mp4").generator
        generator.allowsDamagedPictures = true
        let stills = try await generator.allStills(for: (130..<152).map { seconds($0, 25) })
        #expect(stills.allSatisfy { $0.damage == nil })
    }
}

@Suite struct `Pictures that need no other` {
    /// The film with the header of a frame gone, which no decoder can do without.
    private func film(withoutFrame position: Int, in folder: TemporaryFolder) throws -> AVURLAsset {
        var data = try Data(contentsOf: Fixture("alpha-prores.mov").url)
        for index in position..<(position + 100) { data[index] = 0 }
        let url = folder.url.appendingPathComponent("film.mov")
        try data.write(to: url)
        return AVURLAsset(url: url)
    }

    // By ffprobe, frames lie at bytes 36, 5856, 11756…, 0.04 s apart.
    @Test(
        arguments: [(36, [nil, 4, 8, 12]), (5856, [0, nil, 8, 12]), (11756, [0, 4, nil, 12])] as [(Int, [Int64?])])
    func `Lost frames of an intra-only codec are reported, and the others are right`(
        _ position: Int, _ expected: [Int64?]
    ) async throws {
        let folder = try TemporaryFolder()
        let asset = try film(withoutFrame: position, in: folder)
        for _ in 0..<5 {
            for isBatch in [true, false] {
                let times = [0, 4, 8, 12].map { seconds($0, 100) }
                var found: [Int64?] = []
                for batch in isBatch ? [times] : times.map({ [$0] }) {
                    let generator = AVAssetImageGenerator(asset: asset)
                    generator.requestedTimeToleranceBefore = .zero
                    generator.requestedTimeToleranceAfter = .zero
                    for await result in generator.stills(for: batch) {
                        found.append(try? result.get().actualTime.convertScale(100, method: .default).value)
                    }
                }
                #expect(found == expected)
            }
        }
    }
}
