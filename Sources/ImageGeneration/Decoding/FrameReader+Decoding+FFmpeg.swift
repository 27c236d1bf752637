internal import Bitstream
internal import FFmpegKit
internal import MediaAsset

/// Decoding from the entry point to the target.
extension FrameReader {
    /// Decodes on until the picture shown at the target is known.
    func decode(to target: Int64, shortcuts: Shortcuts) throws -> Outcome {
        guard run != nil else { return .nothing }
        run?.expected = nil
        if let next = run?.next, next.ticks <= target {
            run?.last = next
            run?.next = nil
        }
        if let last = run?.last, run?.next == nil, isFinal(last, target) { return answer(target, hasMore: true) }
        while true {
            if let next = run?.next, next.ticks > target { return answer(target, hasMore: true) }
            if run?.hasEnded == true { return answer(target, hasMore: run?.isDrainedEarly == true) }
            if let outcome = try drain(target) { return outcome }
            if run?.next == nil, run?.hasEnded == false { try feed(target, shortcuts) }
        }
    }

    /// Takes out what the decoder has ready.
    ///
    /// - Returns: The answer if it is among that.
    func drain(_ target: Int64) throws -> Outcome? {
        while run?.next == nil {
            try interrupt.check(.decode)
            let (output, logged) = try decoder.receive()
            if let logged, run?.plan?.isHollow(lastSent.number) != true {
                note(logged, number: lastSent.number, ticks: lastSent.ticks)
            }
            switch output {
            case .needsPacket: return nil
            case .end:
                run?.hasEnded = true
                return nil
            case .frame(let frame):
                if run?.plan?.isHollow(frame.packetNumber) == true { continue }
                guard let picture = picture(of: frame) else { continue }
                if picture.ticks > target {
                    run?.next = picture
                    return nil
                }
                run?.last = picture
                if isFinal(picture, target) { return answer(target, hasMore: true) }
            }
        }
        return nil
    }

    /// Whether no packet to come can be shown between this picture and the target.
    func isFinal(_ picture: Picture, _ target: Int64) -> Bool {
        guard window.latestDecodeTicks > target, policy == .direct || policy == .search else { return false }
        return window.lastTime(atOrBefore: target).map { $0 <= picture.ticks } ?? true
    }

    func picture(of frame: Frame) -> Picture? {
        // Raw streams and the last pictures of some containers have no time of their own.
        guard let ticks = frame.presentationTicks ?? following(run?.next ?? run?.last, frame) else { return nil }
        window.shown(ticks)
        // Leading pictures of an open GOP belong to the GOP before.
        if let entry = run?.entryTicks, ticks < entry { return nil }
        if let damage = frame.damage { run?.damage.add(packet: frame.packetNumber, ticks: ticks, reason: damage) }
        return Picture(
            frame: frame, ticks: ticks,
            damage: frame.damage ?? run?.damage.damage(ofPacket: frame.packetNumber, ticks: ticks),
            isSyncSample: window.isSyncSample(frame.packetNumber))
    }

    /// The time after a picture, or zero for the first one of a stream without times.
    func following(_ picture: Picture?, _ frame: Frame) -> Int64? {
        guard let picture else { return run?.entryTicks == nil ? 0 : nil }
        return picture.ticks.addingReportingOverflow(frame.durationTicks ?? frameTicks).partialValue
    }

