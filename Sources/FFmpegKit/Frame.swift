internal import CFFmpeg
package import MediaCore

/// One decoded picture, owned; immutable once a decoder handed it out.
///
/// `@unchecked Sendable`: its data are reference-counted and nobody writes to
/// them after the decoder returned the frame.
package final class Frame: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() {
        guard let pointer = av_frame_alloc() else { preconditionFailure("out of memory for a frame") }
        self.pointer = pointer
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    package var width: Int { Int(pointer.pointee.width) }
    package var height: Int { Int(pointer.pointee.height) }
    /// When it is shown, by FFmpeg's best knowledge: the container's
    /// presentation time, or the decode time where it has none.
    package var presentationTicks: Int64? { StreamInfo.optional(pointer.pointee.best_effort_timestamp) }
    package var durationTicks: Int64? {
        let duration = oav_frame_duration(pointer)
        return duration > 0 ? duration : nil
    }
    /// The number of the packet that it was made from.
    package var packetNumber: Int64 { oav_frame_label(pointer) }
    var isKey: Bool { oav_frame_is_key(pointer) != 0 }
    package var isInterlaced: Bool { oav_frame_is_interlaced(pointer) != 0 }
    /// What the decoder itself says is wrong with the picture, if anything.
    package var damage: String? {
        if pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 { return "the decoder marked the picture as corrupt" }
        let errors = pointer.pointee.decode_error_flags
        if errors & FF_DECODE_ERROR_MISSING_REFERENCE != 0 { return "a picture it refers to is missing" }
        return errors != 0 ? "parts of the picture could not be decoded" : nil
    }
    package var sampleAspectRatio: Ratio? { Ratio(positive: pointer.pointee.sample_aspect_ratio) }
    /// The shape of a pixel, where it is another one than that of the stream's first frames.
    package internal(set) var changedAspectRatio: Ratio?
    package var color: ColorInfo {
        ColorInfo(
            primaries: pointer.pointee.color_primaries, transfer: pointer.pointee.color_trc,
            matrix: pointer.pointee.colorspace, range: pointer.pointee.color_range,
            location: pointer.pointee.chroma_location)
    }
    package var hasAlpha: Bool {
        av_pix_fmt_desc_get(AVPixelFormat(rawValue: pointer.pointee.format))
            .map { $0.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 } ?? false
    }
    package var pixelFormat: String {
        av_get_pix_fmt_name(AVPixelFormat(rawValue: pointer.pointee.format)).map { String(cString: $0) } ?? "unknown"
    }

    /// A 64-bit digest of the visible pixels, their format and size.
    ///
    /// Two frames with equal digests hold the same samples; padding outside the
    /// picture does not count. Not meant to resist an adversary.
    package var contentDigest: UInt64 {
        var digest = Digest()
        let format = AVPixelFormat(rawValue: pointer.pointee.format)
        digest.mix(UInt64(UInt32(bitPattern: pointer.pointee.format)))
        digest.mix(UInt64(width) << 32 | UInt64(height))
        guard let descriptor = av_pix_fmt_desc_get(format) else { return digest.value }
        for plane in 0..<max(0, Int(av_pix_fmt_count_planes(format))) {
            guard let data = pointer.pointee.dataPlane(plane) else { continue }
            let bytes = Int(av_image_get_linesize(format, pointer.pointee.width, Int32(plane)))
            let shift = plane == 1 || plane == 2 ? Int32(descriptor.pointee.log2_chroma_h) : 0
            let rows = -((-pointer.pointee.height) >> shift)
            let stride = pointer.pointee.stride(ofPlane: plane)
            for row in 0..<Int(rows) {
                digest.mix(UnsafeRawBufferPointer(start: data + row * stride, count: max(0, bytes)))
            }
        }
        if descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0, let palette = pointer.pointee.dataPlane(1) {
            digest.mix(UnsafeRawBufferPointer(start: palette, count: 1024))
        }
        return digest.value
    }
}

extension AVFrame {
    func dataPlane(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
        withUnsafeBytes(of: data) { $0.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)[index] }
    }

    func stride(ofPlane index: Int) -> Int {
        withUnsafeBytes(of: linesize) { Int($0.assumingMemoryBound(to: Int32.self)[index]) }
    }
}

/// A multiply-and-fold hash over 64-bit words.
private struct Digest {
    private(set) var value: UInt64 = 0x9e37_79b9_7f4a_7c15

    mutating func mix(_ word: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
        value = (product.high ^ product.low) &+ 0x9e37_79b9_7f4a_7c15
    }

    mutating func mix(_ bytes: UnsafeRawBufferPointer) {
        let words = bytes.count / 8
        for index in 0..<words { mix(bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)) }
        var rest: UInt64 = 0
        for index in (words * 8)..<bytes.count { rest = rest << 8 | UInt64(bytes[index]) }
        mix(rest ^ UInt64(bytes.count) << 56)
    }
}

