package import FFmpegKit
package import MediaCore

/// Takes what decoders say of damage, and makes it an error or counts it.
package struct DamageWatch {
    private let isAllowed: Bool
    /// How many packets the threads of a decoder may be ahead.
    private let delay: Int64
    /// What to take off a container's time to name it on the asset's timeline.
    private let origin: CMTime
    private var fault: (reason: String, packet: Int64)?
    private var latest: Int64 = 0
    package private(set) var count = 0

    package init(isAllowed: Bool, delay: Int64, origin: CMTime) {
        (self.isAllowed, self.delay, self.origin) = (isAllowed, delay, origin)
    }

    package mutating func note(_ reason: String, packet: Int64) {
        if fault == nil, packet > warmUp { fault = (reason, packet) }
    }

    /// Whether decoding starts at a sample that is built on others.
    var startsInside = false
    /// The number of the last packet that may lack what came before the stream's beginning.
    var warmUp: Int64 = 0

    /// What was noted concerns nothing that is wanted.
    package mutating func forget() { fault = nil }

    /// A frame came out, maybe the first one.
    package mutating func began() {
        if startsInside { forget() }
        startsInside = false
    }

    /// A frame came out that is wanted.
    package mutating func check(_ frame: Frame, at time: CMTime) throws {
        if let reason = frame.damage { note(reason, packet: frame.packetNumber) }
        try check(through: frame.packetNumber, at: time)
    }

    package mutating func check(through number: Int64, at time: CMTime) throws {
        latest = max(latest, number)
        guard let fault, latest >= fault.packet - delay else { return }
        guard isAllowed else { throw Self.error(fault.reason, at: time - origin) }
        count += 1
        self.fault = nil
    }

    package static func error(_ reason: String, at time: CMTime) -> FFmpegError {
        FFmpegError(
            kind: .damaged, operation: .decode, reason: "damaged at \(time.secondsText(decimals: 3)) s: \(reason)")
    }
}
