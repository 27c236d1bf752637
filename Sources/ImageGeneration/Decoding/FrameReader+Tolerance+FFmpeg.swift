internal import Bitstream
internal import FFmpegKit
internal import MediaAsset
internal import MediaTypes

extension FrameReader {
    /// A sync sample within a range of times that needs nothing else decoded:
    /// the last one at or before the target if there is one, else the next.
    ///
    /// - Returns: `nil` if there is none in the range, or none that decodes
    ///   cleanly; then only an exact lookup helps.
    func syncFrame(near target: Int64, within range: ClosedRange<Int64>) throws -> ShownFrame? {
        guard policy != .linear, range.contains(target) else { return nil }
        // Past the last picture there is nothing to look for, and what decoding has reached must stay.
        if let run, run.hasEnded, run.next == nil, let last = run.last, last.ticks < range.lowerBound { return nil }
        interrupt.setDeadline(after: demuxer.policy.requestTimeout)
        defer { interrupt.setDeadline(after: nil) }
        packetBudget = demuxer.policy.maximumPackets
        let index = completeIndex.isEmpty ? indexSpanning(range) : completeIndex
        if let last = run?.last, run?.isSyncOnly == true, last.ticks == index.syncSample(near: target, within: range) {
            return shown(last, next: nil, damage: nil)
        }
        guard try enterSyncSample(near: target, within: range, index: index), let item = window.takeFirst() else {
            return nil
        }
        run?.isDrainedEarly = true
        run?.isSyncOnly = true
        lastSent = (item.number, item.ticks)
        counters.decoded += 1
        if let logged = try decoder.send(item.packet, number: item.number) {
            note(logged, number: item.number, ticks: item.ticks)
        }
        _ = try decoder.send(nil, number: item.number)
        return try receiveSyncFrame(within: range)
    }

    /// Starts a run whose entry lies in the range, if there is one.
    private func enterSyncSample(near target: Int64, within range: ClosedRange<Int64>, index: [Int64]) throws -> Bool {
        guard index.isEmpty else {
            guard let aim = index.syncSample(near: target, within: range), try seek(to: aim) else { return false }
            return try enterNextSyncSample(within: range)
        }
        let aim = policy == .search ? target.subtractingReportingOverflow(second).partialValue : target
        try enter(.seek(aim, notAfter: target), target: target)
        if let run, let entry = run.entryTicks, run.kind != .gradual, range.contains(entry) { return true }
        return try enterNextSyncSample(within: range)
    }

    /// Starts a run at the first sync sample in the range that has not been passed yet, if there is one.
    ///
    /// If there is none, the run in progress can go on: no packet is lost.
    private func enterNextSyncSample(within range: ClosedRange<Int64>) throws -> Bool {
        let limit = demuxer.policy.maximumPendingBytes
        var next = window.last
        while let item = try next ?? readNext() {
            if next == nil { window.append(item) }
            next = nil
            if isUsable(item.entry), item.entry != .gradual, let ticks = item.ticks {
                if ticks > range.upperBound { return false }
                if ticks >= range.lowerBound {
                    decoder.flush()
                    startRun(at: item)
                    return true
                }
            }
            // No later packet can be shown before it is decoded.
            if let decode = item.packet.decodeTicks, decode > range.upperBound { return false }
            guard window.pendingBytes < limit else { return false }
        }
        return false
    }

    /// The sync samples that the container's index lists, where it lists some on
    /// both sides of a range; else none.
    ///
    /// It may leave out some, so that it only tells where to look.
    private func indexSpanning(_ range: ClosedRange<Int64>) -> [Int64] {
        guard policy == .direct, let end = demuxer.lastIndexTicks(ofStream: streamIndex), end > range.upperBound else {
            return []
        }
        if end != knownIndex.end { knownIndex = (end, syncTicks()) }
        let index = knownIndex.ticks
        guard let first = index.first, let last = index.last, first < range.lowerBound,
            last > range.upperBound
        else { return [] }
        return index
    }

    private func receiveSyncFrame(within range: ClosedRange<Int64>) throws -> ShownFrame? {
        while case .frame(let frame) = try decoder.receive().output {
            guard let picture = picture(of: frame), picture.damage == nil, range.contains(picture.ticks) else {
                continue
            }
            run?.last = picture
            return shown(picture, next: nil, damage: nil)
        }
        return nil
    }
}

extension [Int64] {
    /// Of sync samples in ascending order, the last one of a range at or before
    /// a time, else the next.
    fileprivate func syncSample(near target: Int64, within range: ClosedRange<Int64>) -> Int64? {
        let count = countThrough(target)
        if count > 0, self[count - 1] >= range.lowerBound { return self[count - 1] }
        guard count < self.count, self[count] <= range.upperBound else { return nil }
        return self[count]
    }

    /// Of times in ascending order, how many lie at or before another.
    func countThrough(_ ticks: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > ticks { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
