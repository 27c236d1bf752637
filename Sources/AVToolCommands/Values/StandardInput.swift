internal import Synchronization

/// What the tool was started with for standard input.
package struct StandardInput: Sendable {
    /// Whether anything is open for it.
    package let isOpen: Bool
    package let isTerminal: Bool

    package init(isOpen: Bool, isTerminal: Bool) { (self.isOpen, self.isTerminal) = (isOpen, isTerminal) }

    private static let facts = Mutex(StandardInput(isOpen: true, isTerminal: false))

    /// That of this run; whoever reads a command line says it first.
    package static var current: StandardInput {
        get { facts.withLock { $0 } }
        set { facts.withLock { $0 = newValue } }
    }
}
