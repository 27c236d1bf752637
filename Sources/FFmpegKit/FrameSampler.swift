internal import CFFmpeg

/// Reads a coarse grid of samples out of decoded frames, without converting
/// whole pictures.
///
/// The grid lies over the whole picture, whatever the picture's size, so that
/// frames of different sizes can be compared.
package final class FrameSampler {
    /// A frame's samples at the points of the grid, eight bits each, row by row.
    package struct Samples: Sendable {
        /// Three planes one after the other: Y, Cb, Cr, or R, G, B.
        package var bytes: [UInt8]
        /// The points of the grid.
        package var area: Int
        package var matrix: YCbCrMatrix
        /// Whether the samples use all codes, rather than video range.
        package var isFullRange: Bool
    }

    let columns: Int
    let rows: Int
    private let converter = PixelConverter()
    private var plan: Plan?

    /// - Parameters:
    ///   - width: Of the pictures, of which the first decides.
    ///   - maximumColumns: Less for pictures that are narrower.
    package init(width: Int, height: Int, maximumColumns: Int) {
        let width = max(1, width)
        columns = max(1, min(maximumColumns, width))
        // Rows are bounded too, as a picture may be one pixel wide and thousands high.
        rows = max(1, min(4 * maximumColumns, max(1, height), max(1, height) * columns / width))
    }

    /// The samples of a frame.
    package func samples(of frame: Frame) throws(FFmpegError) -> Samples {
        let picture = frame.pointer.pointee
        if plan?.isFor(picture) != true { plan = Plan(picture, columns: columns, rows: rows) }
        guard let plan, !plan.components.isEmpty else { return try convertedSamples(of: frame) }
        let area = columns * rows
        var bytes = [UInt8](repeating: 128, count: 3 * area)
        bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for (index, component) in plan.components.enumerated() {
                component.read(picture, rows: rows, into: base + index * area)
            }
        }
        let matrix = frame.yCbCrMatrix
        return Samples(
            bytes: bytes, area: area, matrix: matrix, isFullRange: matrix == .identity || frame.isFullRange)
    }

    /// For layouts that cannot be read sample by sample, and for alpha, which swscale blends with black.
    private func convertedSamples(of frame: Frame) throws(FFmpegError) -> Samples {
        let whole = PixelConverter.Crop(left: 0, top: 0, right: 0, bottom: 0)
        let hasAlpha = frame.hasAlpha
        let rgb = try converter.rgb(of: frame, crop: whole, width: columns, height: rows, keepsAlpha: hasAlpha)
        let (area, step) = (columns * rows, hasAlpha ? 4 : 3)
        var bytes = [UInt8](repeating: 0, count: 3 * area)
        for pixel in 0..<area {
            let opacity = hasAlpha ? Int(rgb[step * pixel + 3]) : 255
            for plane in 0..<3 { bytes[plane * area + pixel] = UInt8(Int(rgb[step * pixel + plane]) * opacity / 255) }
        }
        return Samples(bytes: bytes, area: area, matrix: .identity, isFullRange: true)
    }
}

/// Where the samples of the grid lie in pictures of one format and size.
private struct Plan {
    private let format: Int32
    private let width: Int32
    private let height: Int32
    /// Empty where the format cannot be read sample by sample.
    let components: [Component]

    init(_ picture: AVFrame, columns: Int, rows: Int) {
        (format, width, height) = (picture.format, picture.width, picture.height)
        components = Self.components(of: picture, columns: columns, rows: rows)
    }

    func isFor(_ picture: AVFrame) -> Bool {
        picture.format == format && picture.width == width && picture.height == height
    }

    private static func components(of picture: AVFrame, columns: Int, rows: Int) -> [Component] {
        let format = AVPixelFormat(rawValue: picture.format)
        guard let descriptor = av_pix_fmt_desc_get(format)?.pointee, picture.width > 0, picture.height > 0 else {
            return []
        }
        let unreadable =
            AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT
            | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_BE
        let parts = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2]
        let used = descriptor.nb_components >= 3 ? parts : Array(parts.prefix(1))
        guard descriptor.flags & UInt64(unreadable) == 0, used.allSatisfy({ (8...16).contains($0.depth) }),
            ![AV_PIX_FMT_XYZ12LE, AV_PIX_FMT_XYZ12BE].contains(format)
        else { return [] }
        return used.enumerated().map { index, part in
            let isChroma = index > 0
            return Component(
                part, width: Int(picture.width), height: Int(picture.height),
                shifts: isChroma ? (Int(descriptor.log2_chroma_w), Int(descriptor.log2_chroma_h)) : (0, 0),
                columns: columns, rows: rows)
        }
    }
}

