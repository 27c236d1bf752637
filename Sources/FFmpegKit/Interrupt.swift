internal import CFFmpeg
package import MediaCore

/// Stops the blocking calls of one open file: on request, or at a deadline.
///
/// `@unchecked Sendable`: the C object holds two atomics and nothing else.
package final class Interrupt: @unchecked Sendable {
    package enum State: Sendable { case none, cancelled, deadline }

    let pointer: OpaquePointer

    package init() {
        guard let pointer = oav_interrupt_create() else {
            preconditionFailure("out of memory for an interrupt flag")
        }
        self.pointer = pointer
    }

    deinit { oav_interrupt_free(pointer) }

    package var state: State {
        switch Int(oav_interrupt_state(pointer)) {
        case OAV_INTERRUPT_CANCELLED: .cancelled
        case OAV_INTERRUPT_DEADLINE: .deadline
        default: .none
        }
    }

    /// Interrupts the call under way and each later one.
    package func cancel() { oav_interrupt_cancel(pointer) }

    /// Interrupts when the work stops; until `cancellation` forgets this interrupt.
    package func follow(_ cancellation: Cancellation) { cancellation.onCancel(of: self) { self.cancel() } }

    /// Sets how long calls may run from now on; `nil` for no limit.
    package func setDeadline(after duration: Duration?) {
        oav_interrupt_set_deadline(pointer, duration.map(Self.nanoseconds) ?? 0)
    }

    /// Puts the deadline off, if there is one, by time that was well spent.
    func extendDeadline(by duration: Duration) { oav_interrupt_extend(pointer, Self.nanoseconds(of: duration)) }

    private static func nanoseconds(of duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
    }

    /// Throws if the work should stop.
    package func check(_ operation: FFmpegError.Operation) throws(FFmpegError) {
        switch state {
        case .none: return
        case .cancelled: throw FFmpegError(kind: .cancelled, operation: operation, reason: "cancelled")
        case .deadline: throw FFmpegError.outOfTime(operation)
        }
    }
}

/// How far the streams of a file have been read since it was opened, or since the last seek.
struct ReadProgress {
    /// The last decode time of each stream, as the container stores it.
    private var decodeTicks = StreamTicks()
    /// The last presentation time of each stream, as the container stores it.
    private var presentationTicks = StreamTicks()
    /// Streams whose packet that was read last is not whole.
    private var incomplete: Set<Int> = []
    /// What the demuxer said of the end of the file, if it said that something is missing there.
    private(set) var complaint: Complaint?

    /// Where in the file the packet that lies furthest on begins.
    private var position: Int64 = -1

    /// Notes where a packet lies that was read, whether anybody wants it or not.
    ///
    /// - Returns: Whether that is further on than all others.
    mutating func notePosition(of packet: Packet) -> Bool {
        guard let position = packet.position, position > self.position else { return false }
        self.position = position
        return true
    }

    /// Notes a packet that was read.
    ///
    /// - Returns: Whether it comes later than all others of its stream.
    @discardableResult
    mutating func note(_ packet: Packet) -> Bool {
        let index = packet.streamIndex
        let before = ticks(ofStream: index)
        if packet.isCorrupt { incomplete.insert(index) } else if !incomplete.isEmpty { incomplete.remove(index) }
        if let ticks = packet.decodeTicks { decodeTicks.advance(index, to: ticks) }
        if let ticks = packet.presentationTicks { presentationTicks.advance(index, to: ticks) }
        return ticks(ofStream: index) > before
    }

    /// Notes the end of the file, with what the demuxer said last.
    mutating func noteEnd(_ said: Complaint?) {
        if let said, said.matter == .shortData { complaint = said }
    }

    /// Whether a stream's packet that was read last is not whole.
    func endsIncomplete(stream index: Int) -> Bool { incomplete.contains(index) }

    /// The decode time that was reached in a stream.
    func decodeTicks(ofStream index: Int) -> Int64 { decodeTicks[index] ?? .min }

    /// The time that was reached in a stream, of decoding or of presentation.
    func ticks(ofStream index: Int) -> Int64 { max(decodeTicks(ofStream: index), presentationTicks[index] ?? .min) }
}

extension Demuxer {
    /// Whether the container's index lists samples of a stream after those that were read.
    package func indexGoesOn(ofStream index: Int) -> Bool {
        guard let last = lastIndexTicks(ofStream: index) else { return false }
        return last > reachedTicks(ofStream: index)
    }

    /// How far a stream has been read, in the times that the container's index goes by.
    private func reachedTicks(ofStream index: Int) -> Int64 {
        listsSamples ? progress.decodeTicks(ofStream: index) : progress.ticks(ofStream: index)
    }

    /// Whether the container's index lists each sample by its decode time, not entry points by when they are shown.
    private var listsSamples: Bool { container.isMovie || container == .avi }

    /// Why a stream that was read to the end of the file is not whole, `nil` if nothing tells that it is not.
    package func truncation(ofStream index: Int) -> String? {
        if indexGoesOn(ofStream: index) { return "samples that the index lists are missing" }
        if let complaint = progress.complaint { return complaint.reason }
        return progress.endsIncomplete(stream: index) ? "its last packet is not whole" : nil
    }

    /// What is said of a file that ends too early, with why it is known to.
    package static func cutShort(_ reason: String) -> String { "the file is cut short: \(reason)" }

    /// How many samples of a stream the container's index lists that are to be shown, `nil` if it does not list each one.
    package func listedSampleCount(ofStream index: Int) -> Int? {
        guard listsSamples else { return nil }
        let count = indexEntries(ofStream: index).count { !$0.isHidden }
        return count > 0 ? count : nil
    }

    /// When the sync samples of a stream are to be shown that the container's index lists after what was read.
    ///
    /// - Parameter delay: By how much decode times precede presentation times, in ticks.
    package func listedSyncTicks(afterThoseReadOfStream index: Int, delay: Int64) -> [Int64] {
        let isShown = listsPresentationTimes(ofStream: index)
        let reached = isShown ? progress.ticks(ofStream: index) : reachedTicks(ofStream: index)
        return indexEntries(ofStream: index).filter { $0.isKey && !$0.isHidden && $0.ticks > reached }
            .map { listsSamples && !isShown ? $0.ticks.addingReportingOverflow(delay).partialValue : $0.ticks }
    }
}
