internal import CFFmpeg
package import MediaCore

/// What an encoder of this FFmpeg can take; an empty list means anything.
package struct EncoderCapabilities: Sendable, Equatable {
    /// What comes out.
    package var codec: Codec
    package var kind: StreamInfo.Kind
    package var pixelFormats: [String]
    package var sampleFormats: [String]
    package var sampleRates: [Int]
    package var channelLayouts: [String]

    /// - Returns: `nil` if there is no such encoder.
    package init?(ofEncoder name: String) {
        guard let codec = avcodec_find_encoder_by_name(name) else { return nil }
        self.codec = Codec(codec.pointee.id)
        kind = StreamInfo.Kind(codec.pointee.type)
        pixelFormats = Self.list { oav_codec_pixel_format(codec, $0) }.compactMap {
            av_get_pix_fmt_name(AVPixelFormat(rawValue: $0)).map { String(cString: $0) }
        }
        sampleFormats = Self.list { oav_codec_sample_format(codec, $0) }.compactMap {
            av_get_sample_fmt_name(AVSampleFormat(rawValue: $0)).map { String(cString: $0) }
        }
        sampleRates = Self.list { oav_codec_sample_rate(codec, $0) }.map { Int($0) }
        channelLayouts = []
        var index: Int32 = 0
        while let layout = oav_codec_channel_layout(codec, index) {
            channelLayouts.append(ChannelLayout.name(of: layout))
            index += 1
        }
    }

    private static func list(_ element: (Int32) -> Int32) -> [Int32] {
        var result: [Int32] = []
        while true {
            let value = element(Int32(result.count))
            guard value >= 0 else { return result }
            result.append(value)
        }
    }

    /// The pixel format among those it takes that loses least of another one.
    package func pixelFormat(closestTo name: String) -> String? {
        let source = av_get_pix_fmt(name)
        guard source != AV_PIX_FMT_NONE, !pixelFormats.isEmpty else { return pixelFormats.isEmpty ? name : nil }
        if pixelFormats.contains(name) { return name }
        let hasAlpha: Int32 =
            av_pix_fmt_desc_get(source).map {
                $0.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 ? 1 : 0
            } ?? 0
        let formats = pixelFormats.map { av_get_pix_fmt($0) }
        let best = formats.dropFirst().reduce(formats[0]) { best, next in
            av_find_best_pix_fmt_of_2(best, next, source, hasAlpha, nil)
        }
        return av_get_pix_fmt_name(best).map { String(cString: $0) }
    }
}

enum ChannelLayout {
    static func name(of layout: UnsafePointer<AVChannelLayout>) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, av_channel_layout_describe(layout, base, buffer.count) > 0 else {
                return "unknown"
            }
            return String(cString: base)
        }
    }
}
