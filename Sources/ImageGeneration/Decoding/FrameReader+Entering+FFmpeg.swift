internal import Bitstream
internal import FFmpegKit
internal import MediaAsset

/// Bringing the decoder to an entry point at or before the target.
extension FrameReader {
    /// Brings the decoder to an entry point at or before the target, or to the
    /// beginning of the file if there is none.
    func enter(_ attempt: Attempt, target: Int64) throws {
        var step = second
        var attempt = attempt
        while true {
            switch attempt {
            case .resume:
                try lookAhead(to: target, entryNotAfter: target)
                return
            case .beginning:
                try enterBeginning()
                return
            case .seek(let ticks, let limit):
                if try seek(to: ticks), try findEntry(target: target, notAfter: limit) { return }
                let aim = ticks.subtractingReportingOverflow(step).partialValue
                step = step.multipliedReportingOverflow(by: 2).partialValue
                attempt = aim < startTicks || step <= 0 ? .beginning : .seek(aim, notAfter: limit)
            }
        }
    }

    func seek(to ticks: Int64) throws -> Bool {
        run = nil
        window.removeAll()
        decoder.flush()
        counters.entries += 1
        return try demuxer.seek(stream: streamIndex, toTicks: ticks)
    }

    /// A fresh demuxer and decoder: the state that a linear decode begins with.
    func enterBeginning() throws {
        counters.entries += 1
        if demuxer.packetsRead > 0 || demuxer.seeks > 0 {
            demuxer = try source.open(interrupt: interrupt)
            demuxer.select(streams: [streamIndex])
            interrupt.setDeadline(after: demuxer.policy.requestTimeout)
        }
        decoder = try demuxer.makeDecoder(stream: streamIndex)
        window.removeAll()
        run = Run(entryTicks: nil, entryDecodeTicks: nil, kind: .none)
    }

    /// Reads on to the last entry point that is not after a limit.
    ///
    /// - Returns: Whether there is one between here and the limit.
    func findEntry(target: Int64, notAfter limit: Int64) throws -> Bool {
        while let item = try readNext() {
            guard let ticks = item.ticks else { continue }
            if isUsable(item.entry) {
                guard ticks <= limit else { return false }
                window.append(item)
                startRun(at: item)
                try lookAhead(to: target, entryNotAfter: limit)
                return true
            }
            if let decode = item.packet.decodeTicks, decode > target { return false }
        }
        return false
    }

    func startRun(at item: PacketWindow.Pending) {
        window.restartAtLast()
        decoder.outputsUnrecovered = isH264 && item.entry == .recovery
        run = Run(entryTicks: item.ticks, entryDecodeTicks: item.packet.decodeTicks, kind: item.entry)
    }

    /// Reads until all packets that could be shown at or before the target are
    /// there; passes over GOPs that end before the last entry point allowed.
    func lookAhead(to target: Int64, entryNotAfter limit: Int64) throws {
        let limit = demuxer.policy.maximumPendingBytes
        while window.latestDecodeTicks <= target, window.pendingBytes < limit, let item = try readNext() {
            window.append(item)
            guard policy != .linear, isUsable(item.entry), let ticks = item.ticks else { continue }
            if ticks > target { return }
            guard ticks <= limit else { continue }
            // The run in progress is cut short only if something was passed over.
            if window.count > 1 || run?.last != nil {
                decoder.flush()
                startRun(at: item)
            }
        }
    }

    func readNext() throws -> PacketWindow.Pending? {
        while !window.hasReachedEnd {
            do {
                guard let packet = try demuxer.readPacket() else { break }
                packetBudget -= 1
                guard packetBudget > 0 else {
                    throw FFmpegError(kind: .limit, operation: .read, reason: "too many packets for one still")
                }
                guard packet.streamIndex == streamIndex else { continue }
                nextNumber += 1
                return PacketWindow.Pending(
                    packet: packet, number: nextNumber, ticks: packet.presentationTicks ?? packet.decodeTicks,
                    entry: classifier.classify(packet))
            } catch let error as FFmpegError where error.kind == .damaged || error.kind == .inputOutput {
                run?.readFailure = error.reason
                break
            }
        }
        window.hasReachedEnd = true
        return nil
    }
}
