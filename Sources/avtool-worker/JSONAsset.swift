internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// An asset's description as `info --json` prints it.
struct JSONAsset: ResultDocument {
    struct Chapter: Encodable {
        let start: JSONTime?
        let duration: JSONTime?
        let title: String
    }

    let source: String
    let container: String
    let duration: JSONTime?
    let durationIsEstimate: Bool
    let timecode: String?
    let origin: JSONTime?
    let isEncrypted: Bool
    let size: Int64?
    let bitRate: Int64?
    let tracks: [JSONTrack]
    let attachedPictures: [JSONTrack]
    let chapters: [Chapter]
    let metadata: [JSONMetadataItem]
    let commonMetadata: [JSONMetadataItem]
    let mediaItem: JSONMediaItem
    let creationDate: String?
    let problems: [String]
    /// What the kernel keeps from the process that reads the file.
    let isolation: [String]

    init(source: String, _ description: AssetDescription, _ metadata: AssetMetadata) {
        self.source = source
        container = description.container
        duration = JSONTime(length: description.duration)
        durationIsEstimate = description.durationIsEstimate
        isolation = WorkerConsole.surroundings.isolation.names
        timecode = description.startTimecode?.description
        origin = JSONTime(description.origin)
        isEncrypted = description.hasProtectedContent
        size = description.byteCount
        bitRate = description.bitRate
        tracks = description.tracks.map { track in JSONTrack(track, metadata.entries(ofTrack: track.trackID)) }
        attachedPictures = description.attachedPictures.map { JSONTrack($0, []) }
        chapters = metadata.chapters.map {
            Chapter(start: JSONTime($0.start), duration: JSONTime(length: $0.end - $0.start), title: $0.title)
        }
        let entries = metadata.file.entries
        self.metadata = entries.map { JSONMetadataItem($0, withData: false) }
        commonMetadata = entries.filter { $0.commonKey != nil }.map { JSONMetadataItem($0, withData: false) }
        mediaItem = JSONMediaItem(MediaItem(entries: entries))
        creationDate = metadata.file.creationDate.map { ISO8601Timestamp.text(of: $0) }
        problems = metadata.file.problems
    }
}

/// A track's description as `info --json` prints it.
struct JSONTrack: Encodable {
    struct Size: Encodable {
        let width: Int
        let height: Int
        init(_ size: PixelSize) { (width, height) = (size.width, size.height) }
    }

    struct Range: Encodable {
        let start: JSONTime?
        let duration: JSONTime?
        init(_ range: CMTimeRange) { (start, duration) = (JSONTime(range.start), JSONTime(length: range.duration)) }
    }

    struct Rectangle: Encodable {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
    }

    struct Ratio: Encodable {
        let horizontal: Int
        let vertical: Int
    }

    struct Transform: Encodable {
        let a: Double
        let b: Double
        let c: Double
        let d: Double
        let tx: Double
        let ty: Double
    }

    struct Color: Encodable {
        let primaries: String?
        let transferFunction: String?
        let matrix: String?
        let range: String?
        let chromaLocation: String?
    }

    struct Dolby: Encodable {
        let profile: Int
        let level: Int
        let compatibilityID: Int
    }

    struct Edit: Encodable {
        /// `nil` for an empty edit.
        let mediaTime: JSONTime?
        let start: JSONTime?
        let duration: JSONTime?
    }

    let id: Int32
    let index: Int
    let mediaType: String
    let codec: String
    let codecTag: String?
    let profile: String?
    let timescale: Int32
    let timeRange: Range
    let language: String?
    let title: String?
    let enabled: Bool
    let estimatedDataRate: Int64?
    let sampleCount: Int64?
    let editList: [Edit]
    let codedSize: Size?
    let naturalSize: Size?
    let displaySize: Size?
    let cleanAperture: Rectangle?
    let sampleAspectRatio: Ratio?
    let preferredTransform: Transform?
    let rotation: Int?
    let nominalFrameRate: Double?
    let minFrameDuration: JSONTime?
    let pixelFormat: String?
    let bitsPerComponent: Int?
    let fieldOrder: String?
    let color: Color?
    /// `HDR10`, `PQ` or `HLG`; `nil` for SDR.
    let hdr: String?
    let dolbyVision: Dolby?
    let isVariableFrameRate: Bool?
    let hasAlpha: Bool?
    let isEncrypted: Bool
    let sampleRate: Int?
    let channels: Int?
    let channelLayout: String?
    let metadata: [JSONMetadataItem]

