internal import CFFmpeg

/// Writes decoded pictures into memory of somebody else, in the layout of samples and the size that are asked for.
///
/// Keeps its scaler while frames are alike. One thread at a time may use it.
package final class PlaneConverter {
    /// What pictures become.
    package struct Target: Sendable, Hashable {
        /// In pixels.
        package var width: Int
        /// In pixels.
        package var height: Int
        /// FFmpeg's name of a layout of samples.
        package var pixelFormat: String
        /// Whether samples use all codes, of layouts with luma and chroma.
        package var isFullRange: Bool

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

    /// Whether pictures can be made of a layout of samples.
    package static func makes(_ pixelFormat: String) -> Bool {
        let format = av_get_pix_fmt(pixelFormat)
        return format != AV_PIX_FMT_NONE && sws_isSupportedOutput(format) > 0
    }

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
