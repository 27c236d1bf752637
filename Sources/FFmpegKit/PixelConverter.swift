internal import CFFmpeg

/// Scales decoded frames and turns them into samples that the rest of the
/// library reads: packed RGB, or 16-bit planes where more than a matrix is needed.
///
/// Keeps its scaler while frames are alike. The stream's own matrix, range and
/// chroma position are used; where it does not say, see ``Frame/yCbCrMatrix``,
/// ``Frame/isFullRange`` and ``Frame/chromaPosition``.
package final class PixelConverter {
    /// A part of the frame in whole pixels.
    package struct Crop: Equatable, Sendable {
        var left: Int, top: Int, right: Int, bottom: Int
        package init(left: Int, top: Int, right: Int, bottom: Int) {
            (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
        }
        var isEmpty: Bool { left == 0 && top == 0 && right == 0 && bottom == 0 }
    }

    /// Full-resolution planes of 16 bits: Y, Cb, Cr or G, B, R, and alpha if there is one.
    package struct Planes: Sendable {
        /// The planes one after the other.
        package var samples: [UInt16]
        /// Three, or four with alpha.
        package var count: Int
        /// The matrix between these samples and RGB.
        package var matrix: YCbCrMatrix
        /// Whether the samples use all codes, rather than video range.
        package var isFullRange: Bool
    }

    private struct Key: Equatable {
        var width: Int32, height: Int32, format: Int32, matrix: Int32, isFull: Bool, isOutputFull: Bool
        var chroma: ChromaPosition
        var outWidth: Int32, outHeight: Int32, outFormat: Int32
    }

    private var scaler: Scaler?
    private var key: Key?

    package init() {}

    /// Packed RGB of 8 bits: three or four bytes for each pixel, rows without padding.
    package func rgb(
        of frame: Frame, crop: Crop, width: Int, height: Int, keepsAlpha: Bool
    ) throws(FFmpegError) -> [UInt8] {
        let format = keepsAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24
        try prepare(frame, crop: crop, width: width, height: height, format: format, isOutputFull: true)
        let (rowBytes, overflow) = width.multipliedReportingOverflow(by: keepsAlpha ? 4 : 3)
        guard !overflow else { throw Self.failure("the picture is too large") }
        let source = try crop.isEmpty ? frame : frame.cropped(to: crop)
        var rows = 0
        // swscale's vector code may write past the last pixel of a row.
        var pixels = [UInt8](unsafeUninitializedCapacity: rowBytes * height + 64) { buffer, count in
            let base = UnsafeMutableRawPointer(buffer.baseAddress)
            rows = scale(source, planes: [base], rowBytes: rowBytes)
            count = rows == height ? rowBytes * height : 0
        }
        guard rows == height else { throw Self.failure("converting the picture to RGB failed") }
        if frame.isVideoRangeGrey { Self.stretch(&pixels, hasAlpha: keepsAlpha) }
        return pixels
    }

    /// Brings video range to full range: swscale takes grey of 8 bits for full range whatever it is told.
    private static func stretch(_ pixels: inout [UInt8], hasAlpha: Bool) {
        let table = (0..<256).map { UInt8(clamping: (($0 - 16) * 255 + 109) / 219) }
        for index in pixels.indices where !hasAlpha || index % 4 != 3 { pixels[index] = table[Int(pixels[index])] }
    }

    /// The frame's own components, scaled but with no matrix applied.
    package func planes(
        of frame: Frame, crop: Crop, width: Int, height: Int, keepsAlpha: Bool
    ) throws(FFmpegError) -> Planes {
        let matrix = frame.yCbCrMatrix
        let isRGB = matrix == .identity
        let format =
            switch (isRGB, keepsAlpha) {
            case (true, true): oav_pix_fmt_gbrap16
            case (true, false): oav_pix_fmt_gbrp16
            case (false, true): oav_pix_fmt_yuva444p16
            case (false, false): oav_pix_fmt_yuv444p16
            }
        let isFull = isRGB || frame.isFullRange
        try prepare(frame, crop: crop, width: width, height: height, format: format, isOutputFull: isFull)
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow else { throw Self.failure("the picture is too large") }
        let count = keepsAlpha ? 4 : 3
        var samples = [UInt16](repeating: 0, count: count * area + 32)
        let source = try crop.isEmpty ? frame : frame.cropped(to: crop)
        let rows = samples.withUnsafeMutableBytes { buffer in
            let starts = (0..<count).map { plane in buffer.baseAddress.map { $0 + plane * area * 2 } }
            return scale(source, planes: starts, rowBytes: width * 2)
        }
        guard rows == height else { throw Self.failure("converting the picture failed") }
        samples.removeLast(32)
        return Planes(samples: samples, count: count, matrix: matrix, isFullRange: isFull)
    }

    /// - Returns: The rows written.
    private func scale(_ source: Frame, planes: [UnsafeMutableRawPointer?], rowBytes: Int) -> Int {
        var output = planes.map { $0?.assumingMemoryBound(to: UInt8.self) }
        output += [UnsafeMutablePointer<UInt8>?](repeating: nil, count: 4 - output.count)
        let frame = source.pointer.pointee
        return scaler?.scale(
            (0..<4).map { frame.dataPlane($0).map { UnsafePointer($0) } },
            strides: (0..<4).map { Int32(frame.stride(ofPlane: $0)) }, height: frame.height,
            to: output, strides: [Int32](repeating: Int32(rowBytes), count: 4)) ?? 0
    }

    private func prepare(
        _ frame: Frame, crop: Crop, width: Int, height: Int, format: AVPixelFormat, isOutputFull: Bool
    ) throws(FFmpegError) {
        let picture = frame.pointer.pointee
        let wanted = Key(
            width: picture.width - Int32(crop.left + crop.right),
            height: picture.height - Int32(crop.top + crop.bottom),
            format: frame.formatWithoutRange.rawValue, matrix: Self.coefficients(for: frame.yCbCrMatrix),
            isFull: frame.yCbCrMatrix == .identity || frame.isFullRange, isOutputFull: isOutputFull,
            chroma: frame.chromaPosition, outWidth: Int32(width), outHeight: Int32(height), outFormat: format.rawValue)
        guard wanted != key else { return }
        scaler = nil
        key = nil
        scaler = try Scaler(
            from: .init(width: wanted.width, height: wanted.height, format: frame.formatWithoutRange),
            to: .init(width: wanted.outWidth, height: wanted.outHeight, format: format), care: .roundingAndChroma,
            chroma: wanted.chroma, colors: (wanted.matrix, wanted.isFull, wanted.isOutputFull))
        key = wanted
    }

    static func coefficients(for matrix: YCbCrMatrix) -> Int32 {
        switch matrix {
        case .bt709, .identity, .yCgCo, .iCtCp: SWS_CS_ITU709
        case .fcc: SWS_CS_FCC
        case .smpte240M: SWS_CS_SMPTE240M
        case .bt2020: SWS_CS_BT2020
        case .bt601: SWS_CS_ITU601
        }
    }

    private static func failure(_ reason: String) -> FFmpegError {
        FFmpegError(kind: .other, operation: .render, reason: reason)
    }
}

extension Frame {
    /// A part of the picture, sharing its samples.
    func cropped(to crop: PixelConverter.Crop) throws(FFmpegError) -> Frame {
        let copy = Frame()
        guard av_frame_ref(copy.pointer, pointer) >= 0 else {
            throw FFmpegError(kind: .limit, operation: .render, reason: "not enough memory")
        }
        copy.pointer.pointee.crop_left = crop.left
        copy.pointer.pointee.crop_top = crop.top
        copy.pointer.pointee.crop_right = crop.right
        copy.pointer.pointee.crop_bottom = crop.bottom
        guard av_frame_apply_cropping(copy.pointer, Int32(AV_FRAME_CROP_UNALIGNED)) >= 0 else {
            throw FFmpegError(
                kind: .other, operation: .render, reason: "the clean aperture lies outside the picture")
        }
        return copy
    }
}

/// Writes decoded pictures into memory of somebody else, in the layout of samples and the size that are asked for.
///
/// Keeps its scaler while frames are alike. One thread at a time may use it.
package final class PlaneConverter {
    /// What pictures become.
    package struct Target: Sendable, Hashable {
        /// In pixels.
        var width: Int
        /// In pixels.
        var height: Int
        /// FFmpeg's name of a layout of samples.
        var pixelFormat: String
        /// Whether samples use all codes, of layouts with luma and chroma.
        var isFullRange: Bool

        package init(width: Int, height: Int, pixelFormat: String, isFullRange: Bool) {
            (self.width, self.height) = (width, height)
            (self.pixelFormat, self.isFullRange) = (pixelFormat, isFullRange)
        }
    }

    /// Where a plane goes: its first row, and the bytes from row to row.
    package struct Plane {
        package var address: UnsafeMutableRawPointer
        package var bytesPerRow: Int

        package init(address: UnsafeMutableRawPointer, bytesPerRow: Int) {
            (self.address, self.bytesPerRow) = (address, bytesPerRow)
        }
    }

    private struct Key: Equatable {
        var width: Int32, height: Int32, format: Int32, matrix: YCbCrMatrix, isFull: Bool
        var chroma: ChromaPosition
        var target: Target
    }

    private var scaler: Scaler?
    private var key: Key?

    package init() {}

    /// Writes a picture.
    ///
    /// - Parameter planes: As many as the layout has, each with room for all rows of the target, and for the vector code of
    ///   swscale, which may write up to 64 bytes beyond a row's last sample as long as they are within the plane.
    package func convert(_ frame: Frame, to target: Target, planes: [Plane]) throws(FFmpegError) {
        try prepare(frame, target)
        var starts = planes.map { Optional($0.address.assumingMemoryBound(to: UInt8.self)) }
        var strides = planes.map { Int32(clamping: $0.bytesPerRow) }
        starts += [UnsafeMutablePointer<UInt8>?](repeating: nil, count: max(0, 4 - starts.count))
        strides += [Int32](repeating: 0, count: max(0, 4 - strides.count))
        let picture = frame.pointer.pointee
        let rows = scaler?.scale(
            (0..<4).map { picture.dataPlane($0).map { UnsafePointer($0) } },
            strides: (0..<4).map { Int32(picture.stride(ofPlane: $0)) }, height: picture.height, to: starts,
            strides: strides)
        guard rows == target.height else {
            throw FFmpegError(
                kind: .other, operation: .render, reason: "the picture cannot be made \(target.pixelFormat)")
        }
    }

    private func prepare(_ frame: Frame, _ target: Target) throws(FFmpegError) {
        let format = frame.formatWithoutRange
        let wanted = Key(
            width: frame.pointer.pointee.width, height: frame.pointer.pointee.height, format: format.rawValue,
            matrix: frame.yCbCrMatrix, isFull: frame.yCbCrMatrix == .identity || frame.isFullRange,
            chroma: frame.chromaPosition, target: target)
        guard wanted != key else { return }
        (scaler, key) = (nil, nil)
        scaler = try Scaler(
            from: .init(width: wanted.width, height: wanted.height, format: format),
            to: .init(
                width: Int32(clamping: target.width), height: Int32(clamping: target.height),
                format: av_get_pix_fmt(target.pixelFormat)),
            care: .roundingAndChroma, chroma: wanted.chroma, targetChroma: frame.chromaPosition(as: target.pixelFormat),
            colors: (PixelConverter.coefficients(for: wanted.matrix), wanted.isFull, target.isFullRange))
        key = wanted
    }
}

extension Frame {
    /// Where chroma samples lie once the picture has another layout: where they are, if it has as many, else on the left as
    /// in MPEG-2.
    fileprivate func chromaPosition(as pixelFormat: String) -> ChromaPosition? {
        guard let target = PixelFormatFacts(named: pixelFormat), !target.isRGB, !target.isGrey else { return nil }
        let own = PixelFormatFacts(named: self.pixelFormat)
        let position = chromaPosition
        let isAcross = own?.chromaShiftHorizontal == target.chromaShiftHorizontal
        let isDown = own?.chromaShiftVertical == target.chromaShiftVertical
        return ChromaPosition(
            horizontal: isAcross ? position.horizontal : target.chromaShiftHorizontal == 1 ? 0 : -513,
            vertical: isDown ? position.vertical : -513)
    }

    /// FFmpeg's name of the layout of samples, that of full range by its plain twin.
    package var pixelFormatWithoutRange: String {
        av_get_pix_fmt_name(formatWithoutRange).map { String(cString: $0) } ?? "unknown"
    }

    /// Where a plane of samples lies, for as long as the frame is there; `nil` if there is none, or its rows go up.
    ///
    /// Nobody may write there: other pictures may be built on these.
    package func plane(_ index: Int) -> PlaneConverter.Plane? {
        guard (0..<8).contains(index), let address = pointer.pointee.dataPlane(index) else { return nil }
        let stride = pointer.pointee.stride(ofPlane: index)
        return stride > 0 ? PlaneConverter.Plane(address: UnsafeMutableRawPointer(address), bytesPerRow: stride) : nil
    }
}