/// Frames that no decoder made.
extension Frame {
    /// A black picture in video range, without a time.
    ///
    /// - Parameter pixelFormat: FFmpeg's name of the layout of samples.
    package static func black(width: Int, height: Int, pixelFormat: String) throws(FFmpegError) -> Frame {
        let format = av_get_pix_fmt(pixelFormat)
        let frame = try allocate(width: width, height: height, format: format)
        let lengths = withUnsafeBytes(of: frame.pointer.pointee.linesize) { lines in
            lines.assumingMemoryBound(to: Int32.self).prefix(4).map { Int($0) }
        }
        let code = withUnsafeMutableBytes(of: &frame.pointer.pointee.data) { planes in
            av_image_fill_black(
                planes.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self).baseAddress, lengths, format,
                AVCOL_RANGE_MPEG, Int32(clamping: width), Int32(clamping: height))
        }
        guard code >= 0 else {
            throw FFmpegError(
                kind: .other, operation: .filter, reason: "a black picture of \(pixelFormat) cannot be made")
        }
        return frame
    }

    /// A frame of packed red, green and blue samples of 16 bits, without a time.
    ///
    /// - Parameter sample: The red, green and blue of the pixel of a column and a row.
    package static func packedRGB(
        width: Int, height: Int, _ sample: (_ column: Int, _ row: Int) -> SIMD3<UInt16>
    ) throws(FFmpegError) -> Frame {
        let frame = try allocate(width: width, height: height, format: AV_PIX_FMT_RGB48LE)
        guard let plane = frame.pointer.pointee.data.0 else {
            throw FFmpegError(kind: .limit, operation: .filter, reason: "not enough memory")
        }
        let (samples, stride) = (UnsafeMutableRawPointer(plane), Int(frame.pointer.pointee.linesize.0))
        for row in 0..<height {
            for column in 0..<width {
                let color = sample(column, row)
                for component in 0..<3 {
                    samples.storeBytes(
                        of: color[component].littleEndian, toByteOffset: row * stride + 6 * column + 2 * component,
                        as: UInt16.self)
                }
            }
        }
        return frame
    }

    /// Silence, without a time.
    package static func silence(samples count: Int, like format: FrameFormat.AudioFormat) throws(FFmpegError) -> Frame {
        let frame = Frame()
        frame.pointer.pointee.format = av_get_sample_fmt(format.sampleFormat).rawValue
        frame.pointer.pointee.sample_rate = Int32(clamping: format.sampleRate)
        frame.pointer.pointee.nb_samples = Int32(clamping: count)
        guard av_channel_layout_from_string(&frame.pointer.pointee.ch_layout, format.channelLayout) >= 0,
            av_frame_get_buffer(frame.pointer, 0) >= 0
        else {
            throw FFmpegError(kind: .limit, operation: .filter, reason: "not enough memory")
        }
        return try frame.silence(samples: count)
    }

    /// The sum of this frame of sound and another one as long, both of planes of 32-bit floating-point samples.
    package func adding(_ other: Frame) throws(FFmpegError) -> Frame {
        let sum = try silence(samples: sampleCount)
        let (count, channels) = (sampleCount, min(channels, other.channels))
        guard sampleFormat == "fltp", other.sampleFormat == "fltp", other.sampleCount == count,
            let mine = pointer.pointee.extended_data, let theirs = other.pointer.pointee.extended_data,
            let sums = sum.pointer.pointee.extended_data
        else { throw FFmpegError(kind: .other, operation: .filter, reason: "sounds of two kinds cannot be added") }
        for channel in 0..<channels {
            guard let first = mine[channel], let second = theirs[channel], let result = sums[channel] else { continue }
            first.withMemoryRebound(to: Float.self, capacity: count) { first in
                second.withMemoryRebound(to: Float.self, capacity: count) { second in
                    result.withMemoryRebound(to: Float.self, capacity: count) { result in
                        for index in 0..<count { result[index] = first[index] + second[index] }
                    }
                }
            }
        }
        return sum
    }
}

extension Frame {
    /// The samples of this frame of sound and then those of another one of the same format.
    package func followed(by other: Frame) throws(FFmpegError) -> Frame {
        let joined = try silence(samples: sampleCount + other.sampleCount)
        let format = AVSampleFormat(rawValue: pointer.pointee.format)
        let channels = pointer.pointee.ch_layout.nb_channels
        let first = av_samples_copy(
            joined.pointer.pointee.extended_data, pointer.pointee.extended_data, 0, 0, Int32(clamping: sampleCount),
            channels, format)
        let second = av_samples_copy(
            joined.pointer.pointee.extended_data, other.pointer.pointee.extended_data, Int32(clamping: sampleCount), 0,
            Int32(clamping: other.sampleCount), channels, format)
        guard first >= 0, second >= 0, other.pointer.pointee.format == pointer.pointee.format else {
            throw FFmpegError(kind: .other, operation: .filter, reason: "the samples cannot be copied")
        }
        return joined
    }
}

