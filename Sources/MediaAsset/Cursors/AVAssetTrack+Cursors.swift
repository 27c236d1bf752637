public import MediaCore

// Each reads all packets of the file the first time, undecoded, and blocks for that.

extension AVAssetTrack {
    /// A cursor at the sample that is shown or heard at a time; blocks.
    ///
    /// - Parameter presentationTimeStamp: On the asset's timeline. Before the first sample the cursor stands at the
    ///   first one, after the last one at the last; so it does for infinite times.
    /// - Returns: `nil` without samples, for invalid and indefinite times, for a pipe that is not read to its end, and
    ///   if the file cannot be read.
    /// - Complexity: The first call reads all packets of the file, without decoding; what they tell is kept.
    public func makeSampleCursor(presentationTimeStamp: CMTime) -> AVSampleCursor? {
        if presentationTimeStamp == .negativeInfinity {
            return makeSampleCursor { $0.presented.first }
        }
        if presentationTimeStamp == .positiveInfinity {
            return makeSampleCursor { $0.presented.last }
        }
        guard presentationTimeStamp.isNumeric else { return nil }
        return makeSampleCursor { $0.number(presentedAt: presentationTimeStamp) }
    }

    /// A cursor at the sample that is decoded first; blocks.
    ///
    /// - Returns: `nil` where `makeSampleCursor(presentationTimeStamp:)` gives it.
    public func makeSampleCursorAtFirstSampleInDecodeOrder() -> AVSampleCursor? {
        makeSampleCursor { $0.samples.indices.first }
    }

    /// A cursor at the sample that is decoded last; blocks.
    ///
    /// - Returns: `nil` where `makeSampleCursor(presentationTimeStamp:)` gives it.
    public func makeSampleCursorAtLastSampleInDecodeOrder() -> AVSampleCursor? {
        makeSampleCursor { $0.samples.indices.last }
    }

    private func makeSampleCursor(at position: (TrackSamples) -> Int?) -> AVSampleCursor? {
        guard canProvideSampleCursors, let samples = try? source.samples(stream: track.streamIndex),
            let number = position(samples)
        else { return nil }
        return AVSampleCursor(track: track, samples: samples, number: number)
    }
}
