internal import FFmpegKit
internal import Foundation
internal import MediaCore
internal import SampleBuffers

/// Makes pixel buffers of decoded pictures.
///
/// One thread at a time may use it.
final class PictureBuffers {
    /// What buffers are to be.
    struct Form: Hashable, Sendable {
        /// The formats that are wanted, the best one first; empty for the one that is closest to the pictures.
        var samples: [PixelSamples] = []
        /// In pixels; `nil` for the pictures' own, or in proportion to the other side.
        var width: Int?
        /// In pixels; `nil` for the pictures' own, or in proportion to the other side.
        var height: Int?
        /// Whether buffers have memory of their own, so that whoever has them may write to them.
        var copies = true
    }

    private struct Kind: Hashable {
        var samples: PixelSamples
        var width: Int
        var height: Int
    }

    private let form: Form
    private let converter = PlaneConverter()
    private var pool: (kind: Kind, pool: CVPixelBufferPool)?

    init(_ form: Form) { self.form = form }

    /// A buffer with a picture.
    ///
    /// - Throws: `AVError` where the picture cannot be had in the format, or memory lacks.
    func buffer(of frame: Frame) throws -> CVPixelBuffer {
        let kind = kind(for: frame)
        let samples = kind.samples
        let isSame =
            frame.pixelFormatWithoutRange == samples.name && frame.width == kind.width && frame.height == kind.height
            && (samples.range == .any || frame.isFullRange == samples.isFullRange)
        if isSame, !form.copies, let shared = sharing(frame, samples.pixelFormat) { return shared }
        let buffer = try makeBuffer(kind)
        try buffer.withLockedPlanes([]) { planes in
            if isSame, copy(frame, to: planes) { return }
            do {
                try converter.convert(
                    frame,
                    to: .init(
                        width: kind.width, height: kind.height, pixelFormat: samples.name,
                        isFullRange: samples.isFullRange),
                    planes: planes.compactMap { plane in
                        plane.bytes.baseAddress.map { .init(address: $0, bytesPerRow: plane.bytesPerRow) }
                    })
            } catch {
                throw AVError(
                    .operationNotSupportedForAsset,
                    reason: "pictures of \(frame.pixelFormat) cannot be read as \(fourCharacters(samples.pixelFormat))",
                    underlying: error)
            }
        }
        return buffer
    }

    private func kind(for frame: Frame) -> Kind {
        let closest = PixelSamples.closest(to: frame)
        let samples = form.samples.contains(closest) ? closest : form.samples.first ?? closest
        func scaled(_ side: Int, _ new: Int, _ old: Int) -> Int { max(1, (side * new + old / 2) / max(1, old)) }
        let width = form.width ?? form.height.map { scaled(frame.width, $0, frame.height) } ?? frame.width
        let height = form.height ?? form.width.map { scaled(frame.height, $0, frame.width) } ?? frame.height
        return Kind(samples: samples, width: width, height: height)
    }

    /// A buffer whose memory is the frame's own.
    private func sharing(_ frame: Frame, _ pixelFormat: OSType) -> CVPixelBuffer? {
        guard let format = PixelFormatDescription(pixelFormat) else { return nil }
        var planes: [PixelPlane] = []
        for (index, plane) in format.planes.enumerated() {
            guard let own = frame.plane(index) else { return nil }
            let size = plane.size(width: frame.width, height: frame.height)
            planes.append(
                PixelPlane(
                    address: own.address, width: size.width, height: size.height, bytesPerRow: own.bytesPerRow))
        }
        // A frame whose rows are too close together is copied.
        return try? CVBuffer(adopting: planes, pixelFormat: pixelFormat, width: frame.width, height: frame.height) {
            withExtendedLifetime(frame) {}
        }
    }

    /// - Returns: Whether the frame lies in memory so that it could be copied row by row.
    private func copy(_ frame: Frame, to planes: [LockedPlane]) -> Bool {
        let own = planes.indices.compactMap { frame.plane($0) }
        guard own.count == planes.count else { return false }
        for (source, target) in zip(own, planes) {
            for row in 0..<target.height {
                target.row(row).copyMemory(
                    from: UnsafeRawBufferPointer(
                        start: source.address + row * source.bytesPerRow, count: target.rowByteCount))
            }
        }
        return true
    }

    private func makeBuffer(_ kind: Kind) throws -> CVPixelBuffer {
        if pool?.kind != kind {
            var made: CVPixelBufferPool?
            let attributes =
                [
                    kCVPixelBufferPixelFormatTypeKey: kind.samples.pixelFormat, kCVPixelBufferWidthKey: kind.width,
                    kCVPixelBufferHeightKey: kind.height, kCVPixelBufferExtendedPixelsRightKey: Self.spareColumns,
                ] as CFDictionary
            let code = CVPixelBufferPoolCreate(nil, nil, attributes, &made)
            guard let made else {
                throw AVError(
                    .operationNotSupportedForAsset,
                    reason: "there are no buffers of \(kind.width)x\(kind.height) pixels (\(code))")
            }
            pool = (kind, made)
        }
        var buffer: CVPixelBuffer?
        let code = pool.map { CVPixelBufferPoolCreatePixelBuffer(nil, $0.pool, &buffer) }
        guard let buffer else {
            throw AVError(.outOfMemory, reason: "there is no memory for a picture (\(code ?? 0))")
        }
        return buffer
    }

    /// Room at the end of each row for swscale, whose vector code writes beyond the last sample.
    private static var spareColumns: Int { 16 }
}

/// A code of four characters as text; of others the number.
func fourCharacters(_ code: OSType) -> String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }
    guard bytes.allSatisfy({ (32..<127).contains($0) }) else { return String(code) }
    return String(decoding: bytes, as: UTF8.self)
}
