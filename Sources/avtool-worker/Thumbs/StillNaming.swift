internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What the stills of a command are called.
struct StillNaming: Codable, Sendable {
    /// What `-o` says.
    let output: String?
    /// How many sizes each still is to have.
    let sizeCount: Int
    let fileCount: Int
    /// Whether all go to standard output, one after the other.
    var streams = false

    /// The names of one file's stills.
    ///
    /// - Throws: A failure if several sizes of a still would get one name.
    func pattern(_ name: String, stills: Int) throws -> ResultNaming {
        let sizes = max(1, sizeCount)
        let pattern = try ResultNaming(
            output, default: name + (sizes > 1 ? "-{size}.{ext}" : ".{ext}"),
            count: streams ? 1 : stills * sizes * fileCount)
        guard sizes == 1 || streams || pattern.contains("{size}", "{width}", "{height}") else {
            throw Failure(.usage, "several sizes need {size}, {width} or {height} in the name")
        }
        return pattern
    }
}

/// Where stills go, and what kind of files they are.
struct StillOutput: Codable, Sendable {
    let naming: StillNaming
    let format: PreviewImageFormat
    let quality: Int
    let replaces: Bool
}
