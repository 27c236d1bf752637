internal import FFmpegKit
internal import MediaAsset

extension FrameReader {
    /// A sync sample within a range of times that needs nothing else decoded:
    /// the last one at or before the target if there is one, else the next.
    ///
    /// - Returns: `nil` if there is none in the range, or none that decodes
    ///   cleanly; then only an exact lookup helps.
    func syncFrame(near target: Int64, within range: ClosedRange<Int64>) throws -> ShownFrame? {
        guard policy != .linear, range.contains(target) else { return nil }
        interrupt.setDeadline(after: demuxer.policy.requestTimeout)
        defer { interrupt.setDeadline(after: nil) }
        packetBudget = demuxer.policy.maximumPackets
        if let last = run?.last, run?.isSyncOnly == true, last.ticks == indexedSync(target, range) {
            return shown(last, next: nil, damage: nil)
        }
        guard try enterSyncSample(near: target, within: range), let item = window.takeFirst() else { return nil }
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
    private func enterSyncSample(near target: Int64, within range: ClosedRange<Int64>) throws -> Bool {
        if completeIndex.isEmpty {
            let aim = policy == .search ? target.subtractingReportingOverflow(second).partialValue : target
            try enter(.seek(aim, notAfter: target), target: target)
        } else {
            guard let aim = indexedSync(target, range), try seek(to: aim) else { return false }
            guard let item = try readSyncSample(within: range) else { return false }
            window.append(item)
            startRun(at: item)
        }
        guard let run, let entry = run.entryTicks, run.kind != .gradual else { return false }
        return range.contains(entry)
    }

    /// The sync sample of a complete index that answers a request.
    private func indexedSync(_ target: Int64, _ range: ClosedRange<Int64>) -> Int64? {
        let count = syncCount(through: target)
        if count > 0, completeIndex[count - 1] >= range.lowerBound { return completeIndex[count - 1] }
        guard count < completeIndex.count, completeIndex[count] <= range.upperBound else { return nil }
        return completeIndex[count]
    }

    private func readSyncSample(within range: ClosedRange<Int64>) throws -> PacketWindow.Pending? {
        while let item = try readNext() {
            guard isUsable(item.entry), item.entry != .gradual, let ticks = item.ticks else { continue }
            if ticks > range.upperBound { return nil }
            if ticks >= range.lowerBound { return item }
        }
        return nil
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
