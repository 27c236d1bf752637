internal import CFFmpeg

extension Frame {
    /// The picture of the earlier of its two fields, at full height.
    ///
    /// The lines of the later field are drawn anew between those of the earlier
    /// one, along edges. No other frame is needed.
    ///
    /// - Returns: `nil` for formats whose samples are not of whole bytes.
    package func deinterlaced(topFieldFirst: Bool) throws(FFmpegError) -> Frame? {
        guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: pointer.pointee.format)),
            !hasFormatFlag(AV_PIX_FMT_FLAG_BITSTREAM), !hasFormatFlag(AV_PIX_FMT_FLAG_BE)
        else { return nil }
        let result = try Frame.allocate(width: width, height: height, format: formatWithoutRange)
        result.pointer.pointee.format = pointer.pointee.format
        guard av_frame_copy(result.pointer, pointer) >= 0, av_frame_copy_props(result.pointer, pointer) >= 0 else {
            throw FFmpegError(kind: .other, operation: .render, reason: "the picture cannot be deinterlaced")
        }
        let first = topFieldFirst ? 1 : 0
        let components = withUnsafeBytes(of: descriptor.pointee.comp) {
            Array($0.bindMemory(to: AVComponentDescriptor.self).prefix(Int(descriptor.pointee.nb_components)))
        }
        for (index, component) in components.enumerated() {
            guard let data = result.pointer.pointee.dataPlane(Int(component.plane)) else { continue }
            let isChroma = (index == 1 || index == 2) && !hasFormatFlag(AV_PIX_FMT_FLAG_RGB)
            let columns = isChroma ? -(-width >> Int(descriptor.pointee.log2_chroma_w)) : width
            let rows = isChroma ? -(-height >> Int(descriptor.pointee.log2_chroma_h)) : height
            let field = Field(
                base: UnsafeMutableRawPointer(data) + Int(component.offset), columns: columns, rows: rows,
                step: Int(component.step), stride: result.pointer.pointee.stride(ofPlane: Int(component.plane)))
            for row in Swift.stride(from: first, to: rows, by: 2) {
                if component.depth > 8 { field.draw(row, as: UInt16.self) } else { field.draw(row, as: UInt8.self) }
            }
        }
        oav_frame_set_fields(result.pointer, 0, 0)
        return result
    }
}

/// One component of a picture, lines of every other row of which are drawn anew.
private struct Field {
    let base: UnsafeMutableRawPointer
    let columns: Int
    let rows: Int
    /// Bytes from one sample to the next in a row.
    let step: Int
    let stride: Int

    /// Draws a row from those above and below it: along the direction, of five,
    /// in which these differ least, and by a cubic where that is straight down.
    func draw<Sample: FixedWidthInteger>(_ row: Int, as type: Sample.Type) {
        let last = rows - 1
        func line(_ number: Int) -> UnsafeMutableRawPointer { base + number * stride }
        // At the edges, the nearest row of the same field stands in.
        let above = line(row > 0 ? row - 1 : min(last, row + 1))
        let below = line(row < last ? row + 1 : max(0, row - 1))
        let farAbove = line(row > 2 ? row - 3 : max(0, row - 1))
        let farBelow = line(row + 3 <= last ? row + 3 : row < last ? row + 1 : max(0, row - 1))
        func sample(_ line: UnsafeMutableRawPointer, _ column: Int) -> Int {
            Int(line.load(fromByteOffset: min(columns - 1, max(0, column)) * step, as: type))
        }
        for column in 0..<columns {
            var best = (direction: 0, difference: Int.max)
            for direction in [0, -1, 1, -2, 2] {
                var difference = 0
                for near in -1...1 {
                    difference += abs(
                        sample(above, column + direction + near) - sample(below, column - direction + near))
                }
                // Slanted lines have to be clearly better: fine detail deceives them.
                let cost = direction == 0 ? difference : difference * 3 / 2
                if cost < best.difference { best = (direction, cost) }
            }
            let (up, down) = (sample(above, column + best.direction), sample(below, column - best.direction))
            var value = (up + down + 1) >> 1
            if best.direction == 0 {
                value = (9 * (up + down) - sample(farAbove, column) - sample(farBelow, column) + 8) >> 4
                value = min(max(value, min(up, down)), max(up, down))
            }
            line(row).storeBytes(of: Sample(truncatingIfNeeded: value), toByteOffset: column * step, as: type)
        }
    }
}

extension Frame {
    /// Whether the top field is the earlier one.
    package var isTopFieldFirst: Bool { oav_frame_top_field_first(pointer) != 0 }

    /// Whether lines of the two fields stand apart: the comb that motion leaves
    /// in an interlaced picture.
    ///
    /// Many progressive films are coded as interlaced; their pictures show no
    /// comb and need no treatment. A luma sample counts as combed if it is far
    /// from both its vertical neighbours on the same side while these agree, and
    /// near the next but one. Grain does the same along rows, a comb does not.
    package var isCombed: Bool {
        guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: pointer.pointee.format)),
            !hasFormatFlag(AV_PIX_FMT_FLAG_RGB), !hasFormatFlag(AV_PIX_FMT_FLAG_BE),
            !hasFormatFlag(AV_PIX_FMT_FLAG_BITSTREAM), height > 4, width > 4
        else { return false }
        let luma = descriptor.pointee.comp.0
        guard let data = pointer.pointee.dataPlane(Int(luma.plane)) else { return false }
        let start = UnsafeRawPointer(data) + Int(luma.offset)
        let (stride, step) = (pointer.pointee.stride(ofPlane: Int(luma.plane)), Int(luma.step))
        return luma.depth > 8
            ? isCombed(threshold: 12 << (Int(luma.depth) - 8)) { row, column in
                Int(start.loadUnaligned(fromByteOffset: row * stride + column * step, as: UInt16.self))
            }
            : isCombed(threshold: 12) { row, column in
                Int(start.load(fromByteOffset: row * stride + column * step, as: UInt8.self))
            }
    }

    private func isCombed(threshold: Int, sample: (_ row: Int, _ column: Int) -> Int) -> Bool {
        func isComb(_ here: Int, _ before: Int, _ after: Int, _ farBefore: Int, _ farAfter: Int) -> Bool {
            (here - before) * (here - after) > threshold * threshold && abs(before - after) < threshold
                && abs(here - farBefore) < threshold && abs(here - farAfter) < threshold
        }
        var (combed, grain) = (0, 0)
        for row in 2..<(height - 2) {
            for column in Swift.stride(from: 2 + row & 1, to: width - 2, by: 2) {
                let here = sample(row, column)
                let (above, below) = (sample(row - 1, column), sample(row + 1, column))
                if isComb(here, above, below, sample(row - 2, column), sample(row + 2, column)) { combed += 1 }
                let (left, right) = (sample(row, column - 1), sample(row, column + 1))
                if isComb(here, left, right, sample(row, column - 2), sample(row, column + 2)) { grain += 1 }
            }
        }
        return combed * 1000 > width * height / 2 && combed > 3 * grain
    }
}
