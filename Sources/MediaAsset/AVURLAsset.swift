public import Foundation

/// Whether durations and times must be exact even if that takes reading the
/// whole file: a `Bool`, false by default.
///
/// Movies and MP4 files are exact either way. In other containers the ends of all samples are read, undecoded,
/// when the asset is opened; a pipe is read to its end.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// Demuxers and decoders allowed besides the default lists, by FFmpeg's names: `[String]`, empty by default.
///
/// Beyond AVFoundation. Formats that open other files are off by default, as are formats and codecs that no program in
/// use writes, such as RealMedia and VP6. ``MediaFormats/objection(toAllowing:)`` tells of those that cannot be allowed.
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
/// that only the end would tell are unknown. Either way a pipe may give as much as ``MediaLimits/pipeSize`` says.
public let AVURLAssetReadsPipesWholeKey = "AVURLAssetReadsPipesWholeKey"
/// How much the file may ask for: a `MediaLimits`, its defaults if not given.
///
/// Beyond AVFoundation. Where a limit is hit, loading throws an `AVError` with a ``MediaLimitError`` under it that
/// names the limit. A value of another type counts as none.
public let AVURLAssetLimitsKey = "AVURLAssetLimitsKey"
/// Where the file is read: an ``AssetIsolation``, ``AssetIsolation/standard`` if not given.
///
/// Beyond AVFoundation. With a value of another type nothing is read: loading throws `AVError.incorrectlyConfigured`.
public let AVURLAssetIsolationKey = "AVURLAssetIsolationKey"

/// An index of the film's frames: a ``FrameIndexFile``.
///
/// Beyond AVFoundation. Films whose container leads to no frame (program streams, Ogg, streams without a container) are entered
/// by it where they would have to be read whole first; others are not in need of it. The index is believed as far as packets
/// are where it says, so ask ``FrameIndexFile/checkFits(_:)`` first; where they are not, it counts as not given. Without effect
/// for an asset that is isolated.
public let AVURLAssetFrameIndexKey = "AVURLAssetFrameIndexKey"
/// A file in which such an index is kept: a `URL`.
///
/// Beyond AVFoundation. It is read if it is there and fits the film, and written if an index had to be made for the asset's
/// own sake. What cannot be read or written is made each time. Without effect for an asset that is isolated.
public let AVURLAssetFrameIndexCacheKey = "AVURLAssetFrameIndexCacheKey"

/// Which references to other files or addresses are not to be followed: an `NSNumber` of
/// ``AVAssetReferenceRestrictions``.
///
/// Without effect, unlike in AVFoundation, because none are followed; see `AVAsset.referenceRestrictions`.
public let AVURLAssetReferenceRestrictionsKey = "AVURLAssetReferenceRestrictionsKey"

/// Whether an address may be fetched over a mobile network: a `Bool`, true by default.
///
/// Without effect, unlike in AVFoundation: networks are not told apart here.
public let AVURLAssetAllowsCellularAccessKey = "AVURLAssetAllowsCellularAccessKey"
/// Whether an address may be fetched over a network that costs money: a `Bool`, true by default.
///
/// Without effect, unlike in AVFoundation: networks are not told apart here.
public let AVURLAssetAllowsExpensiveNetworkAccessKey = "AVURLAssetAllowsExpensiveNetworkAccessKey"
/// Whether an address may be fetched where the user asks for little data: a `Bool`, true by default.
///
/// Without effect, unlike in AVFoundation: networks are not told apart here.
public let AVURLAssetAllowsConstrainedNetworkAccessKey = "AVURLAssetAllowsConstrainedNetworkAccessKey"

/// An asset of a file, or of a pipe.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    // @unchecked Sendable: as AVAsset.

    /// Where the file is; an address only with `AVURLAssetAllowsNetworkAccessKey`.
    public let url: URL

    /// Makes an asset; touches no file.
    ///
    /// - Parameter options: Values by the option keys, such as
    ///   `AVURLAssetPreferPreciseDurationAndTimingKey`; unknown keys, and values of other types, are ignored.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        super.init(source: AVURLAsset.source(url: url, options: options ?? [:]))
    }

    /// Makes an asset; touches no file.
    public convenience init(url: URL) { self.init(url: url, options: nil) }
}
