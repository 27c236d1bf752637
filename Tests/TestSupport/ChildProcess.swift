internal import CTestSupport
package import Foundation
internal import Glibc
internal import Synchronization

/// A program that runs beside the tests, started by `posix_spawn`.
///
/// Foundation's `Process` waits for its children by `select`, which sees no descriptor above 1,023: in a test process
/// that has more files open it never learns that a child ended. It also gives children the blocked signals of the thread
/// that starts them.
package final class ChildProcess: Sendable {
    package let processIdentifier: Int32
    /// The status that `waitpid` gave, once it was called.
    private let status = Mutex<Int32?>(nil)

    /// The program could not be started.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: A path, or a name that is looked for in the search path.
    ///   - streams: Descriptors that become the child's standard input, output and error, `/dev/null` for those left out.
    ///     The caller keeps its own and closes them.
    package init(
        _ program: String, _ arguments: [String], in folder: URL? = nil, environment: [String: String]? = nil,
        input: Int32? = nil, output: Int32? = nil, error: Int32? = nil
    ) throws {
        let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0.key)=\($0.value)" }
        var process: Int32 = 0
        let code = Self.withCStrings([program] + arguments) { words in
            Self.withCStrings(variables) { variables in
                test_spawn(&process, words, variables, folder?.path, [input ?? -1, output ?? -1, error ?? -1])
            }
        }
        guard code == 0 else { throw Failure(description: "\(program): \(String(cString: strerror(code)))") }
        processIdentifier = process
    }

    /// Waits for the end of the process.
    ///
    /// - Returns: The exit code, or the number of the signal that ended it.
    @discardableResult package func waitUntilExit() -> Int32 {
        // Waited for outside of the lock, so that another thread can ask and signal meanwhile; what was waited for so
        // keeps its number until it is collected.
        var information = siginfo_t()
        while waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let status = self.status.withLock { known -> Int32 in
            if let known { return known }
            var status: Int32 = 0
            while waitpid(processIdentifier, &status, 0) < 0, errno == EINTR {}
            known = status
            return status
        }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : status & 0x7f
    }

    /// Whether the process has not ended.
    package var isRunning: Bool {
        status.withLock { known in
            guard known == nil else { return false }
            var information = siginfo_t()
            guard waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT | WNOHANG) == 0 else {
                return false
            }
            return information.si_signo == 0
        }
    }

    /// Sends a signal, unless the process was waited for: its number may be another's then.
    package func signal(_ number: Int32) {
        status.withLock { if $0 == nil { kill(processIdentifier, number) } }
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

/// The two ends of a pipe, which no child gets but by its name.
package struct PipeEnds {
    package let reader: Int32
    package let writer: Int32

    package init() throws {
        var ends: [Int32] = [-1, -1]
        guard test_pipe(&ends) == 0 else {
            throw ChildProcess.Failure(description: "pipe: \(String(cString: strerror(errno)))")
        }
        (reader, writer) = (ends[0], ends[1])
    }

    package func close() {
        for descriptor in [reader, writer] { _ = Glibc.close(descriptor) }
    }
}
