import MediaCore
import Testing

@Suite struct `Timecodes` {
    /// Labels in each second, and the real length of a frame, of the rates with drop frame and without.
    private static let drop30 = TimecodeScale(start: nil, framesPerSecond: 30, frameDuration: t(1001, 30000))
    private static let drop60 = TimecodeScale(start: nil, framesPerSecond: 60, frameDuration: t(1001, 60000))
    private static let whole25 = TimecodeScale(start: nil, framesPerSecond: 25, frameDuration: t(1, 25))

    @Test(arguments: [
        // By the definition of SMPTE ST 12-1: 17982 frames in ten minutes, 107892 in an hour, 2589408 in a day.
        ("00:00:59;29", 1799), ("00:01:00;02", 1800), ("00:10:00;00", 17982), ("00:10:59;29", 19781),
        ("01:00:00;00", 107_892), ("23:59:59;29", 2_589_407), ("00:01:00:00", 1800), ("01:00:00:00", 108_000),
    ])
    func `Timecodes number frames at 29.97`(_ text: String, _ frame: Int) throws {
        let timecode = try #require(Timecode(text))
        #expect(timecode.description == text)
        #expect(try #require(Self.drop30).frame(of: timecode) == frame)
    }

    @Test(arguments: [("00:01:00;04", 3600), ("01:00:00;00", 215_784), ("00:00:59;59", 3599)])
    func `Timecodes number frames at 59.94`(_ text: String, _ frame: Int) throws {
        #expect(try #require(Self.drop60).frame(of: try #require(Timecode(text))) == frame)
    }

    @Test func `Drop-frame timecodes number every frame of twenty minutes, one by one`() throws {
        let scale = try #require(Self.drop30)
        var frame = 0
        for minute in 0..<20 {
            for second in 0..<60 {
                for number in 0..<30 where !(second == 0 && number < 2 && minute % 10 != 0) {
                    let timecode = try #require(
                        Timecode(hours: 0, minutes: minute, seconds: second, frames: number, isDropFrame: true))
                    #expect(scale.frame(of: timecode) == frame)
                    frame += 1
                }
            }
        }
    }

    @Test(arguments: [
        ("00:01:00;00", "is a number that drop frame leaves out"),
        ("00:11:00;01", "is a number that drop frame leaves out"),
        ("00:00:00:30", "has no such frame: at 30 frames per second they go from 0 to 29"),
    ])
    func `Timecodes that no frame has are refused with the reason`(_ text: String, _ reason: String) async throws {
        let scale = try #require(Self.drop30)
        let timecode = try #require(Timecode(text))
        #expect(scale.frame(of: timecode) == nil)
        #expect(scale.flaw(of: timecode) == reason)
        let error = await #expect(throws: TimeExpressionError.self) {
            try await TimeExpression.parse(text).resolve(duration: t(1000), timecode: scale) { _ in .zero }
        }
        #expect(error?.reason == reason)
    }

    @Test func `Drop-frame timecodes are refused for rates that do not lag behind the clock`() throws {
        let timecode = try #require(Timecode("00:00:01;00"))
        #expect(try #require(Self.whole25).flaw(of: timecode)?.hasPrefix("is drop frame, which is for 29.97") == true)
        let film = try #require(TimecodeScale(start: .zero, framesPerSecond: 30, frameDuration: t(1001, 30000)))
        #expect(film.flaw(of: timecode)?.contains("write : before") == true)
    }

    @Test func `Timecodes count from the media file's first, past midnight too`() async throws {
        let start = try #require(Timecode("23:59:59:00"))
        let scale = try #require(TimecodeScale(start: start, framesPerSecond: 25, frameDuration: t(1, 25)))
        func frame(_ text: String) throws -> Int? { scale.frame(of: try #require(Timecode(text))) }
        #expect(try frame("23:59:59:24") == 24)
        #expect(try frame("00:00:00:00") == 25)
        let time = try await TimeExpression.parse("00:00:01:00").resolve(duration: t(10), timecode: scale) { _ in .zero
        }
        #expect(time == t(2))
    }

    @Test func `Timecodes before the media file's first, or after its end, have no place`() async throws {
        let start = try #require(Timecode("01:00:00:00"))
        let scale = try #require(TimecodeScale(start: start, framesPerSecond: 25, frameDuration: t(1, 25)))
        for text in ["00:59:59:24", "01:00:10:00"] {
            let error = await #expect(throws: TimeExpressionError.self) {
                try await TimeExpression.parse(text).resolve(duration: t(10), timecode: scale) { _ in .zero }
            }
            #expect(error?.reason == "is not in the film: it begins at 01:00:00:00 and lasts 10 s")
        }
        #expect(
            try await TimeExpression.parse("01:00:09:24").resolve(duration: t(10), timecode: scale) { _ in .zero }
                == t(249, 25))
    }

    @Test func `Timecodes give frame numbers where each frame has its own timecode`() async throws {
        let scale = try #require(
            TimecodeScale(start: nil, framesPerSecond: 25, frameDuration: t(1, 25), numbersPictures: true))
        let time = try await TimeExpression.parse("00:00:01:05").resolve(duration: t(10), timecode: scale) {
            t(Int64($0), 1000)
        }
        #expect(time == t(30, 1000))
    }

    @Test func `Impossible scales and timecodes are refused`() throws {
        #expect(TimecodeScale(start: nil, framesPerSecond: 0, frameDuration: t(1, 25)) == nil)
        #expect(TimecodeScale(start: nil, framesPerSecond: 25, frameDuration: t(0, 25)) == nil)
        #expect(TimecodeScale(start: Timecode("00:00:00:29"), framesPerSecond: 25, frameDuration: t(1, 25)) == nil)
        #expect(
            TimecodeScale(start: Timecode("00:01:00;00"), framesPerSecond: 30, frameDuration: t(1001, 30000)) == nil)
        #expect(Timecode(hours: 24, minutes: 0, seconds: 0, frames: 0) == nil)
        #expect(Timecode("-1:00:00:00") == nil)
        #expect(Timecode("١:00:00:00") == nil)
        #expect(Timecode("") == nil)
    }
}
