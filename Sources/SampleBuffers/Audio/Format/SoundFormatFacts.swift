/// What a format says, with the memory that it lends.
struct SoundFormatFacts: Sendable {
    /// The format in C's form.
    let stream: AudioStreamBasicDescription
    /// The same in memory.
    private let streamBytes: LentBytes
    /// Which channels there are.
    let layout: AVAudioChannelLayout?
    /// The same as a description.
    let formatDescription: CMAudioFormatDescription

    /// Facts that need not make sense, but for the rate.
    init(_ stated: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?) {
        var stream = stated
        // A rate that is no number would make formats differ from themselves.
        if !stream.mSampleRate.isFinite || stream.mSampleRate < 0 { stream.mSampleRate = 0 }
        (self.stream, self.layout) = (stream, layout)
        streamBytes = .of(withUnsafeBytes(of: stream) { [UInt8]($0) })
        formatDescription = CMFormatDescription(
            mediaType: .audio, mediaSubType: CMFormatDescription.MediaSubType(rawValue: stream.mFormatID),
            dimensions: CMVideoDimensions(width: 0, height: 0), extensions: [:], streamDescription: stream,
            channelLayout: layout?.arrangement.managed)
    }

    /// The format in memory.
    var streamPointer: UnsafePointer<AudioStreamBasicDescription> {
        streamBytes.start.assumingMemoryBound(to: AudioStreamBasicDescription.self)
    }

    /// Facts that make sense.
    ///
    /// - Returns: `nil` for no channels, more than two without a layout, a layout of another number, or a rate that is
    ///   below 0 or no number.
    init?(checking stream: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?) {
        let channels = stream.mChannelsPerFrame
        guard channels > 0, stream.mSampleRate.isFinite, stream.mSampleRate >= 0 else { return nil }
        if let layout {
            guard layout.arrangement.channelCount == channels else { return nil }
        } else {
            guard channels <= 2 else { return nil }
        }
        self.init(stream, layout)
    }

    /// The facts of a description, without channels if it is of no sound.
    init(_ description: CMAudioFormatDescription) {
        let stream = description.audioStreamBasicDescription ?? AudioStreamBasicDescription()
        let arrangement = description.audioChannelLayout.map { ChannelArrangement($0) }
        // Descriptions of files may have a layout that says nothing.
        let layout = arrangement.flatMap { arrangement in
            arrangement.channelCount == stream.mChannelsPerFrame ? AVAudioChannelLayout(arrangement) : nil
        }
        self.init(stream, layout)
    }
}

extension SoundFormatFacts {
    /// What formats are compared by.
    struct Meaning: Hashable {
        let stream: AudioStreamBasicDescription
        let arrangement: ChannelArrangement?
    }

    /// What formats are compared by: differences that change no sample are left out.
    var meaning: Meaning {
        var plain = stream
        if plain.mFormatFlags == kAudioFormatFlagsAreAllClear { plain.mFormatFlags = 0 }
        if plain.isPCM {
            if plain.mChannelsPerFrame == 1 { plain.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved }
            if let bytes = plain.sampleByteCount, plain.mBitsPerChannel % 8 == 0, plain.mBitsPerChannel / 8 == bytes {
                plain.mFormatFlags &= ~(kAudioFormatFlagIsPacked | kAudioFormatFlagIsAlignedHigh)
            }
        }
        plain.mReserved = 0
        let isUsual = layout?.arrangement.isUsual ?? true
        return Meaning(stream: plain, arrangement: isUsual ? nil : layout?.arrangement)
    }

    /// The format in words.
    var words: String {
        let samples =
            switch stream.commonFormat {
            case .pcmFormatFloat32: "Float32"
            case .pcmFormatFloat64: "Float64"
            case .pcmFormatInt16: "Int16"
            case .pcmFormatInt32: "Int32"
            case .otherFormat where stream.isPCM: "\(stream.mBitsPerChannel) bits"
            case .otherFormat: "'\(stream.mFormatID.characters)'"
            }
        let rate = Int(exactly: stream.mSampleRate).map { "\($0)" } ?? "\(stream.mSampleRate)"
        let words = "\(stream.mChannelsPerFrame) ch, \(rate) Hz, \(samples)"
        guard stream.isPCM, stream.mChannelsPerFrame > 1 else { return words }
        return words + (stream.isInterleaved ? ", interleaved" : ", deinterleaved")
    }
}
