internal import CLibAV

/// Turns decoded frames into packed RGB of a wanted size.
///
/// Keeps its scaler while frames are alike. The stream's own matrix and range
/// are used; where it does not say, BT.601 below 720 lines and BT.709 from
/// there on, limited range.
package final class PixelConverter {
    /// A part of the frame in whole pixels.
    package struct Crop: Equatable, Sendable {
        package var left: Int, top: Int, right: Int, bottom: Int
        package init(left: Int, top: Int, right: Int, bottom: Int) {
            (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
        }
        package var isEmpty: Bool { left == 0 && top == 0 && right == 0 && bottom == 0 }
    }

    private struct Key: Equatable {
        var width: Int32, height: Int32, format: Int32, matrix: Int32, isFull: Bool
        var outWidth: Int32, outHeight: Int32, hasAlpha: Bool
    }

    private var context: OpaquePointer?
    private var key: Key?

    package init() {}

    deinit { sws_freeContext(context) }

    /// Packed pixels, three or four bytes each, rows without padding.
    package func convert(
        _ frame: Frame, crop: Crop, width: Int, height: Int, keepsAlpha: Bool
    ) throws(FFmpegError) -> [UInt8] {
        let source = try crop.isEmpty ? frame : cropped(frame, to: crop)
        let wanted = Self.key(for: source.pointer.pointee, width: width, height: height, keepsAlpha: keepsAlpha)
        if wanted != key { try prepare(wanted) }
        let bytesPerPixel = keepsAlpha ? 4 : 3
        let (rowBytes, overflow) = width.multipliedReportingOverflow(by: bytesPerPixel)
        guard !overflow else { throw Self.failure("the picture is too large") }
        // swscale's vector code may write past the last pixel of a row.
        var pixels = [UInt8](repeating: 0, count: rowBytes * height + 64)
        let rows = pixels.withUnsafeMutableBufferPointer { buffer -> Int32 in
            var planes: [UnsafeMutablePointer<UInt8>?] = [buffer.baseAddress, nil, nil, nil]
            var strides: [Int32] = [Int32(rowBytes), 0, 0, 0]
            let input = (0..<4).map { source.pointer.pointee.dataPlane($0).map { UnsafePointer($0) } }
            var inputStrides = (0..<4).map { Int32(source.pointer.pointee.stride(ofPlane: $0)) }
            return sws_scale(context, input, &inputStrides, 0, source.pointer.pointee.height, &planes, &strides)
        }
        guard rows == Int32(height) else { throw Self.failure("converting the picture to RGB failed") }
        pixels.removeLast(64)
        return pixels
    }

    private func cropped(_ frame: Frame, to crop: Crop) throws(FFmpegError) -> Frame {
        let copy = Frame()
        guard av_frame_ref(copy.pointer, frame.pointer) >= 0 else { throw Self.failure("not enough memory") }
        copy.pointer.pointee.crop_left = crop.left
        copy.pointer.pointee.crop_top = crop.top
        copy.pointer.pointee.crop_right = crop.right
        copy.pointer.pointee.crop_bottom = crop.bottom
        guard av_frame_apply_cropping(copy.pointer, Int32(AV_FRAME_CROP_UNALIGNED)) >= 0 else {
            throw Self.failure("the clean aperture lies outside the picture")
        }
        return copy
    }

    private static func key(for frame: AVFrame, width: Int, height: Int, keepsAlpha: Bool) -> Key {
        let (format, isFullFormat) = planarEquivalent(of: AVPixelFormat(rawValue: frame.format))
        let isRGB = av_pix_fmt_desc_get(format).map { $0.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 } ?? false
        return Key(
            width: frame.width, height: frame.height, format: format.rawValue,
            matrix: coefficients(for: frame.colorspace, height: frame.height),
            isFull: isRGB || isFullFormat || frame.color_range == AVCOL_RANGE_JPEG,
            outWidth: Int32(width), outHeight: Int32(height), hasAlpha: keepsAlpha)
    }

    private func prepare(_ wanted: Key) throws(FFmpegError) {
        sws_freeContext(context)
        context = nil
        key = nil
        let isReduced = wanted.outWidth < wanted.width || wanted.outHeight < wanted.height
        let filter = isReduced ? SWS_AREA : SWS_BICUBIC
        let flags = filter | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
        context = sws_getContext(
            wanted.width, wanted.height, AVPixelFormat(rawValue: wanted.format), wanted.outWidth, wanted.outHeight,
            wanted.hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24, flags, nil, nil, nil)
        guard let context else { throw Self.failure("this pixel format cannot be converted to RGB") }
        // Gives -1 for RGB sources, which have no matrix to set.
        _ = sws_setColorspaceDetails(
            context, sws_getCoefficients(wanted.matrix), wanted.isFull ? 1 : 0,
            sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16)
        key = wanted
    }

    /// The deprecated full-range formats, by their planar twin and a flag.
    private static func planarEquivalent(of format: AVPixelFormat) -> (AVPixelFormat, isFull: Bool) {
        switch format {
        case AV_PIX_FMT_YUVJ420P: (AV_PIX_FMT_YUV420P, true)
        case AV_PIX_FMT_YUVJ422P: (AV_PIX_FMT_YUV422P, true)
        case AV_PIX_FMT_YUVJ444P: (AV_PIX_FMT_YUV444P, true)
        case AV_PIX_FMT_YUVJ440P: (AV_PIX_FMT_YUV440P, true)
        case AV_PIX_FMT_YUVJ411P: (AV_PIX_FMT_YUV411P, true)
        default: (format, false)
        }
    }

    private static func coefficients(for matrix: AVColorSpace, height: Int32) -> Int32 {
        switch matrix {
        case AVCOL_SPC_BT709: SWS_CS_ITU709
        case AVCOL_SPC_FCC: SWS_CS_FCC
        case AVCOL_SPC_SMPTE240M: SWS_CS_SMPTE240M
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: SWS_CS_BT2020
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: SWS_CS_ITU601
        default: height < 720 ? SWS_CS_ITU601 : SWS_CS_ITU709
        }
    }

    private static func failure(_ reason: String) -> FFmpegError {
        FFmpegError(kind: .other, operation: "render", reason: reason)
    }
}
