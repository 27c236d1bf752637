internal import Foundation
internal import OpenAVFoundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Standard output, standard error and progress.
enum Console {
    private static let lastProgress = Mutex<(text: String, time: Double)>(("", 0))
    private static let showsProgress = isatty(2) == 1

    static func prepare() {
        // A closed pipe is an error to report, not a reason to be killed.
        signal(SIGPIPE, SIG_IGN)
        MediaLibraryLog.silence()
    }

    /// Ends the process at once.
    ///
    /// Everything has been written by then. Destructors of the media libraries
    /// must not run while a worker that nobody waits for lets go of its file.
    static func exit(_ code: Int32) -> Never { _exit(code) }

    /// Writes a line of results.
    static func print(_ line: String) throws {
        clearProgress()
        try write(Data((line + "\n").utf8))
    }

    /// Writes bytes of results.
    static func write(_ data: Data) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: data)
        } catch {
            throw Failure(.inputOutput, Failure.outputClosed, "standard output: writing failed")
        }
    }

    /// Writes a line of diagnostics.
    static func error(_ line: String) {
        clearProgress()
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Shows how far the work has come, on a terminal only, ten times a second
    /// at most.
    ///
    /// - Parameter details: What else is to be said after the percentage.
    static func progress(_ label: String, _ fraction: Double, _ details: String = "") {
        guard showsProgress else { return }
        let text = "\r\u{1b}[K\(label.oneLine) \(Int(fraction * 100))%\(details)"
        let isDue = lastProgress.withLock { last in
            let now = Date().timeIntervalSinceReferenceDate
            guard text != last.text, now - last.time > 0.1 else { return false }
            last = (text, now)
            return true
        }
        if isDue { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
    }

    private static func clearProgress() {
        guard showsProgress,
            lastProgress.withLock({ last in
                defer { last.text = "" }
                return !last.text.isEmpty
            })
        else { return }
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1b}[K".utf8))
    }
}