/// Frames that are filled from memory of somebody else.
extension Frame {
    /// A picture, without a time.
    ///
    /// - Parameters:
    ///   - pixelFormat: FFmpeg's name of the layout of samples.
    ///   - sampleAspectRatio: Width to height of a pixel; `nil` for unknown.
    ///   - fill: Given the planes to fill, whose rows have room for more than the picture's samples.
    package static func picture(
        width: Int, height: Int, pixelFormat: String, color: ColorInfo, sampleAspectRatio: Ratio?,
        fill: ([PlaneConverter.Plane]) -> Void
    ) throws(FFmpegError) -> Frame {
        let frame = try allocate(width: width, height: height, format: av_get_pix_fmt(pixelFormat))
        let tags = try color.tags()
        frame.pointer.pointee.color_primaries = tags.primaries
        frame.pointer.pointee.color_trc = tags.transfer
        frame.pointer.pointee.colorspace = tags.matrix
        frame.pointer.pointee.color_range = tags.range
        frame.pointer.pointee.chroma_location = tags.location
        frame.pointer.pointee.sample_aspect_ratio = AVRational(sampleAspectRatio ?? Ratio(1, 1))
        fill((0..<4).compactMap { frame.plane($0) })
        return frame
    }

    /// Sound, without a time.
    ///
    /// - Parameter fill: Given the planes to fill: one for each channel where samples lie apart, one plane otherwise.
    package static func sound(
        samples count: Int, like format: FrameFormat.AudioFormat, fill: ([UnsafeMutableRawBufferPointer]) -> Void
    ) throws(FFmpegError) -> Frame {
        let frame = try silence(samples: count, like: format)
        frame.withSamples { planes in fill(planes.map { UnsafeMutableRawBufferPointer(mutating: $0) }) }
        return frame
    }
}

/// Pictures of red, green, blue and alpha of 16 bits, as they are drawn with.
extension Frame {
    /// FFmpeg's name of the layout of samples.
    static let componentFormat = "rgba64le"

    /// A picture of components without a time.
    ///
    /// - Parameter components: Four for each pixel, row by row, not multiplied by alpha.
    package static func picture(
        width: Int, height: Int, components: borrowing [UInt16]
    ) throws(FFmpegError) -> Frame {
        let frame = try allocate(width: width, height: height, format: AV_PIX_FMT_RGBA64LE)
        frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        guard let plane = frame.pointer.pointee.dataPlane(0), components.count >= 4 * width * height else {
            throw FFmpegError(kind: .other, operation: .filter, reason: "the picture has too few pixels")
        }
        let stride = frame.pointer.pointee.stride(ofPlane: 0)
        components.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            for row in 0..<height {
                UnsafeMutableRawPointer(plane + row * stride)
                    .copyMemory(from: base + row * 8 * width, byteCount: 8 * width)
            }
        }
        return frame
    }

    /// The components of a picture of ``componentFormat``, row by row without gaps.
    package func components() throws(FFmpegError) -> [UInt16] {
        guard pixelFormat == Self.componentFormat, let plane = pointer.pointee.dataPlane(0) else {
            throw FFmpegError(
                kind: .other, operation: .filter, reason: "the filters give \(pixelFormat), not \(Self.componentFormat)"
            )
        }
        let (width, height) = (width, height)
        let stride = pointer.pointee.stride(ofPlane: 0)
        return [UInt16](unsafeUninitializedCapacity: 4 * width * height) { target, count in
            guard let base = target.baseAddress else { return }
            for row in 0..<height {
                UnsafeMutableRawPointer(base + row * 4 * width)
                    .copyMemory(from: plane + row * stride, byteCount: 8 * width)
            }
            count = 4 * width * height
        }
    }
}

extension Frame {
    /// All planes one after the other, without anything between rows.
    package func packedBytes() throws(FFmpegError) -> [UInt8] {
        let format = AVPixelFormat(rawValue: pointer.pointee.format)
        let size = av_image_get_buffer_size(format, pointer.pointee.width, pointer.pointee.height, 1)
        guard size > 0 else {
            throw FFmpegError(kind: .other, operation: .render, reason: "pictures of \(pixelFormat) cannot be packed")
        }
        let planes = (0..<4).map { pointer.pointee.dataPlane($0).map { UnsafePointer($0) } }
        let strides = (0..<4).map { Int32(pointer.pointee.stride(ofPlane: $0)) }
        let (width, height) = (pointer.pointee.width, pointer.pointee.height)
        return [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            let written = av_image_copy_to_buffer(
                buffer.baseAddress, size, planes, strides, format, width, height, 1)
            count = Int(max(0, written))
        }
    }
}
