public import Foundation
internal import Synchronization

/// How samples are coded, how many there are for each second, and of which channels.
///
/// Nothing of it changes but the magic cookie. Formats of more than two channels need a layout that says which
/// channels these are.
///
/// - Note: Unlike AVFoundation's it has no `NSSecureCoding`. Where AVFoundation ends the program for values that make
///   no sense, initialisers give `nil`, or a format that no buffer can be made of.
open class AVAudioFormat: NSObject, @unchecked Sendable {
    // @unchecked Sendable: nothing changes but the cookie, which is behind a lock.

    let facts: SoundFormatFacts
    private let cookie = Mutex<Data?>(nil)

    // MARK: Making formats

    /// A format of C's structure, which is copied.
    ///
    /// - Parameter asbd: Of one or two channels.
    /// - Returns: `nil` for no channels, for more than two, and for a rate below 0 or that is no number. 0 is a rate
    ///   that is not known.
    public init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
        guard let facts = SoundFormatFacts(checking: asbd.pointee, nil) else { return nil }
        self.facts = facts
        super.init()
    }

    /// A format of C's structure, which is copied, and a layout.
    ///
    /// - Parameters:
    ///   - asbd: The format.
    ///   - layout: May be `nil` for one or two channels.
    /// - Returns: `nil` for no channels, for more than two without a layout, for a layout of another number of
    ///   channels, and for a rate below 0 or that is no number.
    /// - Note: AVFoundation does not say what it does with a layout of another number of channels.
    public init?(
        streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>, channelLayout layout: AVAudioChannelLayout?
    ) {
        guard let facts = SoundFormatFacts(checking: asbd.pointee, layout) else { return nil }
        self.facts = facts
        super.init()
    }

    /// The standard format: floating-point numbers of 32 bits, a buffer for each channel.
    ///
    /// - Parameters:
    ///   - sampleRate: Frames for each second, 0 if it is not known.
    ///   - channels: 1 or 2.
    /// - Returns: `nil` for other numbers of channels, and for a rate below 0 or that is no number.
    public init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        let stream = AudioStreamBasicDescription(
            .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, isInterleaved: false)
        guard let facts = SoundFormatFacts(checking: stream, nil) else { return nil }
        self.facts = facts
        super.init()
    }

    /// The standard format: floating-point numbers of 32 bits, a buffer for each channel.
    ///
    /// - Parameters:
    ///   - sampleRate: Frames for each second. What is below 0 or no number counts as 0, a rate that is not known.
    ///   - layout: The channels. Of a layout that names none comes a format of which there are no buffers.
    public init(standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout) {
        facts = SoundFormatFacts(
            AudioStreamBasicDescription(
                .pcmFormatFloat32, sampleRate: sampleRate, channels: layout.arrangement.channelCount,
                isInterleaved: false), layout)
        super.init()
    }

    /// One of the usual formats.
    ///
    /// - Parameters:
    ///   - format: The kind of samples.
    ///   - sampleRate: Frames for each second, 0 if it is not known.
    ///   - channels: 1 or 2.
    ///   - interleaved: Whether the channels lie in one buffer.
    /// - Returns: `nil` for `.otherFormat`, for other numbers of channels, and for a rate below 0 or that is no number.
    public init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
    ) {
        let stream = AudioStreamBasicDescription(
            format, sampleRate: sampleRate, channels: channels, isInterleaved: interleaved)
        guard format != .otherFormat, let facts = SoundFormatFacts(checking: stream, nil) else { return nil }
        self.facts = facts
        super.init()
    }

    /// One of the usual formats.
    ///
    /// - Parameters:
    ///   - format: The kind of samples. Of `.otherFormat` comes a format of which there are no buffers.
    ///   - sampleRate: Frames for each second. What is below 0 or no number counts as 0, a rate that is not known.
    ///   - interleaved: Whether the channels lie in one buffer.
    ///   - layout: The channels. Of a layout that names none comes a format of which there are no buffers.
    public init(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
        channelLayout layout: AVAudioChannelLayout
    ) {
        facts = SoundFormatFacts(
            AudioStreamBasicDescription(
                format, sampleRate: sampleRate, channels: layout.arrangement.channelCount, isInterleaved: interleaved),
            layout)
        super.init()
    }

    /// A format of settings.
    ///
    /// - Parameter settings: By `AVFormatIDKey`, `AVSampleRateKey` and `AVNumberOfChannelsKey`, which have to be there;
    ///   more than two channels also need `AVChannelLayoutKey`. Linear PCM is of 16 bits, interleaved, unless
    ///   `AVLinearPCMBitDepthKey`, `AVLinearPCMIsFloatKey`, `AVLinearPCMIsBigEndianKey` and
    ///   `AVLinearPCMIsNonInterleaved` say otherwise. Other keys are left alone.
    /// - Returns: `nil` if one is missing, is of the wrong type, makes no sense, or contradicts another.
    /// - Note: Unlike AVFoundation's, floating-point numbers may be of 64 bits.
    public init?(settings: [String: Any]) {
        guard let facts = try? SoundFormatFacts(settings: settings) else { return nil }
        self.facts = facts
        super.init()
    }

    /// The format of a description.
    ///
    /// - Parameter formatDescription: Of sound.
    /// - Note: Of another description comes a format without channels. AVFoundation's initialiser fails.
    public init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
        facts = SoundFormatFacts(formatDescription)
        super.init()
    }

    // MARK: What it says

    /// Whether it is the standard format: floating-point numbers of 32 bits, a buffer for each channel.
    open var isStandard: Bool { facts.stream.commonFormat == .pcmFormatFloat32 && !facts.stream.isInterleaved }

    /// Which of the usual formats it is.
    open var commonFormat: AVAudioCommonFormat { facts.stream.commonFormat }

    /// How many channels there are.
    open var channelCount: AVAudioChannelCount { facts.stream.mChannelsPerFrame }

    /// Frames for each second, 0 if it is not known.
    open var sampleRate: Double { facts.stream.mSampleRate }

    /// Whether the channels lie in one buffer, a frame after the other.
    ///
    /// - Note: `false` for compressed sound, of which AVFoundation leaves it open.
    open var isInterleaved: Bool { facts.stream.isInterleaved }

    /// The format as C's structure, in memory that lasts as long as the format.
    open var streamDescription: UnsafePointer<AudioStreamBasicDescription> { facts.streamPointer }

    /// Which channels there are; `nil` if nobody said it, which is possible for one or two.
    open var channelLayout: AVAudioChannelLayout? { facts.layout }

    /// What a decoder has to know besides, `nil` if there is nothing; only kept.
    open var magicCookie: Data? {
        get { cookie.withLock { $0 } }
        set { cookie.withLock { $0 = newValue } }
    }

    /// The format by the keys of settings, from which `init(settings:)` makes it again.
    ///
    /// Values are numbers and, for the layout, bytes. What settings have no key for, alignment in bytes, is not there.
    open var settings: [String: Any] { facts.settings }

    /// The format as a description, which lasts as long as the format.
    ///
    /// - Note: Unlike AVFoundation's, without the magic cookie. A layout of single channels is in it if a bitmap can
    ///   say the same.
    open var formatDescription: CMAudioFormatDescription { facts.formatDescription }

    // MARK: Comparing

    /// Whether another format is the same for all that handle samples.
    ///
    /// Whether one channel is interleaved, and how bits lie in bytes that they fill, is no difference; the layouts
    /// `kAudioChannelLayoutTag_Mono` and `kAudioChannelLayoutTag_Stereo` are the same as none.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        if self === other { return true }
        return facts.meaning == other.facts.meaning && magicCookie == other.magicCookie
    }

    /// A hash of what the format says, the cookie left out.
    open override var hash: Int { facts.meaning.hashValue }

    /// The format in words: channels, rate, samples.
    ///
    /// - Note: Not the words of AVFoundation.
    open override var description: String { "<AVAudioFormat: \(facts.words)>" }
}

