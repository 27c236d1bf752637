internal import Dispatch
internal import MediaCore

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
