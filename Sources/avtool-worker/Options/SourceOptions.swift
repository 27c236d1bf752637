internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// Which files a command works on, and what they may make it do.
struct SourceOptions: ParsableArguments {
    @Argument(help: "The media files; - is standard input.", completion: .file())
    var files: [String]

    @Option(
        help:
            "Allow a format that is off by default, by FFmpeg's name, such as hls; may be given several times.")
    var allowFormat: [String] = []

    @Flag(help: "Allow addresses of http and https as well as files.")
    var allowNetwork = false

    @Flag(help: "Measure durations by reading whole files where the header is not exact.")
    var precise = false

    func validate() throws {
        if files.isEmpty { throw ValidationError("No file was given.") }
        if let objection = SourceFile.objection(to: files) { throw ValidationError(objection) }
        for format in allowFormat {
            guard let objection = MediaFormats.objection(toAllowing: format) else { continue }
            throw ValidationError("--allow-format \(format): \(objection).")
        }
    }

    /// Whether nothing is allowed beyond what always is.
    var isUsual: Bool { allowFormat.isEmpty && !allowNetwork && !precise }

    /// One of the files.
    ///
    /// - Parameters:
    ///   - track: The number of the video track to take, the usual one if `nil`.
    ///   - readsPipesWhole: Whether a pipe is read to its end before anything else.
    func source(_ file: String, track: Int32? = nil, readsPipesWhole: Bool = true) -> MediaSource {
        MediaSource(
            file: file, allowedFormats: allowFormat, allowsNetwork: allowNetwork, isPrecise: precise, track: track,
            readsPipesWhole: readsPipesWhole)
    }
}
