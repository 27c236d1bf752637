internal import Synchronization

/// Says what copies of the worker have to say, in the order of their work, whoever is done first.
final class Teller: Sendable {
    enum Item {
        case output([UInt8])
        case diagnostics(String)
        case progress(file: String, fraction: Double, details: String)
    }

    private struct State {
        /// Whose turn it is.
        var turn = 0
        var waiting: [Int: [Item]] = [:]
        var ended: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Says something, now or when it is the piece of work's turn.
    func tell(_ item: Item, of number: Int) {
        state.withLock { state in
            if number == state.turn {
                Self.say(item)
            } else if case .progress = item {
                // Of work that is behind, nobody wants to know how far it had come.
            } else {
                state.waiting[number, default: []].append(item)
            }
        }
    }

    /// Nothing more is said of a piece of work.
    func end(_ number: Int) {
        state.withLock { state in
            state.ended.insert(number)
            while state.ended.remove(state.turn) != nil {
                state.turn += 1
                for item in state.waiting.removeValue(forKey: state.turn) ?? [] { Self.say(item) }
            }
        }
    }

    private static func say(_ item: Item) {
        switch item {
        case .output(let bytes): Console.write(bytes)
        case .diagnostics(let lines): Console.error(lines)
        case .progress(let file, let fraction, let details): Console.progress(file, fraction, details)
        }
    }
}
