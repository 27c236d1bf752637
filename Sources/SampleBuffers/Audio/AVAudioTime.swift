public import Foundation

/// A moment by the clock of the machine, by the frames that went before, or by both: never changes.
///
/// A tick of the clock is a nanosecond, as in `DispatchTime.now().uptimeNanoseconds`.
///
/// - Note: Unlike AVFoundation's it has no `AudioTimeStamp`. On Apple's platforms a tick need not be a nanosecond.
open class AVAudioTime: NSObject, @unchecked Sendable {
    // @unchecked Sendable: nothing of it changes.

    private let host: UInt64?
    private let position: AVAudioFramePosition?
    private let rate: Double

    /// A moment by the clock.
    public init(hostTime: UInt64) {
        (host, position, rate) = (hostTime, nil, 0)
        super.init()
    }

    /// A moment by the frames that went before.
    ///
    /// - Parameters:
    ///   - sampleTime: A number of frames, which may be below 0.
    ///   - sampleRate: Frames for each second. With one that is no number or not above 0 the moment has no valid
    ///     sample time.
    public init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        (host, position, rate) = (nil, sampleTime, sampleRate)
        super.init()
    }

    /// A moment by both.
    ///
    /// - Parameters:
    ///   - hostTime: Ticks of the clock.
    ///   - sampleTime: A number of frames, which may be below 0.
    ///   - sampleRate: Frames for each second. With one that is no number or not above 0 the moment has no valid
    ///     sample time.
    public init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        (host, position, rate) = (hostTime, sampleTime, sampleRate)
        super.init()
    }

    /// Ticks of the clock that seconds take, rounded to the nearest.
    ///
    /// - Returns: 0 for what is below 0 or no number, the largest number for what is too long.
    /// - Note: A tick is a nanosecond, unlike AVFoundation's on many machines.
    open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
        let ticks = (seconds * 1e9).rounded()
        if let exact = UInt64(exactly: ticks) { return exact }
        return ticks > 0 ? .max : 0
    }

    /// Seconds that ticks of the clock take.
    ///
    /// - Note: A tick is a nanosecond, unlike AVFoundation's on many machines.
    open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / 1e9 }

    /// Whether ``hostTime`` says something.
    open var isHostTimeValid: Bool { host != nil }
    /// Ticks of the clock, 0 if the moment is not by the clock.
    open var hostTime: UInt64 { host ?? 0 }

    private var samples: (position: AVAudioFramePosition, rate: Double)? {
        guard let position, rate.isFinite, rate > 0 else { return nil }
        return (position, rate)
    }

    /// Whether ``sampleTime`` and ``sampleRate`` say something.
    open var isSampleTimeValid: Bool { samples != nil }
    /// The frames that went before, 0 if the moment is not by frames.
    open var sampleTime: AVAudioFramePosition { samples?.position ?? 0 }
    /// Frames for each second, 0 if the moment is not by frames.
    open var sampleRate: Double { samples?.rate ?? 0 }

    /// The same moment by clock and by frames, found with a moment of which both are known.
    ///
    /// - Parameter anchorTime: A moment by both.
    /// - Returns: `nil` if the anchor lacks one, if this moment has neither, or if what is missing would lie outside
    ///   what its type can hold. A moment by both stays as it is.
    /// - Note: AVFoundation asks for a sample rate of this moment; here a moment by the clock alone takes the anchor's.
    open func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
        guard let anchorHost = anchorTime.host, let anchor = anchorTime.samples else { return nil }
        switch (host, samples) {
        case (_?, _?): return self
        case (nil, nil): return nil
        case (let host?, nil):
            let frames = Self.difference(host, anchorHost) / 1e9 * anchor.rate
            guard let position = Self.sum(anchor.position, frames) else { return nil }
            return AVAudioTime(hostTime: host, sampleTime: position, atRate: anchor.rate)
        case (nil, let samples?):
            let seconds =
                samples.rate == anchor.rate
                ? Self.difference(samples.position, anchor.position) / anchor.rate
                : Double(samples.position) / samples.rate - Double(anchor.position) / anchor.rate
            guard let host = Self.sum(anchorHost, seconds * 1e9) else { return nil }
            return AVAudioTime(hostTime: host, sampleTime: samples.position, atRate: samples.rate)
        }
    }

    /// One number less another, exact where the difference of their doubles would not be.
    private static func difference<Number: FixedWidthInteger>(_ number: Number, _ other: Number) -> Double {
        // The bits of a difference that does not fit its type are those of its distance.
        number >= other
            ? Double(Number.Magnitude(truncatingIfNeeded: number &- other))
            : -Double(Number.Magnitude(truncatingIfNeeded: other &- number))
    }

    /// A number with a distance added, rounded to the nearest; `nil` if that is too small or too large.
    private static func sum<Number: FixedWidthInteger>(_ number: Number, _ distance: Double) -> Number? {
        guard let magnitude = UInt64(exactly: abs(distance).rounded()), let step = Number(exactly: magnitude) else {
            return nil
        }
        let (sum, isTooFar) =
            distance < 0 ? number.subtractingReportingOverflow(step) : number.addingReportingOverflow(step)
        return isTooFar ? nil : sum
    }
}
