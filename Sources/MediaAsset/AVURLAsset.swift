public import Foundation

/// Whether durations and times must be exact even if that takes reading the
/// whole file: a `Bool`, false by default.
///
/// Movies and MP4 files are exact either way. In other containers the ends of all samples are read, undecoded,
/// when the asset is opened; a pipe is read to its end.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// Demuxers allowed besides the default list, by FFmpeg's names: `[String]`, empty by default.
///
/// Beyond AVFoundation; formats that open other files are off by default, and ``MediaFormats/objection(toAllowing:)``
/// tells of those that cannot be had at all.
public let AVURLAssetAllowedFormatsKey = "AVURLAssetAllowedFormatsKey"
/// Whether addresses may be opened, such as `https:`: a `Bool`, false by default.
///
/// Beyond AVFoundation.
public let AVURLAssetAllowsNetworkAccessKey = "AVURLAssetAllowsNetworkAccessKey"
/// The number of the video track that pictures and their times are those of: an
/// `Int32` as `AVAssetTrack.trackID` has it; the first enabled one if not given.
///
/// Beyond AVFoundation. An asset without such a track fails to load, with `AVError.noSourceTrack`. A value of
/// another type, such as `Int`, counts as none.
public let AVURLAssetVideoTrackIDKey = "AVURLAssetVideoTrackIDKey"
/// Whether a pipe is read to its end, into an unnamed temporary file, before
/// anything else: a `Bool`, false by default.
///
/// Beyond AVFoundation. All that can be asked of a file can then be asked of the
/// pipe. Without it, no more is read than what is asked for needs, and durations
/// that only the end would tell are unknown. Either way a pipe may give 8 GiB.
public let AVURLAssetReadsPipesWholeKey = "AVURLAssetReadsPipesWholeKey"

/// An asset of a file, or of a pipe.
///
/// - Note: AVFoundation's can be subclassed; this one is final.
public final class AVURLAsset: AVAsset, @unchecked Sendable {
    /// Where the file is; an address only with `AVURLAssetAllowsNetworkAccessKey`.
    public let url: URL

    /// Makes an asset; touches no file.
    ///
    /// - Parameter options: Values by the option keys, such as
    ///   `AVURLAssetPreferPreciseDurationAndTimingKey`; unknown keys, and values of other types, are ignored.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        super.init(source: Self.source(url: url, options: options ?? [:]))
    }

    /// Makes an asset; touches no file.
    public convenience init(url: URL) { self.init(url: url, options: nil) }
}
