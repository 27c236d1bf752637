internal import CFFmpeg

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
