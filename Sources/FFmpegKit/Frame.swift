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
    package var isKey: Bool { oav_frame_is_key(pointer) != 0 }
    /// Outside the edit list; most decoders keep such frames back themselves.
    package var isDiscarded: Bool { pointer.pointee.flags & AV_FRAME_FLAG_DISCARD != 0 }
    package var isInterlaced: Bool { oav_frame_is_interlaced(pointer) != 0 }
    /// What the decoder itself says is wrong with the picture, if anything.
    package var damage: String? {
        if pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 { return "the decoder marked the picture as corrupt" }
        let errors = pointer.pointee.decode_error_flags
        if errors & FF_DECODE_ERROR_MISSING_REFERENCE != 0 { return "a picture it refers to is missing" }
        return errors != 0 ? "parts of the picture could not be decoded" : nil
    }
    package var sampleAspectRatio: Ratio? { Ratio(positive: pointer.pointee.sample_aspect_ratio) }
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
