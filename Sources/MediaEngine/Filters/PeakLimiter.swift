/// Finds by how much sound has to be made quieter where its peaks are too high, from a moment before them on.
///
/// The gain goes down evenly within that moment, stays as low as the highest peak of it needs, and comes up again: no
/// sample is above the bound, and no step is heard. Samples come and go one by one, so that memory is that of the moment.
package struct PeakLimiter {
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
    package init(highest: Double, sampleRate: Int) {
        self.highest = Float(highest)
        span = max(1, sampleRate / 200)
        recovery = 1 / Float(max(1, sampleRate / 20))
        recent = [Float](repeating: 1, count: span)
        sum = Double(span)
    }

    /// Takes the peaks of samples that follow.
    ///
    /// - Returns: Gains that are certain now, of samples in their order.
    package mutating func add(_ peaks: [Float]) -> [Float] {
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
    package mutating func finish() -> [Float] {
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
