import MediaCore
import Testing

@testable import FFmpegKit
@testable import MediaEngine

private func stream(average: Ratio?, shortest: Ratio?, timeBase: (Int32, Int32)) -> StreamInfo {
    let color = ColorInfo(primaries: nil, transferFunction: nil, yCbCrMatrix: nil, range: nil, chromaLocation: nil)
    return StreamInfo(
        index: 0, containerID: 1, kind: .video, isAttachedPicture: false, codec: .h264, codecTag: "",
        timeBase: TimeBase(numerator: timeBase.0, denominator: timeBase.1),
        video: VideoInfo(
            width: 320, height: 240, sampleAspectRatio: Ratio(1, 1), averageFrameRate: average,
            realFrameRate: shortest, pixelFormat: "yuv420p", bitsPerComponent: 8, hasAlpha: false, color: color,
            fieldOrder: nil, reorderDelay: 0, isIntraOnly: false),
        extradata: [])
}

/// What a header says of the rate, and what is made of it.
struct RateCase: Sendable, CustomTestStringConvertible {
    var average: Ratio?
    var shortest: Ratio?
    var timeBase: (Int32, Int32)
    var rate: Ratio?
    var isVariable = false
    var ticks: Int32
    var testDescription: String { "\(String(describing: average)) in \(timeBase)" }

    static let all = [
        RateCase(average: Ratio(25, 1), shortest: Ratio(25, 1), timeBase: (1, 12800), rate: Ratio(25, 1), ticks: 12800),
        RateCase(
            average: Ratio(30000, 1001), shortest: Ratio(30000, 1001), timeBase: (1, 30000),
            rate: Ratio(30000, 1001), ticks: 30000),
        // Milliseconds: the frames of television are whole in 1/24000 only.
        RateCase(
            average: Ratio(24000, 1001), shortest: Ratio(24000, 1001), timeBase: (1, 1000),
            rate: Ratio(24000, 1001), ticks: 24000),
        RateCase(
            average: Ratio(30000, 1001), shortest: Ratio(30000, 1001), timeBase: (1, 90000),
            rate: Ratio(30000, 1001), ticks: 90000),
        // AVI counts frames; a range has to be able to end between them.
        RateCase(average: Ratio(25, 1), shortest: Ratio(25, 1), timeBase: (1, 25), rate: Ratio(25, 1), ticks: 12800),
        RateCase(
            average: Ratio(30000, 1001), shortest: Ratio(30000, 1001), timeBase: (1001, 30000),
            rate: Ratio(30000, 1001), ticks: 30000),
        // Fields are counted.
        RateCase(average: Ratio(25, 1), shortest: Ratio(50, 1), timeBase: (1, 90000), rate: Ratio(50, 2), ticks: 90000),
        // A phone's.
        RateCase(
            average: Ratio(2867, 100), shortest: Ratio(120, 1), timeBase: (1, 600), rate: Ratio(2867, 100),
            isVariable: true, ticks: 19200),
        RateCase(
            average: Ratio(8362, 1000), shortest: Ratio(8362, 1000), timeBase: (1, 90000), rate: Ratio(8362, 1000),
            isVariable: true, ticks: 90000),
        RateCase(average: nil, shortest: nil, timeBase: (1, 1000), rate: nil, ticks: 16000),
        // Where times share no interval, the header has the ticks themselves (ffprobe of vfr.mp4).
        RateCase(
            average: Ratio(3_000_000, 358_777), shortest: Ratio(90000, 1), timeBase: (1, 90000),
            rate: Ratio(3_000_000, 358_777), isVariable: true, ticks: 90000),
        // Nonsense.
        RateCase(average: Ratio(90000, 1), shortest: Ratio(90000, 1), timeBase: (1, 90000), rate: nil, ticks: 90000),
        RateCase(
            average: Ratio(25, 1), shortest: Ratio(25, 1), timeBase: (1, 2_000_000_000), rate: Ratio(25, 1),
            ticks: 90000),
    ]
}

@Suite struct `The rate of pictures` {
    @Test(arguments: RateCase.all)
    func `Constant and variable frame rates are told apart, with times in whole ticks`(_ c: RateCase) {
        let timing = FrameTiming(stream(average: c.average, shortest: c.shortest, timeBase: c.timeBase))
        #expect(timing.rate?.value == c.rate?.value)
        #expect(timing.isVariable == c.isVariable)
        #expect(timing.encodingTimeBase == TimeBase(numerator: 1, denominator: c.ticks))
    }

    @Test(arguments: [
        (Ratio(60, 1), 30.0, 2 as Int?, 30.0), (Ratio(60000, 1001), 30, 2, 30000 / 1001.0), (Ratio(25, 1), 30, nil, 25),
        (Ratio(30000, 1001), 30, nil, 30000 / 1001.0), (Ratio(50, 1), 15, 4, 12.5), (Ratio(25, 1), 15, 2, 12.5),
        (Ratio(24, 1), 15, 2, 12), (Ratio(30, 1), 15, 2, 15), (Ratio(240, 1), 60, 4, 60),
    ])
    func `A frame rate is divided by the least number that keeps it below the limit`(
        _ rate: Ratio, _ maximum: Double, _ count: Int?, _ result: Double
    ) {
        let timing = FrameTiming(stream(average: rate, shortest: rate, timeBase: (1, 90000))).limited(to: maximum)
        #expect(timing.limit == count.map { .oneOf($0) })
        #expect(abs((timing.rate?.value ?? 0) - result) < 1e-9)
    }

    @Test func `A variable frame rate is bounded for each moment`() {
        let source = FrameTiming(stream(average: Ratio(2867, 100), shortest: Ratio(120, 1), timeBase: (1, 600)))
        #expect(source.limited(to: 30).limit == .atMost(Ratio(30000, 1000)))
        #expect(source.limited(to: 30).rate?.value == 28.67)
        #expect(source.limited(to: 15).rate?.value == 15)
        #expect(source.limited(to: nil).limit == nil)
    }
}
