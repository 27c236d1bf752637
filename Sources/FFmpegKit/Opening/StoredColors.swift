internal import CFFmpeg
internal import MediaContainers
internal import MediaCore

/// The colors that a container tells of a stream's pictures.
///
/// Decoders set what the coded pictures say in their place, and "unknown" where these say nothing. What is known is
/// put together again here: coded pictures come first, the container fills in.
struct StoredColors {
    private let primaries: AVColorPrimaries
    private let transfer: AVColorTransferCharacteristic
    private let matrix: AVColorSpace
    private let range: AVColorRange
    private let chromaLocation: AVChromaLocation
    private let codec: AVCodecID

    init(_ parameters: AVCodecParameters) {
        (primaries, transfer) = (parameters.color_primaries, parameters.color_trc)
        // Of samples that are none of RGB, zero says nothing.
        let isUnknown = parameters.codec_id == AV_CODEC_ID_PRORES && parameters.color_space == AVCOL_SPC_RGB
        (matrix, range) = (isUnknown ? AVCOL_SPC_UNSPECIFIED : parameters.color_space, parameters.color_range)
        chromaLocation = parameters.chroma_location
        codec = parameters.codec_id
    }

    /// Fills in what a decoder left open.
    func complete(_ parameters: inout AVCodecParameters) {
        complete(
            &parameters.color_primaries, &parameters.color_trc, &parameters.color_space, &parameters.color_range,
            &parameters.chroma_location)
    }

    /// Fills in what the coded picture does not say.
    func complete(_ frame: inout AVFrame) {
        complete(
            &frame.color_primaries, &frame.color_trc, &frame.colorspace, &frame.color_range, &frame.chroma_location)
    }

    private func complete(
        _ primaries: inout AVColorPrimaries, _ transfer: inout AVColorTransferCharacteristic,
        _ matrix: inout AVColorSpace, _ range: inout AVColorRange, _ chromaLocation: inout AVChromaLocation
    ) {
        // Zero is "unknown" in ProRes (SMPTE RDD 36), whose samples are never RGB.
        if codec == AV_CODEC_ID_PRORES, matrix == AVCOL_SPC_RGB { matrix = AVCOL_SPC_UNSPECIFIED }
        // Zero is BT.709 in VC-3, which has no code for BT.601 and is what encoders write that do not look.
        let isUnsaid = codec == AV_CODEC_ID_DNXHD && matrix == AVCOL_SPC_BT709
        if isUnsaid, ![AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_RGB].contains(self.matrix) { matrix = self.matrix }
        let saysNothing =
            primaries.isOpen && transfer.isOpen && matrix == AVCOL_SPC_UNSPECIFIED
        // Decoders of HEVC say video range where coded pictures say nothing.
        let isAssumed = codec == AV_CODEC_ID_HEVC && saysNothing && range == AVCOL_RANGE_MPEG
        if range == AVCOL_RANGE_UNSPECIFIED || isAssumed && self.range != AVCOL_RANGE_UNSPECIFIED { range = self.range }
        if primaries.isOpen { primaries = self.primaries }
        if transfer.isOpen || self.transfer == AVCOL_TRC_ARIB_STD_B67 && transfer.standsForHLG {
            transfer = self.transfer
        }
        if matrix == AVCOL_SPC_UNSPECIFIED { matrix = self.matrix }
        if chromaLocation == AVCHROMA_LOC_UNSPECIFIED { chromaLocation = self.chromaLocation }
    }
}

extension AVColorPrimaries {
    fileprivate var isOpen: Bool { self == AVCOL_PRI_UNSPECIFIED || self == AVCOL_PRI_RESERVED0 }
}

extension AVColorTransferCharacteristic {
    fileprivate var isOpen: Bool { self == AVCOL_TRC_UNSPECIFIED || self == AVCOL_TRC_RESERVED0 }

    /// Whether it is one that HLG is shown by where nobody knows HLG.
    fileprivate var standsForHLG: Bool {
        [AVCOL_TRC_BT2020_10, AVCOL_TRC_BT2020_12, AVCOL_TRC_BT709].contains(self)
    }
}

