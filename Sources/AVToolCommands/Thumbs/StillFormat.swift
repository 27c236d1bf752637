internal import ArgumentParser
package import MediaCore

/// What stills become.
package enum StillFormat: String, CaseIterable, Codable, Sendable, ExpressibleByArgument {
    case jpeg, png, webp, avif
    /// Pixels for programs: three bytes each, red, green and blue, in rows from the top, without anything between.
    case raw

    /// The kind of file; `nil` for pixels.
    package var picture: PreviewImageFormat? { PreviewImageFormat(rawValue: rawValue) }

    package init?(argument: String) {
        let name = PreviewImageFormat(argument: argument)?.rawValue ?? argument
        self.init(rawValue: name)
    }
}
