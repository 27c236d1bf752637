internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// Which files a command works on, and what they may make it do.
struct SourceOptions: ParsableArguments {
    @Argument(help: "The media files.", completion: .file())
    var files: [String]

    @Option(help: "Allow a format that is off by default, by FFmpeg's name; may be given several times.")
    var allowFormat: [String] = []

    @Flag(help: "Allow addresses as well as files.")
    var allowNetwork = false

    @Flag(help: "Measure durations by reading whole files where the header is not exact.")
    var precise = false

    func validate() throws {
        if files.isEmpty { throw ValidationError("No file was given.") }
    }

    /// - Parameter track: The number of the video track to take, the usual one if `nil`.
    func asset(_ file: String, track: Int32? = nil) -> AVURLAsset {
        let isAddress = allowNetwork && file.contains("://")
        let url = isAddress ? URL(string: file) : nil
        var options: [String: Any] = [
            AVURLAssetAllowedFormatsKey: allowFormat,
            AVURLAssetAllowsNetworkAccessKey: isAddress,
            AVURLAssetPreferPreciseDurationAndTimingKey: precise,
        ]
        if let track { options[AVURLAssetVideoTrackIDKey] = track }
        return AVURLAsset(url: url ?? URL(fileURLWithPath: file), options: options)
    }
}
