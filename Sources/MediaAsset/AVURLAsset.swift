public import Foundation

/// Whether durations and times must be exact even if that takes reading the
/// whole file: a `Bool`, false by default.
///
/// Movies and MP4 files are exact either way.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// Demuxers allowed besides the default list, by FFmpeg's names: `[String]`.
///
/// Beyond AVFoundation; formats that open other files are off by default.
public let AVURLAssetAllowedFormatsKey = "AVURLAssetAllowedFormatsKey"
/// Whether addresses may be opened: a `Bool`, false by default.
///
/// Beyond AVFoundation.
public let AVURLAssetAllowsNetworkAccessKey = "AVURLAssetAllowsNetworkAccessKey"
/// The number of the video track that pictures and their times are those of: an
/// `Int32` as `AVAssetTrack.trackID` has it; the first enabled one if not given.
///
/// Beyond AVFoundation. An asset without such a track fails to load.
public let AVURLAssetVideoTrackIDKey = "AVURLAssetVideoTrackIDKey"
/// Whether a pipe is read to its end, into an unnamed temporary file, before
/// anything else: a `Bool`, false by default.
///
/// Beyond AVFoundation. All that can be asked of a file can then be asked of the
/// pipe. Without it, no more is read than what is asked for needs, and durations
/// that only the end would tell are unknown. Either way a pipe may give 8 GiB.
public let AVURLAssetReadsPipesWholeKey = "AVURLAssetReadsPipesWholeKey"

/// An asset of a file.
public final class AVURLAsset: AVAsset, @unchecked Sendable {
    /// Where the file is.
    public let url: URL

    /// Makes an asset; touches no file.
    ///
    /// - Parameter options: Values by the option keys, such as
    ///   `AVURLAssetPreferPreciseDurationAndTimingKey`; unknown keys are ignored.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        super.init(source: Self.source(url: url, options: options ?? [:]))
    }

    /// Makes an asset; touches no file.
    public convenience init(url: URL) { self.init(url: url, options: nil) }
}
