internal import CFFmpeg

/// A small picture that is laid over larger ones, in their layout of samples.
package struct PicturePatch: Sendable {
    /// One component.
    package struct Plane: Sendable {
        /// The place of its first sample in the plane, and how many it has.
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        /// Codes as the layout has them.
        package var values: [UInt16]
        /// How much of it is seen, of 65535.
        package var alphas: [UInt16]

        package init(x: Int, y: Int, width: Int, height: Int, values: [UInt16], alphas: [UInt16]) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
            (self.values, self.alphas) = (values, alphas)
        }
    }

    /// In the order of the layout's components: luma and chroma, or red, green and blue.
    package var planes: [Plane]

    package init(planes: [Plane]) { self.planes = planes }
}

/// Pictures that are faded, or have others laid over them.
extension Frame {
    /// The picture mixed with black.
    ///
    /// - Parameter share: How much of the picture is left, from 0 to 1. Alpha stays as it is.
    package func faded(to share: Double) throws(FFmpegError) -> Frame {
        guard share < 1 else { return self }
        let layout = try BlendedLayout(self)
        let result = try writableCopy()
        let weight = UInt32((max(0, share) * 65536).rounded())
        for component in layout.components where component.kind != .alpha {
            let black = UInt32(component.black)
            result.forEachRow(of: component) { row, width in
                for x in 0..<width {
                    let value = UInt32(component.load(row, x))
                    component.store(UInt16((black * (65536 - weight) + value * weight + 32768) >> 16), row, x)
                }
            }
        }
        return result
    }

    /// The picture with a patch over it.
    package func blended(with patch: PicturePatch) throws(FFmpegError) -> Frame {
        let layout = try BlendedLayout(self)
        let result = try writableCopy()
        let alpha = layout.components.first { $0.kind == .alpha }
        for (component, plane) in zip(layout.components.filter { $0.kind != .alpha }, patch.planes) {
            result.blend(plane, over: component, alpha: alpha)
        }
        if let alpha, let first = patch.planes.first { result.cover(first, alpha) }
        return result
    }

    private func blend(
        _ plane: PicturePatch.Plane, over component: BlendedLayout.Component, alpha: BlendedLayout.Component?
    ) {
        guard let base = pointer.pointee.dataPlane(component.plane) else { return }
        let stride = pointer.pointee.stride(ofPlane: component.plane)
        for line in 0..<plane.height where (0..<component.height).contains(plane.y + line) {
            let row = base + (plane.y + line) * stride
            for column in 0..<plane.width where (0..<component.width).contains(plane.x + column) {
                let index = line * plane.width + column
                let (top, cover) = (UInt64(plane.values[index]), UInt64(plane.alphas[index]))
                guard cover > 0 else { continue }
                let below = UInt64(component.load(row, plane.x + column))
                var under: UInt64 = 65535
                if let alpha {
                    under = opacity(
                        alpha, (plane.x + column) << component.shift.horizontal,
                        (plane.y + line) << component.shift.vertical)
                }
                // What lies below counts as far as it is there and is not covered.
                let rest = under * (65535 - cover) / 65535
                let sum = max(1, cover + rest)
                component.store(UInt16((top * cover + below * rest + sum / 2) / sum), row, plane.x + column)
            }
        }
    }

    /// The alpha of a pixel, of 65535.
    private func opacity(_ alpha: BlendedLayout.Component, _ x: Int, _ y: Int) -> UInt64 {
        guard let base = pointer.pointee.dataPlane(alpha.plane), x < alpha.width, y < alpha.height else { return 65535 }
        let value = alpha.load(base + y * pointer.pointee.stride(ofPlane: alpha.plane), x)
        return UInt64(value) * 65535 / UInt64(alpha.largest)
    }

    /// Makes alpha such that a patch is seen.
    private func cover(_ plane: PicturePatch.Plane, _ alpha: BlendedLayout.Component) {
        guard let base = pointer.pointee.dataPlane(alpha.plane) else { return }
        let stride = pointer.pointee.stride(ofPlane: alpha.plane)
        for line in 0..<plane.height where (0..<alpha.height).contains(plane.y + line) {
            let row = base + (plane.y + line) * stride
            for column in 0..<plane.width where (0..<alpha.width).contains(plane.x + column) {
                let below = UInt64(alpha.load(row, plane.x + column))
                let cover = UInt64(plane.alphas[line * plane.width + column])
                let sum = below + (UInt64(alpha.largest) - below) * cover / 65535
                alpha.store(UInt16(sum), row, plane.x + column)
            }
        }
    }

