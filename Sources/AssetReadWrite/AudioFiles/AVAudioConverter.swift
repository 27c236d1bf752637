public import Foundation
public import MediaCore
public import SampleBuffers
internal import Synchronization

/// Makes sound of one format sound of another: other samples, another rate, other channels.
///
/// ```swift
/// guard let converter = AVAudioConverter(from: file.processingFormat, to: format) else { return }
/// var error: NSError?
/// while converter.convert(to: output, error: &error, withInputFrom: { count, status in
///     guard (try? file.read(into: input, frameCount: count)) != nil, input.frameLength > 0 else {
///         status.pointee = .endOfStream
///         return nil
///     }
///     status.pointee = .haveData
///     return input
/// }) == .haveData { use(output) }
/// ```
///
/// Settings count as they are when the first sound comes, anew after ``reset()``.
///
/// - Note: Both formats are of linear PCM: AVFoundation's also encodes and decodes, for which there is ``AVAudioFile``.
///
/// `@unchecked Sendable`: what converts is behind a lock, settings behind another one, all else never changes.
open class AVAudioConverter: NSObject, @unchecked Sendable {
    private struct Settings {
        var options = SoundConversion.Options()
        var channelMap: [Int] = []
        var quality = AVAudioQuality.medium.rawValue
        var algorithm: String? = AVSampleRateConverterAlgorithm_Normal
        var primeMethod = AVAudioConverterPrimeMethod.normal
        var primeInfo = AVAudioConverterPrimeInfo()
    }

    /// The format of what comes in.
    public let inputFormat: AVAudioFormat
    /// The format of what comes out.
    public let outputFormat: AVAudioFormat
    private let forms: SoundConversion.Forms
    private let settings = Mutex(Settings())
    /// Held while sound is converted; the client's block may ask the converter meanwhile.
    private let lock = NSRecursiveLock()
    private var stream: SoundConversion?
    private var direct: SoundConversion?

