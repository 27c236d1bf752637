internal import CFFmpeg

/// Encodes one picture as a WebP or AVIF file in memory.
package struct PictureEncoder {
    /// A picture's samples: packed RGB or RGBA, of 8 bits, or of 16 in the machine's byte order.
    package struct Picture {
        var width: Int
        var height: Int
        var hasAlpha: Bool
        var bitsPerComponent: Int
        var pixels: [UInt8]
        /// Codes of ITU-T H.273.
        var primaries: UInt8
        var transfer: UInt8

        package init(
            width: Int, height: Int, hasAlpha: Bool, bitsPerComponent: Int, pixels: [UInt8], primaries: UInt8,
            transfer: UInt8
        ) {
            (self.width, self.height, self.hasAlpha) = (width, height, hasAlpha)
            (self.bitsPerComponent, self.pixels) = (bitsPerComponent, pixels)
            (self.primaries, self.transfer) = (primaries, transfer)
        }

        var format: AVPixelFormat {
            switch (bitsPerComponent, hasAlpha) {
            case (8, false): AV_PIX_FMT_RGB24
            case (8, true): AV_PIX_FMT_RGBA
            case (_, false): oav_pix_fmt_rgb48
            case (_, true): oav_pix_fmt_rgba64
            }
        }
    }

    /// A WebP file: its RIFF header and one image chunk, without a colour profile.
    ///
    /// - Parameter quality: From 1 to 100.
    package static func webP(_ picture: Picture, quality: Int) throws(FFmpegError) -> [UInt8] {
        let frame = try converted(picture, to: oav_pix_fmt_rgb32)
        let encoder = try StillEncoder(
            named: "libwebp", frame: frame, options: ["quality": String(quality), "compression_level": "3"])
        return try encoder.packet(of: frame).withBytes { Array($0) }
    }

    /// An AVIF file, of 10 bits for a picture of 16.
    ///
    /// - Parameter quality: From 1 to 100. From 90 on, chroma is kept at full
    ///   resolution.
    package static func avif(_ picture: Picture, quality: Int) throws(FFmpegError) -> [UInt8] {
        let isDeep = picture.bitsPerComponent > 8
        let format =
            switch (isDeep, quality >= 90) {
            case (false, false): AV_PIX_FMT_YUV420P
            case (false, true): AV_PIX_FMT_YUV444P
            case (true, false): oav_pix_fmt_yuv420p10
            case (true, true): oav_pix_fmt_yuv444p10
            }
        let options = [
            "usage": "allintra", "cpu-used": "7", "still-picture": "1", "row-mt": "1",
            "crf": String(max(0, 63 - quality * 63 / 100)),
        ]
        let color = try converted(picture, to: format)
        var encoders = [try StillEncoder(named: "libaom-av1", frame: color, options: options)]
        var packets = [try encoders[0].packet(of: color)]
        if picture.hasAlpha {
            let alpha = try alphaPlane(of: picture)
            encoders.append(try StillEncoder(named: "libaom-av1", frame: alpha, options: options))
            packets.append(try encoders[1].packet(of: alpha))
        }
        return try StillMuxer(format: "avif", encoders: encoders).file(of: packets)
    }

    private static func converted(_ picture: Picture, to format: AVPixelFormat) throws(FFmpegError) -> Frame {
        let frame = try Frame.allocate(width: picture.width, height: picture.height, format: format)
        let isRGB = frame.hasFormatFlag(AV_PIX_FMT_FLAG_RGB)
        let isWide = picture.primaries == 9
        frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        frame.pointer.pointee.color_primaries = AVColorPrimaries(rawValue: UInt32(picture.primaries))
        frame.pointer.pointee.color_trc = AVColorTransferCharacteristic(rawValue: UInt32(picture.transfer))
        frame.pointer.pointee.colorspace = isRGB ? AVCOL_SPC_RGB : isWide ? AVCOL_SPC_BT2020_NCL : AVCOL_SPC_BT709
        let (width, height) = (Int32(picture.width), Int32(picture.height))
        let scaler = try Scaler(
            from: .init(width: width, height: height, format: picture.format),
            to: .init(width: width, height: height, format: format), care: .roundingAndChroma,
            colors: (isWide ? SWS_CS_BT2020 : SWS_CS_ITU709, true, true))
        let rowBytes = picture.width * (picture.hasAlpha ? 4 : 3) * picture.bitsPerComponent / 8
        let rows = picture.pixels.withUnsafeBufferPointer { pixels in
            scaler.scale(
                [pixels.baseAddress, nil, nil, nil], strides: [Int32(rowBytes), 0, 0, 0], height: height,
                to: (0..<4).map { frame.pointer.pointee.dataPlane($0) },
                strides: (0..<4).map { Int32(frame.pointer.pointee.stride(ofPlane: $0)) })
        }
        guard rows == picture.height else { throw failure("the picture cannot be converted for the encoder") }
        return frame
    }

    /// The alpha component as a grey picture, as deep as the colours: readers refuse files where it is not.
    private static func alphaPlane(of picture: Picture) throws(FFmpegError) -> Frame {
        let isDeep = picture.bitsPerComponent > 8
        let frame = try Frame.allocate(
            width: picture.width, height: picture.height, format: isDeep ? oav_pix_fmt_gray10 : AV_PIX_FMT_GRAY8)
        frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        guard let plane = frame.pointer.pointee.dataPlane(0) else { throw failure("not enough memory") }
        let stride = frame.pointer.pointee.stride(ofPlane: 0)
        picture.pixels.withUnsafeBytes { pixels in
            for row in 0..<picture.height {
                let target = UnsafeMutableRawPointer(plane + row * stride)
                for column in 0..<picture.width {
                    let sample = (row * picture.width + column) * 4 + 3
                    if isDeep {
                        let alpha = UInt32(pixels.loadUnaligned(fromByteOffset: 2 * sample, as: UInt16.self))
                        let code = UInt16((alpha * 1023 + 32767) / 65535)
                        target.storeBytes(of: code, toByteOffset: 2 * column, as: UInt16.self)
                    } else {
                        target.storeBytes(of: pixels[sample], toByteOffset: column, as: UInt8.self)
                    }
                }
            }
        }
        return frame
    }

    static func failure(_ reason: String) -> FFmpegError {
        FFmpegError(kind: .other, operation: .encode, reason: reason)
    }
}

