package import FFmpegKit
package import MediaCore

/// Chooses the packets of a stream of sound that are decoded for what is heard from a start on.
package struct SoundSelection {
    private let firstTicks: Int64
    /// Whether times are held against those of the next packet.
    private let isSceptical: Bool
    /// A packet whose time is not believed yet.
    private var held: Packet?
    private var isFirst = true
    /// Whether packets were left out.
    private(set) var leavesOut = false

    /// - Parameter start: On the container's timeline; `nil` for all packets.
    package init(_ info: StreamInfo, in container: Container, start: CMTime?) {
        firstTicks = start.map { EntrySearch.firstTicks(of: info, decodedFor: $0) } ?? .min
        // Where a frame lies in two packets of a program stream, readers may give it the time of the frame after it.
        isSceptical = container.has(.isMPEGStream)
    }

    /// Takes the next packet of the stream, `nil` for its end.
    ///
    /// - Returns: The packet to decode now, if there is one.
    package mutating func add(_ packet: Packet?) throws(FFmpegError) -> Packet? {
        if let packet, let ticks = packet.presentationTicks {
            // Some packets last for seconds, and the start may lie within one.
            let end = ticks.addingReportingOverflow(packet.durationTicks ?? 0)
            if !end.overflow, end.partialValue < firstTicks {
                leavesOut = true
                return nil
            }
        }
        guard isSceptical else { return packet }
        defer { held = packet }
        guard let held else { return nil }
        defer { isFirst = false }
        return !isFirst && isContradicted(held, by: packet)
            ? try held.retimed(presentation: nil, decode: nil, duration: held.durationTicks) : held
    }

    private func isContradicted(_ packet: Packet, by next: Packet?) -> Bool {
        guard let ticks = packet.presentationTicks, let following = next?.presentationTicks,
            let duration = packet.durationTicks
        else { return false }
        let distance = following.subtractingReportingOverflow(ticks)
        return !distance.overflow && distance.partialValue >= 0 && distance.partialValue < duration / 2
    }
}
