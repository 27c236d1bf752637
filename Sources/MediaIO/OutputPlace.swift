/// Where a result goes, after ``RunFiles`` has found that nothing speaks against it.
///
/// Files are written to places only, and only ``RunFiles`` makes them: so nothing
/// can be written without the question whether it would harm one of the run's files.
public struct OutputPlace: Sendable {
    /// The name as it was given.
    public let path: String
    /// Whether an existing file may be replaced.
    package let replaces: Bool
    /// What the name stands for.
    let target: OutputTarget
    /// The run; `nil` within a file or folder that has been asked for as a whole.
    let run: RunFiles?
    /// What the broker calls it; `nil` for a process that has none.
    var number: Int?
    /// Whether the same result is there, so that what is in the way is looked for only when this one gets its name.
    var passesOverMade = false

    /// - Note: For ``RunFiles``.
    init(path: String, replaces: Bool, target: OutputTarget, run: RunFiles, number: Int? = nil) {
        (self.path, self.replaces, self.target, self.run, self.number) = (path, replaces, target, run, number)
    }

    /// A new file inside a folder that nobody else knows of.
    init(inNewFolder path: String) {
        (self.path, replaces, target, run) = (path, false, .file(path), nil)
    }

    /// A file whose new version is to take its place: what in-place edits are for.
    init(changing path: String) {
        (self.path, replaces, target, run) = (path, true, .file(path), nil)
    }

    /// Bytes that what is written to it may have.
    var sizeLimit: UInt64 { run?.largestResult ?? .max }

    /// Whether it takes bytes as they come.
    var isOfStream: Bool { if case .file = target { false } else { true } }

    /// Whether the bytes go to standard output, by whatever name.
    public var isStandardOutput: Bool { target == .descriptor(1) }

    /// Whether a name stands for standard output: `-`, `/dev/stdout`, `/dev/fd/1` and the like.
    public static func isStandardOutput(_ path: String) -> Bool {
        (try? OutputTarget(path)) == .descriptor(1)
    }

    /// Whether a name stands for what takes bytes as they come: a FIFO, a device, standard output.
    public static func isStream(_ path: String) -> Bool {
        switch try? OutputTarget(path) {
        case .stream, .descriptor: true
        case .file, .empty, nil: false
        }
    }
}