    /// A converter from one format to another.
    ///
    /// - Returns: `nil` for formats other than linear PCM of 8, 16, 24 and 32 bits, of floating-point numbers 32 and 64,
    ///   without padding, and for rates that are not known.
    /// - Note: AVFoundation's also encodes and decodes, for which there is ``AVAudioFile`` here.
    public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
        guard let forms = SoundConversion.Forms(fromFormat, toFormat) else { return nil }
        (inputFormat, outputFormat, self.forms) = (fromFormat, toFormat, forms)
        super.init()
    }

    /// Forgets the sound that came, so that other sound can come.
    open func reset() { lock.withLock { (stream, direct) = (nil, nil) } }

    // MARK: Settings

    /// For each channel that comes out the number of one that comes in, -1 for silence; empty at first.
    ///
    /// While it is empty, channels keep their place: those that are too many are left out, those that are missing are
    /// silence. A single channel becomes the first two.
    ///
    /// - Note: Numbers that make no sense are told when sound is converted. AVFoundation does not say how channels go where
    ///   nobody sets it.
    open var channelMap: [NSNumber] {
        get { settings.withLock { $0.channelMap.map { NSNumber(value: $0) } } }
        set {
            let numbers = newValue.map(\.intValue)
            settings.withLock { $0.channelMap = numbers }
        }
    }

    /// Whether channels are mixed by what they mean, where there are others or fewer, rather than left out; false at first.
    ///
    /// Without effect where ``channelMap`` is set.
    open var downmix: Bool {
        get { settings.withLock { $0.options.mixes } }
        set { settings.withLock { $0.options.mixes = newValue } }
    }

    /// Whether noise hides that samples are rounded; false at first.
    open var dither: Bool {
        get { settings.withLock { $0.options.dithers } }
        set { settings.withLock { $0.options.dithers = newValue } }
    }

    /// How well rates are changed: the number of an `AVAudioQuality`, from 0 to 127; medium at first.
    ///
    /// - Note: Only kept, unlike in AVFoundation: rates are always changed in the same way.
    open var sampleRateConverterQuality: Int {
        get { settings.withLock { $0.quality } }
        set { settings.withLock { $0.quality = newValue } }
    }

    /// How rates are changed: one of `AVSampleRateConverterAlgorithm_…`.
    ///
    /// - Note: Only kept, unlike in AVFoundation: rates are always changed in the same way.
    open var sampleRateConverterAlgorithm: String? {
        get { settings.withLock { $0.algorithm } }
        set { settings.withLock { $0.algorithm = newValue } }
    }

    /// Where frames around a conversion of rates come from; normal at first.
    ///
    /// - Note: Only kept, unlike in AVFoundation: what comes out begins when what comes in does, and lasts as long.
    open var primeMethod: AVAudioConverterPrimeMethod {
        get { settings.withLock { $0.primeMethod } }
        set { settings.withLock { $0.primeMethod = newValue } }
    }

    /// How many frames around a conversion of rates the client has; none at first.
    ///
    /// - Note: Only kept, unlike in AVFoundation, as ``primeMethod``.
    open var primeInfo: AVAudioConverterPrimeInfo {
        get { settings.withLock { $0.primeInfo } }
        set { settings.withLock { $0.primeInfo = newValue } }
    }

    private func makeConversion() throws -> SoundConversion {
        let (options, map) = settings.withLock { ($0.options, $0.channelMap) }
        return try SoundConversion(forms, options, map: map.isEmpty ? nil : map)
    }

    // MARK: Converting

    /// Converts all of a buffer, in the same rate.
    ///
    /// - Parameters:
    ///   - outputBuffer: Of ``outputFormat``, with room for as many frames. Its `frameLength` becomes that of the input.
    ///   - inputBuffer: Of ``inputFormat``.
    /// - Throws: `AVError.incorrectlyConfigured` for formats of different rates, buffers of other formats and too little
    ///   room, and what conversions fail with.
    open func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
        guard inputFormat.sampleRate == outputFormat.sampleRate else {
            throw AVError(
                .incorrectlyConfigured, reason: "rates are changed by convert(to:error:withInputFrom:) only")
        }
        try check(inputBuffer, inputFormat, "input")
        try check(outputBuffer, outputFormat, "output")
        let count = Int(inputBuffer.frameLength)
        guard count <= Int(outputBuffer.frameCapacity) else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "the output buffer has room for \(outputBuffer.frameCapacity) frames, not for \(count)")
        }
        outputBuffer.frameLength = 0
        try lock.withLock {
            let conversion = try direct ?? makeConversion()
            // One that fails holds what it did not convert.
            direct = nil
            conversion.give(inputBuffer)
            guard try conversion.fill(outputBuffer, from: 0, to: count) == count else {
                throw AVError(.unknown, reason: "the conversion gave fewer frames than it got")
            }
            direct = conversion
        }
        outputBuffer.frameLength = inputBuffer.frameLength
    }

    /// Fills a buffer with converted sound, asking a block for what is to be converted.
    ///
    /// Once the block has said that there is no more, all that remains comes out: together `n` frames become
    /// `n * outputRate / inputRate`, rounded. Then the converter gives nothing until ``reset()``.
    ///
    /// - Parameters:
    ///   - outputBuffer: An `AVAudioPCMBuffer` of ``outputFormat`` with room. Its `frameLength` becomes the number of frames.
    ///   - outError: Set to an `AVError` if the conversion fails.
    ///   - inputBlock: Called on this thread, as often as sound is needed. A buffer without frames counts as `noDataNow`.
    /// - Returns: `haveData` for a full buffer and for the last frames, `inputRanDry` if the block had none at the moment,
    ///   `endOfStream` with an empty buffer after the last frames, `error` if it failed.
    /// - Note: What was given and not converted is kept for the next call. AVFoundation's block is `@Sendable`.
    @discardableResult
    open func convert(
        to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer,
        withInputFrom inputBlock: @escaping AVAudioConverterInputBlock
    ) -> AVAudioConverterOutputStatus {
        do {
            guard let output = outputBuffer as? AVAudioPCMBuffer, output.frameCapacity > 0 else {
                throw AVError(.incorrectlyConfigured, reason: "the output buffer is no AVAudioPCMBuffer with room")
            }
            output.frameLength = 0
            try check(output, outputFormat, "output")
            return try lock.withLock { try fill(output, inputBlock) }
        } catch {
            outError?.pointee = error as NSError
            return .error
        }
    }

    private func fill(
        _ output: AVAudioPCMBuffer, _ inputBlock: AVAudioConverterInputBlock
    ) throws -> AVAudioConverterOutputStatus {
        let conversion = try stream ?? makeConversion()
        stream = conversion
        let room = Int(output.frameCapacity)
        var count = 0
        defer { output.frameLength = AVAudioFrameCount(clamping: count) }
        while true {
            count += try conversion.fill(output, from: count, to: room)
            if count == room { return .haveData }
            if conversion.isFinished { return count > 0 ? .haveData : .endOfStream }
            var status = AVAudioConverterInputStatus.noDataNow
            let wanted = AVAudioPacketCount(clamping: conversion.inputFrames(for: room - count))
            let input = inputBlock(wanted, &status)
            switch status {
            case .endOfStream: conversion.finish()
            case .noDataNow: return .inputRanDry
            case .haveData:
                guard let buffer = input as? AVAudioPCMBuffer, buffer.frameLength > 0 else {
                    if input == nil || input is AVAudioPCMBuffer { return .inputRanDry }
                    throw AVError(.incorrectlyConfigured, reason: "the input buffer is no AVAudioPCMBuffer")
                }
                try check(buffer, inputFormat, "input")
                conversion.give(buffer)
            }
        }
    }

    private func check(_ buffer: AVAudioBuffer, _ format: AVAudioFormat, _ name: String) throws(AVError) {
        guard buffer.format == format else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "the \(name) buffer's format is \(buffer.format), the converter's \(name)Format \(format)")
        }
    }
}

