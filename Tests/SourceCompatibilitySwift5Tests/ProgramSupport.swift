import Foundation
import TestSupport
import Testing

func fixture(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/\(name)")
}

/// A folder of a test's own, removed with this object.
final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("clients-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// Keeps what a completion handler gives and waits for it.
final class Box<Value>: @unchecked Sendable {
    private let isDone = DispatchSemaphore(value: 0)
    private var value: Value?

    func set(_ value: Value) {
        self.value = value
        isDone.signal()
    }

    /// Waits off the pool of threads that tests run on.
    func wait() async throws -> Value {
        let isThere = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: self.isDone.wait(timeout: .now() + 120) == .success)
            }
        }
        return try #require(isThere ? value : nil)
    }
}

/// What another program says of a file, without the line's end.
func output(of program: String, _ arguments: [String]) throws -> String {
    try CommandRun.runBlocking(program, arguments).output.trimmingCharacters(in: .whitespacesAndNewlines)
}

/// Entries as ffprobe shows them, one a line.
func probe(_ url: URL, _ entries: String, streams: String? = nil) throws -> [String] {
    let selection = streams.map { ["-select_streams", $0] } ?? []
    let options = ["-v", "error"] + selection + ["-show_entries", entries, "-of", "default=nw=1:nk=1", url.path]
    return try output(of: "ffprobe", options).split(separator: "\n").map(String.init)
}

func probedDuration(_ url: URL) throws -> Double {
    try #require(try probe(url, "format=duration").first.flatMap(Double.init))
}
