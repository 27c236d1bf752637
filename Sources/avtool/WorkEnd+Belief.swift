internal import MediaIO

extension WorkEnd {
    /// What can be believed of it: a copy that a file has taken over decides what becomes of its own files alone.
    func credible(of count: Int, hasBegun: Bool) -> WorkEnd {
        var believed = FailureCounts()
        for part in [\FailureCounts.never, \.later, \.elsewhere] {
            believed[keyPath: part] = max(0, min(count - believed.total, failed[keyPath: part]))
        }
        let codes: Set<Int32> = [0, 1, 64, 65, 66, 70, 73, 74, 75, 130]
        return WorkEnd(
            code: codes.contains(code) ? code : 70, tellsOfInterruption: tellsOfInterruption,
            fileCount: max(0, min(count - believed.total, fileCount)), failed: believed,
            endsAll: endsAll && code != 0 && !hasBegun,
            stops: stops && hasBegun)
    }
}

extension WorkFailure {
    /// Why nothing more is heard of a process.
    init(_ kind: ChannelError.Kind) {
        switch kind {
        case .system, .exhausted: self = .vanished
        case .timeout: self = .stuck
        case .nonsense: self = .crashed
        case .excess: self = .excessive
        case .outOfMemory: self = .outOfMemory
        }
    }

    /// The exit code where not even a copy of the worker can be made to tell it.
    var code: Int32 {
        switch self {
        case .crashed: 65
        case .outOfMemory, .stuck, .excessive, .ended: 75
        case .vanished: 70
        }
    }

    /// One file that it made fail.
    var counts: WorkEnd.FailureCounts {
        var counts = WorkEnd.FailureCounts()
        switch self {
        case .crashed, .excessive, .vanished: counts.never = 1
        case .stuck, .ended: counts.later = 1
        case .outOfMemory: counts.elsewhere = 1
        }
        return counts
    }

    /// Whether it may come of what was there before the file, which could not make a process slow or talkative.
    var isSudden: Bool {
        switch self {
        case .crashed, .outOfMemory, .vanished, .ended: true
        case .stuck, .excessive: false
        }
    }

    /// What is said there.
    var reason: String {
        switch self {
        case .crashed: "the worker that read it crashed"
        case .outOfMemory: "the system ended the worker that read it, for want of memory"
        case .stuck: "the worker that read it did nothing for too long"
        case .excessive: "the worker that read it said too much"
        case .vanished: "the worker that read it ended without a word"
        case .ended: "another program ended the worker that read it"
        }
    }
}
