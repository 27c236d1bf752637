import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

@testable import ImageGeneration

@Suite struct `The order of requests` {
    @Test func `Requests are sorted by time and keep their positions`() {
        let plan = StillPlan(times: [seconds(3), seconds(1), seconds(2)])
        #expect(plan.entries.map(\.index) == [1, 2, 0])
        #expect(plan.entries.map(\.requestedTime) == [seconds(1), seconds(2), seconds(3)])
    }

    @Test func `Requests for equal times keep the order of the list`() {
        let plan = StillPlan(times: [seconds(2), seconds(1), seconds(4, 2), seconds(1), seconds(60, 30)])
        #expect(plan.entries.map(\.index) == [1, 3, 0, 2, 4])
    }

    @Test func `Requests for special times have their place in the order`() {
        let plan = StillPlan(times: [.positiveInfinity, seconds(1), .negativeInfinity, .invalid, seconds(0)])
        #expect(Set(plan.entries.map(\.index)) == [0, 1, 2, 3, 4])
        let numeric = plan.entries.filter(\.requestedTime.isNumeric).map(\.index)
        #expect(numeric == [4, 1])
    }

    @Test func `An empty list of requests gives an empty plan`() {
        #expect(StillPlan(times: []).entries.isEmpty)
    }

    @Test func `Each request has one result and duplicates share the image`() async throws {
        let times = [seconds(5), seconds(1), seconds(5), seconds(10, 2), seconds(1), seconds(126, 25)]
        let stills = try await Fixture("movie.mp4").generator.allStills(for: times)
        #expect(stills.map(\.index) == [1, 4, 0, 2, 3, 5])
        #expect(stills.map(\.requestedTime) == [1, 4, 0, 2, 3, 5].map { times[$0] })
        #expect(stills.map { $0.image.frameNumber } == [25, 25, 125, 125, 125, 126])
        #expect(stills[2].image === stills[4].image)
    }

    @Test(arguments: [1, 2, 3])
    func `Any order of the list gives the same results`(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let times = (0..<40).map { _ in seconds(Int64.random(in: 0...9999, using: &random), 1000) }
        for fixture in [Fixture("movie.mov"), Fixture("hevc-open-gop.ts")] {
            let scaled =
                fixture.name == "movie.mov" ? times : times.map { CMTimeMultiplyByRatio($0, multiplier: 2, divisor: 5) }
            let sorted = try await fixture.generator.allStills(for: scaled.sorted())
            let mixed = try await fixture.generator.allStills(for: scaled)
            #expect(sorted.map(\.actualTime) == mixed.map(\.actualTime))
            #expect(sorted.map { $0.image.pixels } == mixed.map { $0.image.pixels })
        }
    }
}