    /// Sends one packet, or the end of the stream.
    func feed(_ target: Int64, _ shortcuts: Shortcuts) throws {
        while window.count < 24, try readAhead() {}
        if givesPictureForEachPacket, let wanted = window.lastTime(atOrBefore: target) {
            let expected = max(run?.expected ?? wanted, wanted)
            run?.expected = expected
        }
        if shortcuts.contains(.dependencies), let plan = makePlan(target) { run?.plan = plan }
        if shortcuts.contains(.drain) || run?.plan != nil, canDrain(target) {
            run?.isDrainedEarly = true
            run?.skippedFor = window.lastTime(atOrBefore: target)
            _ = try decoder.send(nil, number: nextNumber)
            return
        }
        guard let item = window.takeFirst() else {
            _ = try decoder.send(nil, number: nextNumber)
            return
        }
        if let role = run?.plan?.role(of: item.number), role != .decoded {
            try passOver(item, role)
            return
        }
        var skips = false
        if shortcuts.contains(.skip), let ticks = item.ticks, !item.packet.isKey, ticks < target,
            let wanted = window.lastTime(atOrBefore: target), wanted > ticks
        {
            skips = true
            run?.skippedFor = wanted
        }
        counters.decoded += 1
        lastSent = (item.number, item.ticks)
        if item.packet.isCorrupt { note("a packet is incomplete", number: item.number, ticks: item.ticks) }
        if isUsable(item.entry), item.entry != .gradual, let ticks = item.ticks {
            run?.damage.addEntry(packet: item.number, ticks: ticks)
        }
        if let logged = try decoder.send(item.packet, number: item.number, skipsIfUnreferenced: skips) {
            note(logged, number: item.number, ticks: item.ticks)
        }
    }

    /// Whether the wanted picture has been sent and nothing that is still to be
    /// sent can be shown before it: the decoder need only hand it out.
    func canDrain(_ target: Int64) -> Bool {
        guard let run, run.kind == .clean, !run.isDrainedEarly, window.latestDecodeTicks > target else { return false }
        if let plan = run.plan, lastSent.number == plan.wanted { return true }
        return window.lastPendingTime(atOrBefore: target) == nil && window.lastTime(atOrBefore: target) != nil
    }

    func readAhead() throws -> Bool {
        guard let item = try readNext() else { return false }
        window.append(item)
        return true
    }

    /// Why the packets ended before the container says that they do.
    var truncation: String? {
        if let reason = demuxer.takeLoggedError() { return reason }
        return demuxer.indexGoesOn(ofStream: streamIndex) ? "samples that the index lists are missing" : nil
    }

    func note(_ reason: String, number: Int64, ticks: Int64?) {
        // What a leading picture lacks is of no concern to the pictures after the entry.
        if let ticks, let entry = run?.entryTicks, ticks < entry { return }
        // Some codecs never have a key frame, and their decoders say so each time they begin.
        if run?.entryTicks == nil, reason.hasPrefix(DamageRecord.noKeyFrame) { return }
        run?.damage.add(packet: number, ticks: ticks, reason: reason)
    }

    func answer(_ target: Int64, hasMore: Bool) -> Outcome {
        guard let run else { return .nothing }
        if run.plan?.hasFailed == true { return .skippedTooMuch }
        guard let picture = run.last ?? (run.entryTicks == nil ? run.next : nil) else {
            if run.skippedFor != nil { return .skippedTooMuch }
            return run.next == nil ? .nothing : .tooLate
        }
        if let reason = picture.damage { return .damaged(reason, picture) }
        if let reason = run.damage.missing(after: picture.ticks, through: target) { return .damaged(reason, picture) }
        if let expected = run.skippedFor, expected > picture.ticks { return .skippedTooMuch }
        // Where times go back, a search can land in a later part that ends before the target.
        let isFarFromEnd = !hasMore && target.subtractingReportingOverflow(picture.ticks).partialValue > second
        if policy == .search, run.entryTicks != nil, isFarFromEnd { return .missing }
        // Some decoders leave out pictures after an entry that they give in a linear pass.
        if let expected = run.expected {
            if run.entryTicks != nil, expected > picture.ticks { return .missing }
            // Where no picture needs another, one that a linear pass does not give either is lost.
            if isIntraOnly, expected != picture.ticks, let reason = run.damage.lastReason {
                return .damaged(reason, picture)
            }
        }
        if !hasMore, picture.ticks < target, let reason = run.readFailure ?? truncation {
            return .damaged("the file is cut short: \(reason)", picture)
        }
        let next = run.next.flatMap { $0.ticks > picture.ticks ? $0.ticks : nil }
        return .found(picture, nextTicks: next ?? window.firstTime(after: picture.ticks))
    }
}
