// Public because the conformance of a public type is.
public import ArgumentParser
public import MediaPreviews

extension PreviewImageFormat: ExpressibleByArgument {
    /// The format of a name, as people write it: `jpg` as well as `jpeg`.
    public init?(argument: String) { self.init(ending: argument.lowercased()) }
}

extension PreviewImageFormat {
    /// Whether PQ and HLG survive in it.
    var holdsHDR: Bool { self == .png || self == .avif }
}