extension Demuxer {
    /// What the container says of the colors of each stream's pictures, before these are looked at.
    func storedColors() -> [Int: StoredColors] {
        var colors: [Int: StoredColors] = [:]
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let parameters = context.pointee.streams[index]?.pointee.codecpar.pointee,
                parameters.codec_type == AVMEDIA_TYPE_VIDEO
            else { continue }
            colors[index] = StoredColors(parameters)
        }
        return colors
    }

    /// Puts together what the container and the coded pictures say.
    ///
    /// - Returns: The streams of which the container tells colors that coded pictures do not.
    func completeColors(_ stored: [Int: StoredColors]) -> Set<Int> {
        var completed: Set<Int> = []
        for (index, colors) in stored {
            guard let parameters = context.pointee.streams[index]?.pointee.codecpar else { continue }
            let coded = ColorInfo(parameters.pointee)
            colors.complete(&parameters.pointee)
            let told = ColorInfo(parameters.pointee)
            if coded != told { completed.insert(index) }
            preferTransfer(index, parameters)
            completeLight(index, parameters.pointee)
        }
        return completed
    }

    /// Takes the curve that a message recommends in place of the one that older decoders are to see, as HLG is sent.
    ///
    /// Source: ITU-T H.265, D.3.38.
    private func preferTransfer(_ index: Int, _ parameters: UnsafeMutablePointer<AVCodecParameters>) {
        let told = parameters.pointee.color_trc
        guard parameters.pointee.color_primaries == AVCOL_PRI_BT2020, told.isOpen || told.standsForHLG else { return }
        guard let message = message(147, ofStream: index, parameters.pointee), let transfer = message.first,
            UInt32(transfer) == AVCOL_TRC_ARIB_STD_B67.rawValue
        else { return }
        parameters.pointee.color_trc = AVCOL_TRC_ARIB_STD_B67
    }

    /// Has the stream say what light its content has, where that stands in messages of the first picture only.
    private func completeLight(_ index: Int, _ parameters: AVCodecParameters) {
        guard [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67].contains(parameters.color_trc),
            let stream = context.pointee.streams[index]
        else { return }
        var told = HDRMetadata()
        if !hasSideData(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA) {
            told.masteringDisplay = message(137, ofStream: index, parameters).flatMap { .init(message: $0) }
        }
        if !hasSideData(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL) {
            told.contentLight = message(144, ofStream: index, parameters).flatMap { .init(message: $0) }
        }
        for piece in told.sideData {
            guard let room = oav_stream_new_side_data(stream, piece.kind.type, piece.bytes.count) else { continue }
            piece.bytes.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: room, count: $0.count).copyMemory(from: $0)
            }
        }
    }

    private func hasSideData(_ stream: UnsafePointer<AVStream>, _ type: AVPacketSideDataType) -> Bool {
        var size = 0
        return oav_stream_side_data(stream, type, &size) != nil
    }

    /// The payload of a message of H.264 or HEVC that stands in the stream's header or in its first packet.
    private func message(_ type: Int, ofStream index: Int, _ parameters: AVCodecParameters) -> [UInt8]? {
        let codec = Codec(parameters)
        guard codec.has(.hasNALUnits) else { return nil }
        let extradata = parameters.extradata.map {
            Array(UnsafeBufferPointer(start: $0, count: max(0, Int(parameters.extradata_size))))
        }
        if codec == .hevc {
            for unit in HEVCConfiguration.messageUnits(in: extradata ?? []) {
                if let message = unit.withUnsafeBytes({ NALUnits.message(type, in: $0) }) { return message }
            }
        }
        let units = NALUnits(codec: codec, extradata: extradata ?? [])
        return firstPacket(ofStream: index)?.withBytes { units.message(type, in: $0, isHEVC: codec == .hevc) }
    }
}

extension HDRMetadata.ContentLight {
    /// Source: ITU-T H.265, D.3.35.
    fileprivate init?(message: [UInt8]) {
        guard message.count >= 4 else { return nil }
        self.init(
            maximum: Int(message[0]) << 8 | Int(message[1]), maximumAverage: Int(message[2]) << 8 | Int(message[3]))
    }
}

extension HDRMetadata.MasteringDisplay {
    /// Source: ITU-T H.265, D.3.28: green, blue and red in units of 0.00002, luminance in those of 0.0001 cd/m².
    fileprivate init?(message: [UInt8]) {
        guard message.count >= 24 else { return nil }
        func point(_ place: Int) -> HDRMetadata.Chromaticity {
            func value(_ at: Int) -> Double { Double(Int(message[at]) << 8 | Int(message[at + 1])) / 50_000 }
            return .init(x: value(place), y: value(place + 2))
        }
        func luminance(_ place: Int) -> Double {
            Double(message[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) / 10_000
        }
        let points = (green: point(0), blue: point(4), red: point(8), white: point(12))
        guard [points.green, points.blue, points.red, points.white].allSatisfy({ $0.x <= 1 && $0.y <= 1 }),
            luminance(16) > 0
        else { return nil }
        self.init(
            red: points.red, green: points.green, blue: points.blue, white: points.white,
            minimumLuminance: luminance(20), maximumLuminance: luminance(16))
    }
}