/// The usual kinds of samples, in the order of this machine's bytes.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// None of the usual ones: compressed, of the other order of bytes, of 8 or 24 bits.
    case otherFormat = 0
    /// Floating-point numbers of 32 bits.
    case pcmFormatFloat32 = 1
    /// Floating-point numbers of 64 bits.
    case pcmFormatFloat64 = 2
    /// Signed whole numbers of 16 bits.
    case pcmFormatInt16 = 3
    /// Signed whole numbers of 32 bits.
    case pcmFormatInt32 = 4
}

extension AVAudioCommonFormat {
    /// Bits of a sample, 0 for other formats.
    var bits: UInt32 {
        switch self {
        case .otherFormat: 0
        case .pcmFormatFloat32, .pcmFormatInt32: 32
        case .pcmFormatFloat64: 64
        case .pcmFormatInt16: 16
        }
    }

    /// Whether samples are floating-point numbers.
    var isFloat: Bool { self == .pcmFormatFloat32 || self == .pcmFormatFloat64 }
}

/// A number of frames: one sample of each channel.
public typealias AVAudioFrameCount = UInt32
/// A place in sound, in frames from a zero that the context has.
public typealias AVAudioFramePosition = Int64
/// A number of packets: the smallest pieces of coded sound that can be decoded.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32
