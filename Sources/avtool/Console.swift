internal import Foundation
internal import MediaCore
internal import MediaIO
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Standard output, standard error and progress.
enum Console {
    private struct Progress {
        /// What is shown now; empty if nothing is.
        var text = ""
        /// The file that it is about.
        var file = ""
        var time = -Double.infinity
        /// The files that the command works on, in order.
        var files: [String] = []
        var isEnded = false
    }

    private static let quiet = Mutex(false)
    /// Whether only failures are told.
    static var isQuiet: Bool {
        get { quiet.withLock { $0 } }
        set { quiet.withLock { $0 = newValue } }
    }

    private static let progress = Mutex(Progress())
    private static let screen = ProgressScreen.standardError
    private static let resultsGoToTerminal = isatty(STDOUT_FILENO) == 1

    /// Whether something was open for standard input when the process began.
    static let hasStandardInput = fcntl(0, F_GETFD) >= 0

    static func prepare() {
        // A closed pipe is an error, told or not, and nothing is to be left half-done.
        signal(SIGPIPE, SIG_IGN)
        // Whoever started this may have ignored it, and then nobody could tell how the worker ended.
        signal(SIGCHLD, SIG_DFL)
        // A file that is opened later would be taken for standard input.
        _ = hasStandardInput
        // Neither would what is opened later be taken for standard output: nothing can be written to this.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Ends the process at once; everything has been written by then.
    static func exit(_ code: Int32) -> Never {
        endProgress()
        _exit(code)
    }

    /// Ends the process as other tools end whose reader has gone: by SIGPIPE, without a word.
    private static func exitByClosedPipe() -> Never {
        endProgress()
        signal(SIGPIPE, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(SIGPIPE)
        _exit(128 + SIGPIPE)
    }

    /// Writes results; what would steer a terminal is made visible there.
    ///
    /// Ends the process if that is impossible: no work is worth doing whose results nobody gets.
    static func write(_ bytes: [UInt8]) {
        let bytes = resultsGoToTerminal ? Array(String(decoding: bytes, as: UTF8.self).printableLines.utf8) : bytes
        let error = progress.withLock { progress in
            clear(&progress)
            return write(bytes, to: STDOUT_FILENO)
        }
        switch error {
        case 0: return
        case EPIPE: exitByClosedPipe()
        default:
            self.error("avtool: standard output: \(String(cString: strerror(error)))")
            exit(74)
        }
    }

    /// Writes lines of diagnostics.
    static func error(_ lines: String) {
        progress.withLock { progress in
            clear(&progress)
            _ = write(Array((lines.printableLines + "\n").utf8), to: STDERR_FILENO)
        }
    }

    /// Writes lines of diagnostics of what is no failure.
    static func warn(_ lines: String) { if !isQuiet { error(lines) } }

    // MARK: Progress

    /// Says which files there will be progress of.
    static func expect(_ files: [String]) { progress.withLock { $0.files = files } }

    /// Shows how far the work has come, on a terminal only, ten times a second
    /// at most; on one that knows no more than lines, now and then.
    ///
    /// - Parameters:
    ///   - file: What is worked on.
    ///   - details: What else is to be said after the percentage.
    static func progress(_ file: String, _ fraction: Double, _ details: String = "") {
        guard screen != .none, !isQuiet else { return }
        progress.withLock { progress in
            let now = Date().timeIntervalSinceReferenceDate
            if screen == .lines, progress.time == -.infinity { progress.time = now }
            // Another file is told at once, however short the work on it is.
            let isDue = now - progress.time > screen.interval || screen == .row && file != progress.file
            guard !progress.isEnded, isDue, !fraction.isNaN else { return }
            let line = ProgressLine(label: label(file, progress), fraction: fraction, details: details.printable())
            let text = line.text(columns: ProgressScreen.columns)
            guard text != progress.text, !text.isEmpty else { return }
            (progress.text, progress.file, progress.time) = (text, file, now)
            _ = write(Array((screen == .row ? "\r\u{1b}[K\(text)" : "\(text)\n").utf8), to: STDERR_FILENO)
        }
    }

    /// A file's name, and which of several it is.
    private static func label(_ file: String, _ progress: Progress) -> String {
        let name = file.withVisiblePathBytes.printable()
        guard progress.files.count > 1, let index = progress.files.firstIndex(of: file) else { return name }
        return "[\(index + 1)/\(progress.files.count)] \(name)"
    }

    /// Nothing is shown any more, whoever is still at work.
    private static func endProgress() {
        progress.withLock { progress in
            clear(&progress)
            progress.isEnded = true
        }
    }

    private static func clear(_ progress: inout Progress) {
        guard screen == .row, !progress.text.isEmpty else { return }
        progress.text = ""
        _ = write(Array("\r\u{1b}[K".utf8), to: STDERR_FILENO)
    }

    /// - Returns: The operating system's error, 0 if all was written.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var position = 0
            while position < buffer.count, let base = buffer.baseAddress {
                let count = systemWrite(descriptor, base + position, buffer.count - position)
                guard count < 0 else {
                    position += count
                    continue
                }
                switch errno {
                case EINTR: continue
                case EAGAIN:
                    // Whoever shares the descriptor made it so; its reader takes its time.
                    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&wanted, 1, 100)
                default: return errno
                }
            }
            return 0
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// How far the work has come, in one row of a terminal.
struct ProgressLine {
    let label: String
    let fraction: Double
    /// What else is to be said after the percentage.
    let details: String

    /// The line, cut so that it never goes on in a second row: the label first, from its beginning.
    ///
    /// - Parameter columns: The row's width. Its last column stays free, where many terminals would begin a new row.
    func text(columns: Int) -> String {
        let percentage = "\(Int(max(0, min(1, fraction)) * 100))%"
        let room = columns - 1
        for rest in [percentage + details, percentage] {
            let left = room - rest.columnCount - 1
            if label.columnCount <= left { return "\(label) \(rest)" }
            if left >= 8 { return "…\(label.ending(ofColumns: left - 1)) \(rest)" }
        }
        return percentage.columnCount <= room ? percentage : ""
    }
}

extension String {
    /// Columns that the text takes on a terminal.
    var columnCount: Int { unicodeScalars.reduce(0) { $0 + $1.columnCount } }

    /// As much of the text's end as fits into some columns.
    fileprivate func ending(ofColumns columns: Int) -> String {
        var (left, start) = (columns, endIndex)
        while start > startIndex {
            let next = index(before: start)
            left -= self[next].unicodeScalars.reduce(0) { $0 + $1.columnCount }
            guard left >= 0 else { break }
            start = next
        }
        return String(self[start...])
    }
}

extension Unicode.Scalar {
    /// Columns of a character: 2 for the wide ones of East Asia and pictures, 0 for marks on others.
    ///
    /// Source: Unicode Standard Annex 11, by blocks.
    fileprivate var columnCount: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}

/// What progress is shown on.
enum ProgressScreen {
    /// No terminal: nothing is shown.
    case none
    /// A terminal that can do no more than go on: a line now and then.
    case lines
    /// A terminal whose last row is written anew.
    case row

    /// What standard error is.
    static let standardError: ProgressScreen = {
        guard isatty(STDERR_FILENO) == 1 else { return .none }
        return ["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "") ? .lines : .row
    }()

    /// Seconds between two reports at least.
    var interval: Double { self == .row ? 0.1 : 5 }

    /// The terminal's width now.
    static var columns: Int {
        var size = winsize()
        if ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 80
    }
}
