package import ArgumentParser

/// Which files a command works on, and what they may make it do.
package struct SourceOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The media files; - is standard input.", valueName: "files"), completion: .file())
    package var named: [String] = []

    @OptionGroup package var several: SeveralFilesOptions

    @Option(
        help:
            "Allow a format or a decoder that is off by default, by FFmpeg's name, such as hls or vp6f; may be given several times."
    )
    package var allowFormat: [String] = []

    @Flag(help: "Allow addresses of http and https as well as files.")
    package var allowNetwork = false

    @Flag(help: "Measure durations by reading whole files where the header is not exact.")
    package var precise = false

    @OptionGroup package var bounds: LimitOptions

    /// Those of the named files that are to be worked on.
    package var files: [String] { several.selected(named) }

    package func validate() throws {
        if let objection = several.objection(to: named) { throw ValidationError(objection) }
        if let objection = SourceFile.objection(to: named) { throw ValidationError(objection) }
    }

    /// Whether nothing is allowed beyond what always is.
    package var isUsual: Bool { allowFormat.isEmpty && !allowNetwork && !precise }

    /// One of the files.
    ///
    /// - Parameters:
    ///   - track: The number of the video track to take, the usual one if `nil`.
    ///   - readsPipesWhole: Whether a pipe is read to its end before anything else.
    ///   - indexes: How it is found out where its frames lie.
    package func source(
        _ file: String, track: Int32? = nil, readsPipesWhole: Bool = true, indexes: IndexOptions? = nil
    ) -> MediaSource {
        var source = MediaSource(file: file, limits: bounds.limits)
        (source.allowedFormats, source.allowsNetwork, source.isPrecise) = (allowFormat, allowNetwork, precise)
        (source.track, source.readsPipesWhole) = (track, readsPipesWhole)
        (source.index, source.cachedIndex) = (indexes?.index(of: file), indexes?.cached(file))
        return source
    }

    package init() {}
}