    static func edits(of track: TrackDescription) -> [Edit] {
        track.editList.map {
            Edit(
                mediaTime: JSONTime($0.source.start), start: JSONTime($0.target.start),
                duration: JSONTime(length: $0.target.duration))
        }
    }

    init(_ track: TrackDescription, _ entries: [MetadataEntry]) {
        id = track.trackID
        index = track.streamIndex
        mediaType = track.mediaType.name
        codec = track.codec
        codecTag = track.codecTag.isEmpty ? nil : track.codecTag
        profile = track.profile
        timescale = track.timescale
        timeRange = Range(track.timeRange)
        language = track.extendedLanguageTag ?? track.language
        title = track.title
        enabled = track.isEnabled
        estimatedDataRate = track.estimatedDataRate > 0 ? track.estimatedDataRate : nil
        sampleCount = track.sampleCount
        editList = Self.edits(of: track)
        let video = track.video
        codedSize = video.map { Size($0.codedSize) }
        naturalSize = video.map {
            Size(PixelSize(width: Int($0.naturalSize.width.rounded()), height: Int($0.naturalSize.height.rounded())))
        }
        displaySize = video.map { Size($0.displaySize) }
        cleanAperture = video.map {
            let rect = $0.cleanAperture
            return Rectangle(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
        }
        sampleAspectRatio = video.map {
            Ratio(horizontal: $0.sampleAspectRatio.horizontal, vertical: $0.sampleAspectRatio.vertical)
        }
        preferredTransform = video.map { Transform($0.preferredTransform) }
        rotation = video.map { $0.preferredTransform.clockwiseDegrees }
        nominalFrameRate = video.flatMap { $0.nominalFrameRate > 0 ? $0.nominalFrameRate : nil }
        minFrameDuration = video.flatMap { JSONTime(length: $0.minFrameDuration) }
        pixelFormat = video?.pixelFormat
        bitsPerComponent = video?.bitsPerComponent
        fieldOrder = video?.fieldOrder
        color = video.map {
            Color(
                primaries: $0.color.primaries, transferFunction: $0.color.transferFunction,
                matrix: $0.color.yCbCrMatrix, range: $0.color.range, chromaLocation: $0.color.chromaLocation)
        }
        hdr = video?.hdrFormat?.rawValue
        dolbyVision = video?.dolbyVision.map {
            Dolby(profile: $0.profile, level: $0.level, compatibilityID: $0.compatibilityID)
        }
        isVariableFrameRate = video?.isVariableFrameRate
        hasAlpha = video?.hasAlpha
        isEncrypted = track.isEncrypted
        sampleRate = track.audio?.sampleRate
        channels = track.audio?.channels
        channelLayout = track.audio?.channelLayout
        metadata = entries.map { JSONMetadataItem($0, withData: false) }
    }
}

extension JSONTrack.Transform {
    fileprivate init(_ transform: CGAffineTransform) {
        self.init(
            a: Double(transform.a), b: Double(transform.b), c: Double(transform.c), d: Double(transform.d),
            tx: Double(transform.tx), ty: Double(transform.ty))
    }
}

extension CGAffineTransform {
    /// Whether the picture is flipped as well as turned.
    var isMirrored: Bool { Double(a) * Double(d) - Double(b) * Double(c) < 0 }

    /// The turn, clockwise, from 0 to 359 degrees; mirroring is not part of it.
    var clockwiseDegrees: Int {
        let degrees = Int((atan2(Double(b), Double(a)) * 180 / Double.pi).rounded())
        return (degrees % 360 + 360) % 360
    }
}
