internal import CLinux

/// What the kernel keeps from a worker.
package struct Isolation: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nothing that is executed gains rights.
    package static let noNewPrivileges = Isolation(rawValue: 1 << 0)
    /// Memory, open files and the size of files are bounded.
    package static let resourceLimits = Isolation(rawValue: 1 << 1)
    /// Files are opened by those who may, and nothing is written to.
    package static let files = Isolation(rawValue: 1 << 2)
    /// No connections.
    package static let network = Isolation(rawValue: 1 << 3)
    /// No signals to other processes, no sockets without a path.
    package static let scopes = Isolation(rawValue: 1 << 4)
    /// Calls that no reader of media makes are refused.
    package static let calls = Isolation(rawValue: 1 << 5)

    package static let all: Isolation = [.noNewPrivileges, .resourceLimits, .files, .network, .scopes, .calls]

    private static let names: [(Isolation, String)] = [
        (.noNewPrivileges, "no-new-privileges"), (.resourceLimits, "resource-limits"), (.files, "landlock-files"),
        (.network, "landlock-network"), (.scopes, "landlock-scopes"), (.calls, "seccomp"),
    ]

    /// The names of what is there, for people and programs.
    package var names: [String] { Self.names.filter { contains($0.0) }.map(\.1) }
}
