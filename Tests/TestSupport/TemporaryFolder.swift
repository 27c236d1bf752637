package import Foundation

/// A folder of a test's own, removed with this object.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("media-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package var path: String { url.path }

    /// The path of a file in the folder.
    package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// The names of everything in the folder, hidden files too, sorted.
    package func contents() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}
