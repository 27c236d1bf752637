public import Foundation
package import MediaContainers
public import MediaCore
package import MediaMetadata
internal import MetadataFormats

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
/// Whether exports refuse a file whose end is torn off: a `Bool`, false by default.
///
/// Beyond AVFoundation. Recordings and downloads stop anywhere. Without it, what is whole is taken, and the last packets
/// that are not are left out: results of exports name that as a loss. Readers, which have no result, fail at the end in any
/// case. Damage elsewhere is refused either way, as are movies whose tables list samples that are not there. A transport
/// stream that ends between two of its packets does not tell that it is torn.
public let AVURLAssetRefusesTornEndsKey = "AVURLAssetRefusesTornEndsKey"
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

/// Who opens the file, and those of its index: a `FileAccess`, the process itself if not given.
package let AVURLAssetFileAccessKey = "AVURLAssetFileAccessKey"

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

extension AVURLAsset {
    /// The types of films and sound that can be opened by default, films first.
    ///
    /// - Note: AVFoundation's list is of what that opens, and has no Matroska, WebM, Ogg and AVI.
    public class func audiovisualTypes() -> [AVFileType] { AVFileType.openable }

    /// The media types (MIME) of films and sound that can be opened by default: `video/mp4` and so on.
    ///
    /// - Note: AVFoundation's list is of what that opens, as with `audiovisualTypes()`.
    public class func audiovisualMIMETypes() -> [String] {
        audiovisualContentTypes.flatMap { $0.tags[.mimeType] ?? [] }.reduce(into: []) { known, type in
            if !known.contains(type) { known.append(type) }
        }
    }

    /// The uniform types of films and sound that can be opened by default, films first.
    ///
    /// - Note: AVFoundation's list is of what that opens, as with `audiovisualTypes()`.
    public class var audiovisualContentTypes: [UTType] { audiovisualTypes().compactMap { UTType($0.rawValue) } }

    /// Whether files of a media type can be opened, and all codecs that it names decoded.
    ///
    /// - Parameter extendedMIMEType: Such as `video/mp4; codecs="avc1.640028, mp4a.40.2"`.
    /// - Returns: False too for codecs whose names are not known here.
    /// - Note: AVFoundation answers for what that opens and decodes.
    public class func isPlayableExtendedMIMEType(_ extendedMIMEType: String) -> Bool {
        let parts = extendedMIMEType.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmingWhitespace.lowercased() }
        guard let type = parts.first, audiovisualMIMETypes().contains(type) else { return false }
        let name = "codecs="
        let codecs = parts.dropFirst().filter { $0.hasPrefix(name) }.flatMap { parameter in
            parameter.dropFirst(name.count).filter { $0 != "\"" }.split(separator: ",").map(\.trimmingWhitespace)
        }
        return codecs.allSatisfy(MediaTypeCodec.canDecode)
    }
}

extension Substring {
    fileprivate var trimmingWhitespace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension AVFileType {
    /// What demuxers are allowed for by default.
    fileprivate static let openable: [AVFileType] = [
        .mov, .mp4, .m4v, .mobile3GPP, .mobile3GPP2, .matroska, .webM, .mpeg2TransportStream, .avi, .ogg, .m4a, .qta,
        .caf, .wav, .aiff, .aifc, .mp3, .amr, .au, .ac3, .eac3, .matroskaAudio, .opus, .flac,
    ]
}

extension AVFileType {
    /// The name for people: the usual extension.
    package var name: String { preferredFilenameExtension.isEmpty ? rawValue : preferredFilenameExtension }

    /// The kind of movie file, `nil` for what is none.
    package var movieBrand: MovieBrand? {
        switch self {
        case .mov: .quickTime
        case .mp4: .mp4
        case .m4v: .m4v
        case .m4a: .m4a
        default: nil
        }
    }

    /// Whether there is room for a single track of pictures or sound.
    package var holdsOneTrack: Bool {
        [.gif, .mp3, .flac, .wav, .aiff, .aifc, .caf, .ac3, .eac3, .opus].contains(self)
    }

    /// Which of our writers of metadata the file is for.
    package var metadataContainer: FileMetadata.Container {
        FileMetadata.Container.all.first { $0.typeIdentifiers.contains(rawValue) } ?? .other
    }
}
