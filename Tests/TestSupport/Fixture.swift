public import Foundation

/// A media file of the project's own.
public struct Fixture: Sendable, Hashable, CustomStringConvertible {
    /// The file's name in the folder of fixtures.
    public let name: String
    /// Makes a fixture of a name; touches no file.
    public init(_ name: String) { self.name = name }

    /// The name.
    public var description: String { name }
    /// Where the file is.
    public var url: URL { Self.folder.appendingPathComponent(name) }
    /// Where the file is.
    public var path: String { url.path }

    /// The project's folder of fixtures.
    public static let folder = root.appendingPathComponent("Fixtures")
    /// The project's folder.
    public static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// Real files of other people, where they are present.
    public static let corpus: URL? = {
        let url = root.deletingLastPathComponent().appendingPathComponent("shared/corpus")
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }()
}
