package import FFmpegKit
package import MediaAsset
package import MediaCore

/// What a composed track shows: pieces of files, one after the other from zero on.
package struct Reel: Sendable {
    /// A part of a file's track, or nothing for a while.
    package struct Piece: Sendable {
        /// `nil` for nothing.
        var clip: Clip?
        /// On the new file's timeline.
        package var target: CMTimeRange

        /// How many times as long it is shown as it lasts.
        package var stretch: (numerator: Int128, denominator: Int128) {
            guard let clip, clip.range.duration != target.duration else { return (1, 1) }
            let (new, old) = (target.duration, clip.range.duration)
            return (
                Int128(new.value) * Int128(old.timescale), max(1, Int128(old.value) * Int128(new.timescale))
            )
        }

        /// What ticks are divided by where times are stretched; `nil` where they are not.
        var stretchDenominator: UInt64? {
            let (numerator, denominator) = stretch
            guard numerator != denominator else { return nil }
            var (divisor, rest) = (numerator, denominator)
            while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
            return UInt64(clamping: denominator / max(1, divisor))
        }
    }

    /// A part of a file's track.
    package struct Clip: Sendable {
        package var source: AssetSource
        package var stream: Int
        /// On the file's own timeline.
        package var range: CMTimeRange
        /// What makes of decoded frames what all pieces of the track are.
        package var filters: @Sendable (FrameFormat) -> String
        /// What is filtered before the piece for the filters' sake.
        package var context = CMTime.zero
    }

    package var pieces: [Piece]
    /// How loud its sound is, from the new file's beginning to its end without gaps, if it changes anything.
    package var volume: [Ramp<Float>]?

    /// When the last piece ends.
    package var duration: CMTime { pieces.last?.target.end ?? .zero }
}
