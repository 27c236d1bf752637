internal import CFFmpeg

/// Scales and converts pictures of one size and format to another, by libswscale.
///
/// The one owner of its context. Used by one thread at a time.
final class Scaler {
    /// A picture on one side of it.
    struct Side {
        var width: Int32, height: Int32
        var format: AVPixelFormat
    }

    /// How exactly it calculates, beyond the filter, which averages where pictures get smaller and else is cubic.
    enum Care {
        /// Rounds as it should.
        case rounding
        /// Takes all chroma samples into account besides.
        case roundingAndChroma
    }

    private let context: OpaquePointer

    /// - Parameters:
    ///   - chroma: Where the source's chroma samples lie.
    ///   - targetChroma: Where the target's lie.
    ///   - colors: The matrix of both sides, one of `SWS_CS_…`, and whether their ranges are full.
    /// - Throws: ``FFmpegError`` when memory lacks or the formats cannot be converted.
    init(
        from source: Side, to target: Side, care: Care, chroma: ChromaPosition? = nil,
        targetChroma: ChromaPosition? = nil,
        colors: (matrix: Int32, isSourceFull: Bool, isTargetFull: Bool)? = nil
    ) throws(FFmpegError) {
        guard let context = oav_scaler_alloc() else {
            throw FFmpegError(kind: .limit, operation: .render, reason: "not enough memory")
        }
        self.context = context
        let isReduced = target.width < source.width || target.height < source.height
        var flags = (isReduced ? oav_scaler_area : oav_scaler_bicubic) | oav_scaler_accurate_rounding
        if care == .roundingAndChroma { flags |= oav_scaler_full_chroma_output | oav_scaler_full_chroma_input }
        var options = [
            ("srcw", source.width), ("srch", source.height), ("src_format", source.format.rawValue),
            ("dstw", target.width), ("dsth", target.height), ("dst_format", target.format.rawValue),
            ("sws_flags", flags),
        ]
        if let chroma { options += [("src_h_chr_pos", chroma.horizontal), ("src_v_chr_pos", chroma.vertical)] }
        if let targetChroma {
            options += [("dst_h_chr_pos", targetChroma.horizontal), ("dst_v_chr_pos", targetChroma.vertical)]
        }
        for (option, value) in options {
            av_opt_set_int(UnsafeMutableRawPointer(context), option, Int64(value), 0)
        }
        if let colors {
            oav_scaler_set_colors(context, colors.matrix, colors.isSourceFull ? 1 : 0, colors.isTargetFull ? 1 : 0)
        }
        guard oav_scaler_init(context) >= 0 else {
            throw FFmpegError(kind: .other, operation: .render, reason: "this pixel format cannot be converted")
        }
    }

    deinit { oav_scaler_free(context) }

    /// Scales a whole picture.
    ///
    /// - Parameters:
    ///   - planes: Four starts of planes, as many of them `nil` as there are too few; `strides` are their rows' bytes.
    /// - Returns: The rows written: those of the target when all went well.
    func scale(
        _ planes: [UnsafePointer<UInt8>?], strides: [Int32], height: Int32,
        to target: [UnsafeMutablePointer<UInt8>?], strides targetStrides: [Int32]
    ) -> Int {
        Int(oav_scaler_scale(context, planes, strides, height, target, targetStrides))
    }
}

/// Scales packed pictures that are RGB already, each component by itself.
package enum PlaneScaler {
    /// Packed samples of another size: 3 or 4 components of 8 bits, or of 16 in the machine's byte order.
    ///
    /// Averages where the picture is made smaller, else cubic.
    package static func scaled(
        _ pixels: [UInt8], from size: (width: Int, height: Int), to target: (width: Int, height: Int), components: Int,
        bytesPerComponent: Int
    ) throws(FFmpegError) -> [UInt8] {
        guard let format = format(components: components, bytesPerComponent: bytesPerComponent) else {
            throw FFmpegError(kind: .other, operation: .render, reason: "the picture cannot be scaled")
        }
        let source = try Frame.allocate(width: size.width, height: size.height, format: format)
        let result = try Frame.allocate(width: target.width, height: target.height, format: format)
        let layout = Layout(components: components, bytes: bytesPerComponent)
        layout.spread(pixels, over: source)
        // Taken for YCbCr without subsampling, planes are scaled as they are; RGB would take a way through a matrix.
        let scaler = try Scaler(
            from: .init(width: Int32(size.width), height: Int32(size.height), format: format),
            to: .init(width: Int32(target.width), height: Int32(target.height), format: format), care: .rounding)
        let (input, output) = (source.pointer.pointee, result.pointer.pointee)
        let rows = scaler.scale(
            (0..<4).map { input.dataPlane($0).map { UnsafePointer($0) } },
            strides: (0..<4).map { Int32(input.stride(ofPlane: $0)) }, height: input.height,
            to: (0..<4).map { output.dataPlane($0) }, strides: (0..<4).map { Int32(output.stride(ofPlane: $0)) })
        guard rows == target.height else {
            throw FFmpegError(kind: .other, operation: .render, reason: "the picture cannot be scaled")
        }
        return layout.packed(result)
    }

    private static func format(components: Int, bytesPerComponent: Int) -> AVPixelFormat? {
        switch (components, bytesPerComponent) {
        case (3, 1): AV_PIX_FMT_YUV444P
        case (4, 1): AV_PIX_FMT_YUVA444P
        case (3, 2): oav_pix_fmt_yuv444p16
        case (4, 2): oav_pix_fmt_yuva444p16
        default: nil
        }
    }

    /// Packed components on one side, a plane for each on the other.
    private struct Layout {
        let components: Int
        let bytes: Int

        func spread(_ pixels: [UInt8], over frame: Frame) {
            pixels.withUnsafeBufferPointer { pixels in
                eachSample(of: frame) { plane, packed in
                    for byte in 0..<bytes { plane[byte] = pixels[packed + byte] }
                }
            }
        }

        func packed(_ frame: Frame) -> [UInt8] {
            let total = frame.width * frame.height * components * bytes
            return [UInt8](unsafeUninitializedCapacity: total) { pixels, count in
                eachSample(of: frame) { plane, packed in
                    for byte in 0..<bytes { pixels[packed + byte] = plane[byte] }
                }
                count = total
            }
        }

        @inline(__always)
        private func eachSample(of frame: Frame, _ body: (UnsafeMutablePointer<UInt8>, Int) -> Void) {
            let (width, height, step) = (frame.width, frame.height, components * bytes)
            for component in 0..<components {
                guard var row = frame.pointer.pointee.dataPlane(component) else { continue }
                let stride = frame.pointer.pointee.stride(ofPlane: component)
                var packed = component * bytes
                for _ in 0..<height {
                    for column in 0..<width {
                        body(row + column * bytes, packed)
                        packed += step
                    }
                    row += stride
                }
            }
        }
    }
}
