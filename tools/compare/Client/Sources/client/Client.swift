import Foundation

/// Writes what the library makes of the fixtures: `client FIXTURES OUTPUT [SECTION…]`.
///
/// Each section has a folder of its own. A section that fails says so in `error.txt`, and the others go on.
@main
enum Client {
    static let sections: [(name: String, run: @Sendable (Workspace) async throws -> Void)] = [
        ("facts", facts), ("metadata", metadata), ("stills", stills), ("reading", reading), ("writing", writing),
        ("compositions", compositions), ("compositors", compositors), ("exports", exports), ("extras", extras),
    ]

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            FileHandle.standardError.write(Data("usage: client FIXTURES OUTPUT [SECTION…]\n".utf8))
            exit(64)
        }
        let wanted = arguments.dropFirst(3)
        for (name, run) in sections where wanted.isEmpty || wanted.contains(name) {
            let workspace = try Workspace(
                fixtures: URL(fileURLWithPath: arguments[1]),
                folder: URL(fileURLWithPath: arguments[2]).appendingPathComponent(name))
            do {
                try await run(workspace)
            } catch {
                try workspace.write("error.txt", Data("\(describe(error))\n".utf8))
            }
        }
    }
}

/// The folders of a section: that of the fixtures, and that of its results.
struct Workspace: Sendable {
    let fixtures: URL
    let folder: URL

    init(fixtures: URL, folder: URL) throws {
        (self.fixtures, self.folder) = (fixtures, folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func fixture(_ name: String) -> URL { fixtures.appendingPathComponent(name) }

    func result(_ name: String) -> URL { folder.appendingPathComponent(name) }

    func write(_ name: String, _ data: Data) throws { try data.write(to: result(name)) }

    func write(_ name: String, _ lines: [String]) throws {
        try write(name, Data(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// The names of all media fixtures, sorted.
    func all() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixtures.path)
            .filter { !["README.md", "bombs.py", "generate", "expected"].contains($0) }.sorted()
    }
}

/// An error as the client sees it.
func describe(_ error: any Error) -> String {
    let bridged = error as NSError
    return "\(bridged.domain) \(bridged.code): \(error.localizedDescription)"
}

/// The result of an operation as text, or the error that it throws.
func outcome<T>(_ operation: () async throws -> T) async -> String {
    do { return "\(try await operation())" } catch { return "error: \(describe(error))" }
}

/// A digest of bytes: FNV-1a of 64 bits.
struct Digest: CustomStringConvertible {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325
    private var count = 0

    init() {}

    init(_ data: Data) { data.withUnsafeBytes { add($0) } }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        count += bytes.count
    }

    var description: String { "\(count) bytes \(String(value, radix: 16))" }
}