/// Gives a converter sound.
///
/// - Parameters:
///   - inNumberOfPackets: How many frames are wanted; there may be fewer or more.
///   - outStatus: To be set to what there is.
/// - Returns: A buffer of the converter's input format, which stays as it is until the block is called again; `nil` if the
///   status is not `haveData`.
/// - Note: Unlike AVFoundation's it need not be `@Sendable`.
public typealias AVAudioConverterInputBlock = (
    _ inNumberOfPackets: AVAudioPacketCount, _ outStatus: UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// What a client's block says of the sound that it is asked for.
public enum AVAudioConverterInputStatus: Int, Sendable {
    /// Here is some.
    case haveData = 0
    /// There is none at the moment, but may be later.
    case noDataNow = 1
    /// There is no more.
    case endOfStream = 2
}

/// What a conversion has come to.
public enum AVAudioConverterOutputStatus: Int, Sendable {
    /// The buffer is full, or holds the last frames.
    case haveData = 0
    /// The buffer holds what could be made: there was no more input at the moment.
    case inputRanDry = 1
    /// There is no more; the buffer is empty.
    case endOfStream = 2
    /// The conversion failed.
    case error = 3
}

/// How many frames are needed around a conversion of rates.
public struct AVAudioConverterPrimeInfo: Sendable {
    /// Before.
    public var leadingFrames: AVAudioFrameCount
    /// After.
    public var trailingFrames: AVAudioFrameCount

    /// None.
    public init() { (leadingFrames, trailingFrames) = (0, 0) }

    /// Some.
    public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
        (self.leadingFrames, self.trailingFrames) = (leadingFrames, trailingFrames)
    }
}

/// Where frames that lie around a conversion of rates come from.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
    /// From the input, before and after.
    case pre = 0
    /// From the input after, silence before.
    case normal = 1
    /// Silence before and after.
    case none = 2
}
