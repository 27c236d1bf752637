internal import Dispatch
internal import MediaCore
internal import MediaIO

/// Says what copies of the worker have to say, in the order of their work, whoever is done first.
final class Teller: Sendable {
    enum Item {
        case output([UInt8])
        case diagnostics(String)
        case warnings(String)
        case progress(file: String, fraction: Double, details: String)

        fileprivate var byteCount: Int {
            switch self {
            case .output(let bytes): bytes.count
            case .diagnostics(let lines), .warnings(let lines): lines.utf8.count
            case .progress: 0
            }
        }
    }

    private struct State {
        /// Whose turn it is.
        var turn = 0
        var waiting: [Int: [Item]] = [:]
        var waitingByteCounts: [Int: Int] = [:]
        /// Who has said so much that it has to wait for its turn.
        var held: [Int: DispatchSemaphore] = [:]
        var ended: Set<Int> = []
    }

    /// Bytes of one piece of work that wait for their turn; more of it is not taken before.
    private static let maximumWaiting = 64 << 20

    /// Bytes of all work that wait for their turn; nothing more is begun meanwhile.
    private static let maximumAhead = 256 << 20

    private let state = WaitingLock(State())
    private let listener: RunListener

    init(_ listener: RunListener) { self.listener = listener }

    /// Waits until there is room for what a piece of work has to say, or it is its turn.
    func awaitRoom(_ number: Int) {
        state.wait { state in
            number <= state.turn || state.waitingByteCounts.values.reduce(0, +) < Self.maximumAhead ? () : nil
        }
    }

    /// Says something, now or when it is the piece of work's turn.
    ///
    /// One thread speaks of a piece of work, and pieces are begun in order: whoever has to wait does so for work that goes on.
    func tell(_ item: Item, of number: Int) {
        let turn: DispatchSemaphore? = state.change { state in
            if number == state.turn {
                say(item)
                return nil
            }
            // Of work that is behind, nobody wants to know how far it had come.
            if case .progress = item { return nil }
            state.waiting[number, default: []].append(item)
            state.waitingByteCounts[number, default: 0] += item.byteCount
            guard state.waitingByteCounts[number, default: 0] > Self.maximumWaiting else { return nil }
            let turn = DispatchSemaphore(value: 0)
            state.held[number] = turn
            return turn
        }
        turn?.wait()
    }

    /// Nothing more is said of a piece of work.
    func end(_ number: Int) {
        state.change { state in
            state.ended.insert(number)
            while state.ended.remove(state.turn) != nil {
                state.turn += 1
                for item in state.waiting.removeValue(forKey: state.turn) ?? [] { say(item) }
                state.waitingByteCounts[state.turn] = nil
                state.held.removeValue(forKey: state.turn)?.signal()
            }
        }
    }

    private func say(_ item: Item) {
        switch item {
        case .output(let bytes): listener.output(bytes)
        case .diagnostics(let lines): listener.diagnostics(lines)
        case .warnings(let lines): if !Console.isQuiet { listener.diagnostics(lines) }
        case .progress(let file, let fraction, let details): Console.progress(file, fraction, details)
        }
    }
}

/// Who gets what a run says.
struct RunListener: Sendable {
    var output: @Sendable ([UInt8]) -> Void
    var diagnostics: @Sendable (String) -> Void

    /// Whoever gave the command.
    static let console = RunListener(output: Console.write, diagnostics: Console.error)
}

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
