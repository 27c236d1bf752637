// Public because the conformance of a public type is.
public import ArgumentParser
public import MediaPreviews

extension PreviewImageFormat: ExpressibleByArgument {}

extension PreviewImageFormat {
    /// Whether PQ and HLG survive in it.
    var holdsHDR: Bool { self == .png || self == .avif }
}