/// One encoder for one picture.
private final class StillEncoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let log = LogCapture()

    init(named name: String, frame: Frame, options: [String: String]) throws(FFmpegError) {
        guard let codec = avcodec_find_encoder_by_name(name), let context = avcodec_alloc_context3(codec) else {
            throw FFmpegError(kind: .unsupported, operation: .encode, reason: "this FFmpeg has no encoder \(name)")
        }
        self.context = context
        let picture = frame.pointer.pointee
        context.pointee.width = picture.width
        context.pointee.height = picture.height
        context.pointee.pix_fmt = AVPixelFormat(rawValue: picture.format)
        context.pointee.time_base = AVRational(num: 1, den: 1)
        context.pointee.color_range = picture.color_range
        context.pointee.color_primaries = picture.color_primaries
        context.pointee.color_trc = picture.color_trc
        context.pointee.colorspace = picture.colorspace
        context.pointee.thread_count = 1
        context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        for (key, value) in options {
            av_opt_set(UnsafeMutableRawPointer(context), key, value, AV_OPT_SEARCH_CHILDREN)
        }
        try log.check(.encode) { avcodec_open2(context, codec, nil) }
    }

    deinit {
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&owned)
    }

    func packet(of frame: Frame) throws(FFmpegError) -> Packet {
        frame.pointer.pointee.pts = 0
        let packet = Packet()
        try log.check(.encode) {
            let sent = avcodec_send_frame(context, frame.pointer)
            guard sent >= 0 else { return sent }
            _ = avcodec_send_frame(context, nil)
            return avcodec_receive_packet(context, packet.pointer)
        }
        return packet
    }
}

/// Puts encoded pictures into a file in memory.
private final class StillMuxer {
    private var context: UnsafeMutablePointer<AVFormatContext>?

    init(format: String, encoders: [StillEncoder]) throws(FFmpegError) {
        guard avformat_alloc_output_context2(&context, nil, format, nil) >= 0, let context else {
            throw FFmpegError(kind: .unsupported, operation: .encode, reason: "this FFmpeg cannot write \(format)")
        }
        for encoder in encoders {
            guard let stream = avformat_new_stream(context, nil),
                avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context) >= 0
            else { throw PictureEncoder.failure("not enough memory") }
            stream.pointee.time_base = AVRational(num: 1, den: 1)
        }
    }

    deinit {
        if let context, context.pointee.pb != nil {
            var rest: UnsafeMutablePointer<UInt8>?
            avio_close_dyn_buf(context.pointee.pb, &rest)
            av_free(rest)
        }
        avformat_free_context(context)
    }

    func file(of packets: [Packet]) throws(FFmpegError) -> [UInt8] {
        guard let context else { return [] }
        let log = LogCapture()
        try log.check(.encode) {
            var code = avio_open_dyn_buf(&context.pointee.pb)
            if code >= 0 { code = avformat_write_header(context, nil) }
            for (index, packet) in packets.enumerated() where code >= 0 {
                packet.pointer.pointee.stream_index = Int32(index)
                code = av_write_frame(context, packet.pointer)
            }
            return code >= 0 ? av_write_trailer(context) : code
        }
        var bytes: UnsafeMutablePointer<UInt8>?
        let size = avio_close_dyn_buf(context.pointee.pb, &bytes)
        context.pointee.pb = nil
        defer { av_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
    }
}

extension Frame {
    /// A frame with memory for its samples.
    static func allocate(width: Int, height: Int, format: AVPixelFormat) throws(FFmpegError) -> Frame {
        let frame = Frame()
        frame.pointer.pointee.width = Int32(clamping: width)
        frame.pointer.pointee.height = Int32(clamping: height)
        frame.pointer.pointee.format = format.rawValue
        guard av_frame_get_buffer(frame.pointer, 0) >= 0 else {
            throw FFmpegError(kind: .limit, operation: .encode, reason: "not enough memory")
        }
        return frame
    }
}
