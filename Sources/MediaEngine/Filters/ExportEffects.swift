public import MediaCore
public import MediaImage

/// What is done to the pictures and the sound of an export, whatever the asset is.
///
/// Needs a preset that encodes what is changed; the export fails with `AVError.operationNotSupportedForPreset` otherwise.
/// Beyond AVFoundation.
public struct ExportEffects: Sendable {
    /// How loud sound is.
    public enum Volume: Hashable, Sendable {
        /// So many decibels louder, or quieter below zero; what does not fit is clipped.
        case decibels(Double)
        /// As loud as said, in LUFS, by EBU R 128: -23 for broadcasting. Each track is gone through twice.
        ///
        /// Where that would bring peaks above -1 dBTP, these are held down. Silence stays silence.
        case loudness(Double)
    }

    /// How long pictures come up from black, and sound from silence, at the beginning; zero or more.
    public var fadeInDuration = CMTime.zero
    /// How long pictures go down to black, and sound to silence, at the end; zero or more.
    public var fadeOutDuration = CMTime.zero
    /// How loud sound is; `nil`, the default, for as loud as it is.
    public var volume: Volume?
    /// A picture over all pictures; `nil`, the default, for none.
    public var overlay: PictureOverlay?

    /// Effects that change nothing.
    public init() {}
}

/// A picture, such as a logo, that is laid over all pictures of an export.
///
/// Beyond AVFoundation.
public struct PictureOverlay: Sendable {
    /// Where it lies, in the upright pictures of the new file.
    public enum Position: Hashable, Sendable {
        /// With its top left corner so many pixels from theirs; less than zero from their right or lower edge, minus one
        /// touching it.
        case offset(x: Int, y: Int)
        /// A share of the free room from the left and from the top, from 0 to 1, with a margin of one fiftieth of the
        /// shorter side.
        case share(x: Double, y: Double)
    }

    /// What is laid over.
    public var image: CGImage
    /// Where; in the lower right corner by default.
    public var position = Position.share(x: 1, y: 1)
    /// How wide it is made, as a share of the pictures' width above 0 up to 1; `nil`, the default, for its own pixels,
    /// fewer where they do not fit.
    public var relativeWidth: Double?
    /// How much of it is seen, from 0 to 1.
    public var opacity = 1.0

    /// An overlay in the lower right corner, of its own size.
    public init(_ image: CGImage) { self.image = image }
}

/// Finds by how much sound has to be made quieter where its peaks are too high, from a moment before them on.
///
/// The gain goes down evenly within that moment, stays as low as the highest peak of it needs, and comes up again: no
/// sample is above the bound, and no step is heard. Samples come and go one by one, so that memory is that of the moment.
struct PeakLimiter {
    private let highest: Float
    /// Samples of the moment.
    private let span: Int
    /// How much of what is missing to full volume comes back with each sample.
    private let recovery: Float
    /// Of what samples need that have no gain yet, the ones that are lower than all after them, by the samples' number.
    private var lowest: [(number: Int, gain: Float)] = []
    private var lowestStart = 0
    private var taken = 0
    private var given = 0
    private var held: Float = 1
    /// The last gains of the moment, over which they are averaged.
    private var recent: [Float]
    private var sum: Double

    /// - Parameters:
    ///   - highest: The largest sample that may come out, of 1.
    ///   - sampleRate: Samples in each second.
    init(highest: Double, sampleRate: Int) {
        self.highest = Float(highest)
        span = max(1, sampleRate / 200)
        recovery = 1 / Float(max(1, sampleRate / 20))
        recent = [Float](repeating: 1, count: span)
        sum = Double(span)
    }

    /// Takes the peaks of samples that follow.
    ///
    /// - Returns: Gains that are certain now, of samples in their order.
    mutating func add(_ peaks: [Float]) -> [Float] {
        var gains: [Float] = []
        for peak in peaks {
            let gain = peak > highest ? highest / peak : 1
            while lowest.count > lowestStart, let last = lowest.last, last.gain >= gain { lowest.removeLast() }
            lowest.append((taken, gain))
            taken += 1
            // One by one, so that what comes out is the same however samples are handed over.
            if let gain = next(before: taken - span) { gains.append(gain) }
        }
        return gains
    }

    /// The gains of the samples that are left.
    mutating func finish() -> [Float] {
        var gains: [Float] = []
        while let gain = next(before: taken) { gains.append(gain) }
        return gains
    }

    private mutating func next(before end: Int) -> Float? {
        guard given < end else { return nil }
        while lowestStart < lowest.count, lowest[lowestStart].number < given { lowestStart += 1 }
        // The lowest that any sample from this one to the end of the moment needs.
        let need = lowestStart < lowest.count ? lowest[lowestStart].gain : 1
        held = min(need, held + (1 - held) * recovery)
        if given == 0 {
            // There is no moment before the first sample in which the gain could go down.
            recent = [Float](repeating: held, count: span)
            sum = Double(held) * Double(span)
        }
        let place = given % span
        sum += Double(held) - Double(recent[place])
        recent[place] = held
        given += 1
        if lowestStart > 4096 {
            lowest.removeFirst(lowestStart)
            lowestStart = 0
        }
        return min(1, Float(sum / Double(span)))
    }
}