    private func forEachRow(of component: BlendedLayout.Component, _ body: (UnsafeMutablePointer<UInt8>, Int) -> Void) {
        guard let base = pointer.pointee.dataPlane(component.plane) else { return }
        let stride = pointer.pointee.stride(ofPlane: component.plane)
        for row in 0..<component.height { body(base + row * stride, component.width) }
    }

    private func writableCopy() throws(FFmpegError) -> Frame {
        let copy = try Frame.allocate(
            width: width, height: height, format: AVPixelFormat(rawValue: pointer.pointee.format))
        guard av_frame_copy(copy.pointer, pointer) >= 0, av_frame_copy_props(copy.pointer, pointer) >= 0 else {
            throw FFmpegError(kind: .limit, operation: .filter, reason: "the picture cannot be copied")
        }
        return copy
    }
}

/// Where the components of a picture lie: in planes of their own, of 8 or 9 to 16 bits.
private struct BlendedLayout {
    struct Component {
        enum Kind { case luma, chroma, color, alpha }

        var kind: Kind
        var plane: Int
        var width: Int
        var height: Int
        /// How many samples of luma share one, as powers of two.
        var shift: (horizontal: Int, vertical: Int)
        var isWide: Bool
        /// The code of black.
        var black: UInt16
        /// The largest code.
        var largest: UInt16

        func load(_ row: UnsafeMutablePointer<UInt8>, _ x: Int) -> UInt16 {
            isWide ? UInt16(row[2 * x]) | UInt16(row[2 * x + 1]) << 8 : UInt16(row[x])
        }

        func store(_ value: UInt16, _ row: UnsafeMutablePointer<UInt8>, _ x: Int) {
            if isWide {
                row[2 * x] = UInt8(truncatingIfNeeded: value)
                row[2 * x + 1] = UInt8(value >> 8)
            } else {
                row[x] = UInt8(truncatingIfNeeded: value)
            }
        }
    }

    let components: [Component]

    init(_ frame: Frame) throws(FFmpegError) {
        let format = AVPixelFormat(rawValue: frame.pointer.pointee.format)
        let unsuited = UInt64(
            AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL
                | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_FLOAT)
        guard let descriptor = av_pix_fmt_desc_get(format)?.pointee, descriptor.flags & unsuited == 0 else {
            throw Self.refusal(of: frame)
        }
        let isRGB = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        let hasAlpha = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
        let isFull = frame.pointer.pointee.color_range == AVCOL_RANGE_JPEG
        let parts = withUnsafeBytes(of: descriptor.comp) {
            Array($0.assumingMemoryBound(to: AVComponentDescriptor.self).prefix(Int(descriptor.nb_components)))
        }
        var components: [Component] = []
        for (index, part) in parts.enumerated() {
            guard part.shift == 0, part.offset == 0, part.step == (part.depth > 8 ? 2 : 1), part.depth <= 16 else {
                throw Self.refusal(of: frame)
            }
            let isAlpha = hasAlpha && index == parts.count - 1
            let isChroma = !isRGB && !isAlpha && index > 0
            let shift = isChroma ? (Int(descriptor.log2_chroma_w), Int(descriptor.log2_chroma_h)) : (0, 0)
            let extra = part.depth - 8
            var black: UInt16 = 0
            if isChroma { black = 128 << extra } else if !isRGB, !isFull { black = 16 << extra }
            components.append(
                Component(
                    kind: isAlpha ? .alpha : isChroma ? .chroma : isRGB ? .color : .luma, plane: Int(part.plane),
                    width: -((-frame.width) >> shift.0), height: -((-frame.height) >> shift.1), shift: shift,
                    isWide: part.depth > 8, black: black, largest: UInt16((1 << Int(part.depth)) - 1)))
        }
        self.components = components
    }

    private static func refusal(of frame: Frame) -> FFmpegError {
        FFmpegError(kind: .other, operation: .filter, reason: "pictures of \(frame.pixelFormat) cannot be mixed")
    }
}