/// Where one component's samples of the grid lie.
private struct Component {
    private let plane: Int
    private let isWide: Bool
    private let shift: Int
    /// Bytes from the beginning of a row to each point.
    private let offsets: [Int]
    private let lines: [Int]
    /// Bytes and rows to the neighbours that are averaged with each point; zero where there is no room.
    private let across: Int
    private let down: Int

    init(
        _ part: AVComponentDescriptor, width: Int, height: Int, shifts: (Int, Int), columns: Int, rows: Int
    ) {
        plane = Int(part.plane)
        isWide = part.depth > 8
        shift = Int(part.shift) + Int(part.depth) - 8
        // One sample of chroma stands for several points of luma as it is.
        let isWhole = shifts == (0, 0)
        let averagesAcross = isWhole && width >= 2 * columns
        let averagesDown = isWhole && height >= 2 * rows
        across = averagesAcross ? Int(part.step) : 0
        down = averagesDown ? 1 : 0
        offsets = (0..<columns).map { column in
            let center = (2 * column + 1) * width / (2 * columns)
            return ((averagesAcross ? center - 1 : center) >> shifts.0) * Int(part.step) + Int(part.offset)
        }
        lines = (0..<rows).map { row in
            let center = (2 * row + 1) * height / (2 * rows)
            return (averagesDown ? center - 1 : center) >> shifts.1
        }
    }

    func read(_ picture: AVFrame, rows: Int, into output: UnsafeMutablePointer<UInt8>) {
        guard let data = picture.dataPlane(plane) else { return }
        let stride = picture.stride(ofPlane: plane)
        offsets.withUnsafeBufferPointer { offsets in
            for row in 0..<rows {
                let line = UnsafeRawPointer(data + lines[row] * stride)
                let next = line + down * stride
                let target = output + row * offsets.count
                if isWide {
                    readWide(line, next, offsets, target)
                } else {
                    readBytes(line, next, offsets, target)
                }
            }
        }
    }

    private func readBytes(
        _ line: UnsafeRawPointer, _ next: UnsafeRawPointer, _ offsets: UnsafeBufferPointer<Int>,
        _ target: UnsafeMutablePointer<UInt8>
    ) {
        // Bits below the sample's own, which some layouts have, are left out by the shift.
        guard across != 0 || down != 0 else {
            for column in 0..<offsets.count {
                target[column] = line.load(fromByteOffset: offsets[column], as: UInt8.self)
            }
            return
        }
        for column in 0..<offsets.count {
            let place = offsets[column]
            let sum =
                UInt16(line.load(fromByteOffset: place, as: UInt8.self))
                &+ UInt16(line.load(fromByteOffset: place &+ across, as: UInt8.self))
                &+ UInt16(next.load(fromByteOffset: place, as: UInt8.self))
                &+ UInt16(next.load(fromByteOffset: place &+ across, as: UInt8.self))
            target[column] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
        }
    }

    private func readWide(
        _ line: UnsafeRawPointer, _ next: UnsafeRawPointer, _ offsets: UnsafeBufferPointer<Int>,
        _ target: UnsafeMutablePointer<UInt8>
    ) {
        func sample(_ line: UnsafeRawPointer, _ place: Int) -> UInt32 {
            UInt32(UInt16(littleEndian: line.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
        }
        for column in 0..<offsets.count {
            let place = offsets[column]
            let sum =
                sample(line, place) &+ sample(line, place &+ across) &+ sample(next, place)
                &+ sample(next, place &+ across)
            target[column] = UInt8(truncatingIfNeeded: min(255, sum &>> UInt32(shift + 2)))
        }
    }
}
