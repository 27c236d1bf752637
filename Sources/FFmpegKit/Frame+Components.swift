internal import CFFmpeg

/// Pictures of red, green, blue and alpha of 16 bits, as they are drawn with.
extension Frame {
    /// FFmpeg's name of the layout of samples.
    package static let componentFormat = "rgba64le"

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
