internal import MediaCore
internal import SampleBuffers

/// What reads a file of sound, or makes a new one; one thread at a time may use it.
protocol SoundFileWork: AnyObject {
    /// How the file holds sound.
    var fileFormat: AVAudioFormat { get }
    /// How clients have it.
    var processingFormat: AVAudioFormat { get }
    /// How many frames there are.
    var length: AVAudioFramePosition { get }
    /// Where the next frame is read or written.
    var position: AVAudioFramePosition { get set }

    /// Fills a buffer with the next frames, as far as there are some.
    ///
    /// - Parameter count: No more than there is room for.
    func read(into buffer: AVAudioPCMBuffer, count: Int) throws
    /// Appends all frames of a buffer.
    func write(from buffer: AVAudioPCMBuffer) throws
    /// Lets go of the file that is read, completes the one that is written.
    func finish() throws
}

extension SoundFileWork {
    /// Fails for a buffer of another format than clients have sound in.
    func check(_ buffer: AVAudioPCMBuffer) throws(AVError) {
        guard buffer.format == processingFormat else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "the buffer's format is \(buffer.format), the file's processingFormat \(processingFormat)")
        }
    }
}

extension AVAudioFormat {
    /// One of the usual formats, of any number of channels.
    ///
    /// - Parameter layout: `nil` for channels of which nothing is known.
    static func usual(
        _ common: AVAudioCommonFormat, rate: Double, channels: Int, isInterleaved: Bool, _ layout: AVAudioChannelLayout?
    ) throws(AVError) -> AVAudioFormat {
        let count = AVAudioChannelCount(clamping: channels)
        guard common != .otherFormat else {
            throw AVError(.incorrectlyConfigured, reason: "sound is not had in otherFormat, but in the usual ones")
        }
        if layout == nil, channels <= 2,
            let format = AVAudioFormat(
                commonFormat: common, sampleRate: rate, channels: count, interleaved: isInterleaved)
        {
            return format
        }
        guard let layout = layout ?? .unknown(channels: count) else {
            throw AVError(.incorrectlyConfigured, reason: "sound cannot have \(channels) channels")
        }
        return AVAudioFormat(
            commonFormat: common, sampleRate: rate, interleaved: isInterleaved, channelLayout: layout)
    }
}
