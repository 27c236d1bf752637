package import MediaCore

extension CVBuffer {
    /// Makes a buffer of memory that is there already, without a copy: of a decoded frame, for instance.
    ///
    /// - Parameters:
    ///   - planes: As many as the format has, one for formats that are not planar; each at least as large as the
    ///     format asks for, with rows from the top. Nobody else may write to them while the buffer lives.
    ///   - pixelFormat: One of `kCVPixelFormatType_…`.
    ///   - width: Pixels in a row, from 1 to 16384.
    ///   - height: Rows, from 1 to 16384.
    ///   - release: Called once, when the buffer goes, on whatever thread that happens; never if it fails.
    /// - Throws: `kCVReturnInvalidArgument` for sizes below 1 and planes that do not fit, `kCVReturnInvalidSize` for
    ///   sides that are too long, `kCVReturnInvalidPixelFormat` for formats that are none.
    package convenience init(
        adopting planes: [PixelPlane], pixelFormat: OSType, width: Int, height: Int,
        release: @escaping @Sendable () -> Void
    ) throws(PixelBufferFailure) {
        let description = try PixelBufferLayout.description(of: pixelFormat, width: width, height: height)
        let byteCount = try Self.byteCount(of: planes, description)
        let fits = zip(planes, description.planes).allSatisfy { plane, format in
            plane.width >= format.columns(width) && plane.height >= format.rows(height)
        }
        guard fits else { throw PixelBufferFailure(kCVReturnInvalidArgument) }
        // Of larger planes only the picture is shown.
        let shown = zip(planes, description.planes).map { plane, format in
            PixelPlane(
                address: plane.address, width: format.columns(width), height: format.rows(height),
                bytesPerRow: plane.bytesPerRow)
        }
        self.init(
            pixelFormat: pixelFormat, width: width, height: height, isPlanar: description.isPlanar,
            storage: PixelStorage(planes: shown, byteCount: byteCount, release: release), attributes: nil)
    }

    /// Bytes that planes take, padding after their last rows included.
    ///
    /// - Throws: `kCVReturnInvalidArgument` if there are not as many as the format has, or rows are too short.
    static func byteCount(
        of planes: [PixelPlane], _ description: PixelFormatDescription
    ) throws(PixelBufferFailure) -> Int {
        guard planes.count == description.planes.count else { throw PixelBufferFailure(kCVReturnInvalidArgument) }
        var sum = 0
        for (plane, format) in zip(planes, description.planes) {
            guard plane.width > 0, plane.height > 0, let row = format.rowByteCount(plane.width),
                plane.bytesPerRow >= row
            else { throw PixelBufferFailure(kCVReturnInvalidArgument) }
            let (bytes, tooMany) = plane.bytesPerRow.multipliedReportingOverflow(by: plane.height)
            let (next, tooLarge) = sum.addingReportingOverflow(bytes)
            guard !tooMany, !tooLarge else { throw PixelBufferFailure(kCVReturnInvalidArgument) }
            sum = next
        }
        return sum
    }
}
