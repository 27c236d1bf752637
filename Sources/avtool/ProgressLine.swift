internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

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
