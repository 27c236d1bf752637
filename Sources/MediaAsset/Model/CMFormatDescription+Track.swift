internal import MediaContainers
package import MediaCore
public import SampleBuffers

extension CMFormatDescription {
    /// The codec's name, as FFmpeg spells it; empty for a description that no track made.
    ///
    /// Beyond Core Media.
    public var codecName: String { track?.codec ?? "" }
    /// The picture side, `nil` for a track that shows nothing.
    ///
    /// Beyond Core Media.
    public var video: VideoDescription? { track?.video }
    /// The sound side, `nil` for a track without sound.
    ///
    /// Beyond Core Media.
    public var audio: AudioDescription? { track?.audio }

    private var track: TrackDescription? {
        details as? TrackDescription ?? (details as? any CodedTrackDetails)?.track
    }

    /// A description of a track's samples.
    ///
    /// - Parameter details: What is known of the samples besides; `nil` for nothing.
    package convenience init(track: TrackDescription, details: (any CodedTrackDetails)? = nil) {
        let size = track.video?.codedSize ?? PixelSize(width: 0, height: 0)
        self.init(
            mediaType: MediaType(track.mediaType), mediaSubType: MediaSubType(rawValue: track.mediaSubType),
            dimensions: CMVideoDimensions(width: Int32(clamping: size.width), height: Int32(clamping: size.height)),
            extensions: Extensions(track),
            streamDescription: track.audio.map {
                AudioStreamBasicDescription($0, codec: Codec(rawValue: track.codec), format: track.mediaSubType)
            },
            channelLayout: track.audio.flatMap {
                ManagedAudioChannelLayout($0, codec: Codec(rawValue: track.codec))
            }, details: details ?? track)
    }
}

/// What a description of coded samples knows besides what everybody may ask.
package protocol CodedTrackDetails: Sendable {
    /// The track that the samples are of.
    var track: TrackDescription { get }
}

extension CMFormatDescription.MediaType {
    init(_ type: AVMediaType) {
        self.init(rawValue: type.rawValue.utf8.prefix(4).reduce(0) { $0 << 8 | FourCharCode($1) })
    }
}

extension CMFormatDescription.Extensions {
    /// What a track's samples say of themselves.
    fileprivate init(_ track: TrackDescription) {
        if let video = track.video {
            self.init(video)
            if let sets = ParameterSets(configuration: track.parameterSets, of: Codec(rawValue: track.codec)) {
                add(sets)
            }
        } else if let metadata = track.dataDescription.flatMap({ BoxedMetadataDescription($0.entry) }) {
            self.init(metadata)
        } else {
            self.init()
        }
    }

    /// What a track's pictures say of themselves; what the file does not state is left out.
    init(_ video: VideoDescription) {
        self.init()
        self[.depth] = .number(video.hasAlpha ? 32 : 24)
        if let bits = video.bitsPerComponent { self[.bitsPerComponent] = .number(bits) }
        if video.hasAlpha { self[.containsAlphaChannel] = .flag(true) }
        addColors(video.color.tags)
        addFields(video.fieldOrder.flatMap { FieldOrder(rawValue: $0) })
        addShape(video)
    }

    private mutating func addColors(_ tags: ColorInfo) {
        self[.colorPrimaries] = Value.ColorPrimaries(tags.primaries).map { .colorPrimaries($0) }
        self[.transferFunction] = Value.TransferFunction(tags.transferFunction).map { .transferFunction($0) }
        switch tags.transferFunction {
        case .bt470M: self[.gammaLevel] = .number(2.2)
        case .bt470BG: self[.gammaLevel] = .number(2.8)
        default: break
        }
        self[.yCbCrMatrix] = Value.YCbCrMatrix(tags.yCbCrMatrix).map { .yCbCrMatrix($0) }
        self[.fullRangeVideo] = tags.range.map { .flag($0 == .full) }
        let location = tags.chromaLocation.map { Value.chromaLocation(Value.ChromaLocation($0)) }
        (self[.chromaLocationTopField], self[.chromaLocationBottomField]) = (location, location)
    }

    private mutating func addFields(_ order: FieldOrder?) {
        guard let order else { return }
        self[.fieldCount] = .number(order.isInterlaced ? 2 : 1)
        // The four orders of QuickTime's `fiel`: 1, 6, 9 and 14.
        self[.fieldDetail] =
            switch order {
            case .progressive: nil
            case .topFirst: .fieldDetail(.temporalTopFirst)
            case .bottomFirst: .fieldDetail(.temporalBottomFirst)
            case .interleavedTopFirst: .fieldDetail(.spatialFirstLineEarly)
            case .interleavedBottomFirst: .fieldDetail(.spatialFirstLineLate)
            }
    }

    private mutating func addShape(_ video: VideoDescription) {
        let (size, seen, ratio) = (video.codedSize, video.cleanAperture, video.sampleAspectRatio)
        if ratio.horizontal != ratio.vertical, ratio.horizontal > 0, ratio.vertical > 0 {
            self[.pixelAspectRatio] = .pixelAspectRatio(
                horizontalSpacing: ratio.horizontal, verticalSpacing: ratio.vertical)
        }
        guard seen.width != size.width || seen.height != size.height else { return }
        self[.cleanAperture] = .cleanAperture(
            width: Double(seen.width), height: Double(seen.height),
            horizontalOffset: Double(seen.x) + Double(seen.width - size.width) / 2,
            verticalOffset: Double(seen.y) + Double(seen.height - size.height) / 2)
    }
}

extension CMFormatDescription.Extensions.Value.ColorPrimaries {
    /// `nil` for what Core Media has no name for.
    package init?(_ primaries: ColorPrimaries?) {
        switch primaries {
        case .bt709: self = .itu_R_709_2
        case .bt470BG: self = .ebu_3213
        case .smpte170M, .smpte240M: self = .smpte_C
        case .smpte431: self = .dci_P3
        case .smpte432: self = .p3_D65
        case .bt2020: self = .itu_R_2020
        case .ebu3213: self = .p22
        default: return nil
        }
    }
}

extension CMFormatDescription.Extensions.Value.TransferFunction {
    /// `nil` for what Core Media has no name for.
    package init?(_ function: TransferFunction?) {
        switch function {
        // The same curve by three names.
        case .bt709, .smpte170M: self = .itu_R_709_2
        case .bt2020With10Bits, .bt2020With12Bits: self = .itu_R_2020
        case .bt470M, .bt470BG: self = .useGamma
        case .smpte240M: self = .smpte_240M_1995
        case .linear: self = .linear
        case .sRGB: self = .sRGB
        case .pq: self = .smpte_ST_2084_PQ
        case .hlg: self = .itu_R_2100_HLG
        case .smpte428: self = .smpte_ST_428_1
        default: return nil
        }
    }
}

extension CMFormatDescription.Extensions.Value.YCbCrMatrix {
    /// `nil` for what Core Media has no name for.
    package init?(_ matrix: MatrixCoefficients?) {
        switch matrix {
        case .bt709: self = .itu_R_709_2
        case .bt470BG, .smpte170M: self = .itu_R_601_4
        case .smpte240M: self = .smpte_240M_1995
        case .bt2020: self = .itu_R_2020
        default: return nil
        }
    }
}

extension CMFormatDescription.Extensions.Value.ChromaLocation {
    init(_ location: ChromaLocation) {
        switch location {
        case .left: self = .left
        case .center: self = .center
        case .topLeft: self = .topLeft
        case .top: self = .top
        case .bottomLeft: self = .bottomLeft
        case .bottom: self = .bottom
        }
    }
}
