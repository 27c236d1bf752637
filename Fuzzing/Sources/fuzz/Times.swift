internal import Foundation
internal import FuzzDriver
internal import MediaCore

/// Times, lists of them, ranges and lengths as people write them.
func readTimes(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = (try? DurationExpression.parse(text), try? TimeExpression.parseList(text), Timecode(text))
    if let time = try? TimeExpression.parse(text) {
        expect((try? TimeExpression.parse(time.description)) == time, "\(text) is written \(time)")
    }
    let range = try? TimeRangeExpression.parse(text)
    if let range {
        expect((try? TimeRangeExpression.parse(range.description)) == range, "\(text) is written \(range)")
    }
    let times = (try? TimeExpression.parseList(text)) ?? []
    guard range != nil || !times.isEmpty else { return }
    let frame = { @Sendable (number: Int) in CMTime(value: Int64(number), timescale: 25) }
    let scale = TimecodeScale(start: .zero, framesPerSecond: 30, frameDuration: CMTime(value: 1001, timescale: 30000))
    wait {
        for duration in [CMTime(value: 10, timescale: 1), .invalid, CMTime(value: .max, timescale: 1), .zero] {
            for time in times.prefix(20) {
                _ = try? await time.resolve(duration: duration, timecode: scale) { frame($0) }
            }
            _ = try? await range?.resolve(duration: duration, timecode: scale) { frame($0) }
        }
    }
}

/// Blocks until some asynchronous work is done.
private func wait(for work: @escaping @Sendable () async -> Void) {
    let end = DispatchSemaphore(value: 0)
    Task {
        await work()
        end.signal()
    }
    end.wait()
}

/// Calculates with times that may be anything.
func calculate(_ bytes: [UInt8]) {
    var input = InputNumbers(bytes)
    func time() -> CMTime {
        let (value, timescale) = (input.number(Int64.self), input.number(Int32.self))
        let (flags, epoch) = (UInt32(input.byte()), Int64(Int8(bitPattern: input.byte())))
        return CMTime(value: value, timescale: timescale, flags: CMTimeFlags(rawValue: flags), epoch: epoch)
    }
    let (a, b, c, d) = (time(), time(), time(), time())
    let (number, other) = (input.number(Int32.self), input.number(Int32.self))
    let real = Double(bitPattern: input.number(UInt64.self))
    for result in [
        a + b, a - b, CMTimeMultiply(a, multiplier: number), CMTimeMultiplyByFloat64(a, multiplier: real),
        CMTimeMultiplyByRatio(a, multiplier: number, divisor: other), CMTimeAbsoluteValue(a),
        CMTime(seconds: real, preferredTimescale: number), a.distance(from: b, .later),
    ] {
        _ = (result.seconds, result.description, result.secondsText(), result.durationText(), result.hashValue)
        _ = (result.secondsRoundedUp, result.secondsRoundedDown, result == a, result < b)
    }
    for method in CMTimeRoundingMethod.allCases { _ = a.convertScale(number, method: method) }
    if number > 0 { _ = CMTimeRange(start: a, duration: b).middles(ofShares: min(number, 50)) }
    let (first, second) = (CMTimeRange(start: a, duration: b), CMTimeRange(start: c, end: d))
    _ = (first.union(second), first.intersection(second), first.containsTime(c), first.containsTimeRange(second))
    _ = (CMTimeMapTimeFromRangeToRange(a, fromRange: first, toRange: second), CMTimeClampToRange(a, range: second))
    _ = CMTimeMapDurationFromRangeToRange(a, fromRange: first, toRange: second)
    _ = CMTimeFoldIntoRange(a, foldRange: second)
    _ = (first.description, CMTimeMapping(source: first, target: second).description, first.hashValue)
    _ = CMTimeRangeMakeFromDictionary(CMTimeRangeCopyAsDictionary(first, allocator: nil))
}
