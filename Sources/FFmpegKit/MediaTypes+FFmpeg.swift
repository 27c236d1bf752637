internal import CFFmpeg
internal import MediaCore

/// Where FFmpeg's codes become the types of the library, and these FFmpeg's codes.
extension Codec {
    init(_ id: AVCodecID) { self.init(rawValue: String(cString: avcodec_get_name(id))) }

    /// The container's code stands for a codec that FFmpeg does not know.
    init(_ parameters: AVCodecParameters) {
        let tag = StreamInfo.fourCharacterCode(parameters.codec_tag)
        let isKnown = parameters.codec_id != AV_CODEC_ID_NONE || tag.isEmpty
        self = isKnown ? Codec(parameters.codec_id) : Codec(rawValue: tag)
    }

    /// `nil` for one that FFmpeg does not know.
    var id: AVCodecID? { avcodec_descriptor_get_by_name(rawValue)?.pointee.id }
}

extension FieldOrder {
    init?(_ order: AVFieldOrder) {
        switch order {
        case AV_FIELD_PROGRESSIVE: self = .progressive
        case AV_FIELD_TT: self = .topFirst
        case AV_FIELD_BB: self = .bottomFirst
        case AV_FIELD_TB: self = .interleavedTopFirst
        case AV_FIELD_BT: self = .interleavedBottomFirst
        default: return nil
        }
    }
}

extension ColorInfo {
    init(
        primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace,
        range: AVColorRange, location: AVChromaLocation
    ) {
        func type<T: RawRepresentable<String>>(_ name: UnsafePointer<CChar>?) -> T? {
            name.flatMap { T(rawValue: String(cString: $0)) }
        }
        self.init(
            primaries: type(av_color_primaries_name(primaries)),
            transferFunction: type(av_color_transfer_name(transfer)), yCbCrMatrix: type(av_color_space_name(matrix)),
            range: type(av_color_range_name(range)), chromaLocation: type(av_chroma_location_name(location)))
    }

    /// FFmpeg's codes; unspecified where nothing is said.
    func tags() throws(FFmpegError) -> (
        primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace, range: AVColorRange,
        location: AVChromaLocation
    ) {
        func code(_ name: String?, _ what: String, _ find: (String) -> Int32) throws(FFmpegError) -> UInt32? {
            guard let name else { return nil }
            let code = find(name)
            guard code >= 0 else {
                throw FFmpegError(kind: .unsupported, operation: .encode, reason: "there is no \(what) \(name)")
            }
            return UInt32(code)
        }
        return (
            try code(primaries?.rawValue, "color primaries", { av_color_primaries_from_name($0) })
                .map { AVColorPrimaries(rawValue: $0) } ?? AVCOL_PRI_UNSPECIFIED,
            try code(transferFunction?.rawValue, "transfer function", { av_color_transfer_from_name($0) })
                .map { AVColorTransferCharacteristic(rawValue: $0) } ?? AVCOL_TRC_UNSPECIFIED,
            try code(yCbCrMatrix?.rawValue, "color matrix", { av_color_space_from_name($0) })
                .map { AVColorSpace(rawValue: $0) } ?? AVCOL_SPC_UNSPECIFIED,
            try code(range?.rawValue, "color range", { av_color_range_from_name($0) })
                .map { AVColorRange(rawValue: $0) } ?? AVCOL_RANGE_UNSPECIFIED,
            try code(chromaLocation?.rawValue, "chroma location", { av_chroma_location_from_name($0) })
                .map { AVChromaLocation(rawValue: $0) } ?? AVCHROMA_LOC_UNSPECIFIED
        )
    }
}
