import Testing

@testable import MediaEngine

/// Places of sound after a seek, of frames of 1,024 samples at 48 kHz whose times are milliseconds.
struct SoundPlacementTests {
    /// Times as a file tells them that cuts them off, or rounds them.
    private func told(_ place: Int64, isRounded: Bool) -> Int64 { (place + (isRounded ? 24 : 0)) / 48 * 48 }

    /// What is found after some frames before the one at `place`, in a file whose first frame is at `zero`.
    private func found(_ place: Int64, zero: Int64, isRounded: Bool, anchor: Int64) -> Int64 {
        var placement = SoundPlacement(anchor: anchor, tick: 49, isVaried: false)
        let first = place - 20 * 1024
        let start = told(first, isRounded: isRounded)
        for frame in 0..<20 {
            placement.note(
                told: told(first + Int64(frame) * 1024, isRounded: isRounded), counted: start + Int64(frame) * 1024,
                count: 1024)
        }
        return placement.place(counted: start + 20 * 1024)
    }

    @Test(arguments: [true, false], [0, 7, 13, 40, 47] as [Int64])
    func `Positions of audio frames are found by counting, however times are rounded`(isRounded: Bool, zero: Int64) {
        // Counting begins where the first frame's time is said to be.
        let anchor = told(zero, isRounded: isRounded)
        for frame in [100, 101, 5000, 5001, 5002] as [Int64] {
            let counted = anchor + frame * 1024
            #expect(found(zero + frame * 1024, zero: zero, isRounded: isRounded, anchor: anchor) == counted)
        }
    }

    @Test func `Positions of audio frames follow their times behind a gap`() {
        let place: Int64 = 300 * 1024 + 512
        #expect(abs(found(place, zero: 0, isRounded: true, anchor: 0) - place) <= 24)
    }

    @Test func `Positions of audio frames are found for frames of several lengths`() {
        var placement = SoundPlacement(anchor: 128, tick: 49, isVaried: false)
        placement.note(told: 12_864 + 30, counted: 12_894, count: 1024)
        placement.note(told: 13_888 - 10, counted: 13_918, count: 576)
        placement.note(told: 14_464 + 5, counted: 14_494, count: 128)
        #expect(placement.place(counted: 14_622) == 14_592)
    }

    /// Vorbis, of which only long blocks come before the place, and short ones lie farther back.
    @Test func `Positions of audio frames are found where frames changed their length before`() {
        var placement = SoundPlacement(anchor: 1482, tick: 23, isVaried: true)
        for frame in 0..<19 as Range<Int64> {
            placement.note(told: 28_878 + frame * 512, counted: 28_868 + frame * 512, count: 512)
        }
        // 72 long blocks and half a one behind the first one.
        #expect(placement.place(counted: 28_868 + 19 * 512) == 1482 + 72 * 512 + 256)
    }

    @Test func `Positions of audio frames are not affected by impossible times`() {
        var placement = SoundPlacement(anchor: 0, tick: 49, isVaried: false)
        for _ in 0..<30 { placement.note(told: -(1 << 59), counted: 1 << 59, count: 1024) }
        #expect(placement.place(counted: 5) == 5)
        placement.note(told: nil, counted: 0, count: 0)
        #expect(placement.place(counted: 5) == 5)
    }
}
