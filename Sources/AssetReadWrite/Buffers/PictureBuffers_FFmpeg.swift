internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaImage
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

/// What is said of decoded pictures by attachments of their buffers: colours, apertures, shapes of pixels, fields.
struct PictureAttachments {
    /// What the track says of all its pictures, by the keys of Core Video.
    private let ofTrack: [(key: CFString, value: AnyObject)]

    /// - Parameter format: What is true of all pictures; `nil` for what each says of itself.
    init(_ format: CMFormatDescription?) {
        // Extensions of that kind have the keys of the attachments.
        ofTrack = (format?.extensions.values ?? [:]).filter { $0.key.hasPrefix("CV") }
            .map { (NSString(string: $0.key), $0.value.object) }
    }

    /// Says of a buffer what is true of the picture that it was made from.
    func attach(to buffer: CVPixelBuffer, of frame: Frame) {
        let isScaled = CVPixelBufferGetWidth(buffer) != frame.width || CVPixelBufferGetHeight(buffer) != frame.height
        let hasMatrix = PixelSamples(CVPixelBufferGetPixelFormatType(buffer))?.isRGB == false
        for (key, value) in ofTrack {
            if isScaled, Self.isOfSize(key) { continue }
            if !hasMatrix, key == kCVImageBufferYCbCrMatrixKey { continue }
            CVBufferSetAttachment(buffer, key, value, .shouldPropagate)
        }
        let color = frame.color
        typealias Value = CMFormatDescription.Extensions.Value
        let told: [(CFString, CFString?)] = [
            (kCVImageBufferColorPrimariesKey, Value.ColorPrimaries(color.primaries)?.rawValue),
            (kCVImageBufferTransferFunctionKey, Value.TransferFunction(color.transferFunction)?.rawValue),
            (kCVImageBufferYCbCrMatrixKey, hasMatrix ? Value.YCbCrMatrix(color.yCbCrMatrix)?.rawValue : nil),
        ]
        for case (let key, let value?) in told { CVBufferSetAttachment(buffer, key, value, .shouldPropagate) }
    }

    /// What is no longer true once a picture has another size.
    private static func isOfSize(_ key: CFString) -> Bool {
        [kCVImageBufferCleanApertureKey, kCVImageBufferPixelAspectRatioKey, kCVImageBufferDisplayDimensionsKey]
            .contains(key)
    }
}

extension Frame {
    /// The picture of a pixel buffer, copied.
    ///
    /// - Parameter keepsAlpha: Whether alpha counts; else pictures are opaque, whatever programs left in the place of it.
    /// - Throws: `AVError` for formats that pictures cannot be written from, and where memory lacks.
    static func picture(of buffer: CVPixelBuffer, keepsAlpha: Bool) throws -> Frame {
        guard let samples = PixelSamples(CVPixelBufferGetPixelFormatType(buffer)) else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "pictures cannot be written from buffers of the pixel format "
                    + fourCharacters(CVPixelBufferGetPixelFormatType(buffer)))
        }
        let facts = BufferFacts(buffer)
        var color = facts.color
        if samples.range != .any { color.range = samples.isFullRange ? .full : .video }
        return try picture(
            width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer),
            pixelFormat: keepsAlpha ? samples.name : samples.opaqueName,
            color: color, sampleAspectRatio: facts.sampleAspectRatio
        ) { targets in
            buffer.withLockedPlanes(.readOnly) { planes in
                for (source, target) in zip(planes, targets) {
                    for row in 0..<source.height {
                        (target.address + row * target.bytesPerRow).copyMemory(
                            from: source.bytes.baseAddress.map { UnsafeRawPointer($0 + row * source.bytesPerRow) }
                                ?? UnsafeRawPointer(target.address), byteCount: source.rowByteCount)
                    }
                }
            }
        }
    }
}

/// What is said of a picture by attachments of its buffer.
struct BufferFacts {
    let color: ColorInfo
    /// Width to height of a pixel; `nil` if nothing is said.
    let sampleAspectRatio: Ratio?

    init(_ buffer: CVPixelBuffer) {
        func text(_ key: CFString) -> String? {
            (CVBufferCopyAttachment(buffer, key, nil) as? NSString).map { String(describing: $0) }
        }
        color = ColorInfo(
            primariesName: text(kCVImageBufferColorPrimariesKey),
            transferFunctionName: text(kCVImageBufferTransferFunctionKey),
            matrixName: text(kCVImageBufferYCbCrMatrixKey))
        let aspect = CVBufferCopyAttachment(buffer, kCVImageBufferPixelAspectRatioKey, nil) as? NSDictionary
        func spacing(_ key: CFString) -> Int32? {
            (aspect?.object(forKey: key)).flatMap { SettingNumber($0)?.whole }.flatMap { Int32(exactly: $0) }
        }
        if let horizontal = spacing(kCVImageBufferPixelAspectRatioHorizontalSpacingKey),
            let vertical = spacing(kCVImageBufferPixelAspectRatioVerticalSpacingKey), horizontal > 0, vertical > 0
        {
            sampleAspectRatio = Ratio(horizontal, vertical)
        } else {
            sampleAspectRatio = nil
        }
    }
}

extension ColorInfo {
    /// Colours by the names of Core Video; what is not known is left open.
    init(primariesName: String?, transferFunctionName: String?, matrixName: String?) {
        self.init()
        typealias Value = CMFormatDescription.Extensions.Value
        func named<Code>(_ name: String?, among all: [Code], _ text: (Code) -> CFString?) -> Code? {
            guard let name else { return nil }
            return all.first { text($0).map { String(describing: $0) } == name }
        }
        primaries = named(primariesName, among: [.bt709, .bt470BG, .smpte170M, .smpte432, .smpte431, .bt2020]) {
            Value.ColorPrimaries($0)?.rawValue
        }
        transferFunction = named(
            transferFunctionName, among: [.bt709, .smpte240M, .pq, .hlg, .linear, .sRGB]
        ) { Value.TransferFunction($0)?.rawValue }
        yCbCrMatrix = named(matrixName, among: [.bt709, .smpte170M, .smpte240M, .bt2020]) {
            Value.YCbCrMatrix($0)?.rawValue
        }
    }
}

extension PixelSamples {
    /// The format that holds what decoded pictures hold, as decoders of Apple's give it: two planes for luma and chroma.
    static func closest(to frame: Frame) -> PixelSamples {
        let facts = PixelFormatFacts(named: frame.pixelFormat)
        let isDeep = (facts?.depth ?? 8) > 8
        let code: OSType
        if facts?.isRGB == true || facts?.hasAlpha == true {
            code = isDeep ? kCVPixelFormatType_64RGBALE : kCVPixelFormatType_32BGRA
        } else if facts?.isGrey == true {
            code = isDeep ? kCVPixelFormatType_OneComponent16 : kCVPixelFormatType_OneComponent8
        } else {
            let shifts = (facts?.chromaShiftHorizontal ?? 1, facts?.chromaShiftVertical ?? 1)
            code = biplanar(shifts, isDeep: isDeep, isFull: frame.isFullRange)
        }
        return PixelSamples(code) ?? all[0]
    }

    private static func biplanar(_ shifts: (Int, Int), isDeep: Bool, isFull: Bool) -> OSType {
        switch (shifts, isDeep, isFull) {
        case ((0, 0), false, false): kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange
        case ((0, 0), false, true): kCVPixelFormatType_444YpCbCr8BiPlanarFullRange
        case ((0, 0), true, false): kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange
        case ((0, 0), true, true): kCVPixelFormatType_444YpCbCr10BiPlanarFullRange
        case ((_, 0), false, false): kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange
        case ((_, 0), false, true): kCVPixelFormatType_422YpCbCr8BiPlanarFullRange
        case ((_, 0), true, false): kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
        case ((_, 0), true, true): kCVPixelFormatType_422YpCbCr10BiPlanarFullRange
        case (_, false, false): kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        case (_, false, true): kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        case (_, true, false): kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        case (_, true, true): kCVPixelFormatType_420YpCbCr10BiPlanarFullRange
        }
    }
}

extension CVBuffer {
    /// The picture as red, green and blue of 8 bits, with alpha where the format has it.
    func makeImage() throws -> CGImage {
        let frame = try Frame.picture(of: self, keepsAlpha: true)
        let whole = PixelConverter.Crop(left: 0, top: 0, right: 0, bottom: 0)
        let hasAlpha = frame.hasAlpha
        let pixels = try PixelConverter().rgb(
            of: frame, crop: whole, width: width, height: height, keepsAlpha: hasAlpha)
        guard let image = CGImage(width: width, height: height, hasAlpha: hasAlpha, pixels: pixels) else {
            throw AVError(.outOfMemory, reason: "there is no memory for a picture")
        }
        return image
    }
}

extension CGImage {
    func copiedPixelBuffer() throws -> CVPixelBuffer {
        let isDeep = bitsPerComponent == 16
        var made: CVPixelBuffer?
        let code = CVPixelBufferCreate(
            nil, width, height, isDeep ? kCVPixelFormatType_64RGBALE : kCVPixelFormatType_32BGRA, nil, &made)
        guard let buffer = made else {
            let isSize = code == kCVReturnInvalidSize
            throw AVError(
                isSize ? .operationNotSupportedForAsset : .outOfMemory,
                reason: isSize
                    ? "a picture of \(width)x\(height) is larger than pixel buffers are"
                    : "there is no memory for a picture (\(code))")
        }
        buffer.withLockedPlanes([]) { planes in
            for y in 0..<height { isDeep ? copyDeep(y, to: planes[0].row(y)) : copy(y, to: planes[0].row(y)) }
        }
        return buffer
    }

    private func copy(_ y: Int, to row: UnsafeMutableRawBufferPointer) {
        let step = packedBytesPerPixel
        pixels.withUnsafeBufferPointer { pixels in
            var source = y * packedBytesPerRow
            for x in 0..<width {
                (row[4 * x], row[4 * x + 1], row[4 * x + 2]) = (pixels[source + 2], pixels[source + 1], pixels[source])
                row[4 * x + 3] = step == 4 ? pixels[source + 3] : .max
                source += step
            }
        }
    }

    private func copyDeep(_ y: Int, to row: UnsafeMutableRawBufferPointer) {
        let count = packedBytesPerPixel / 2
        pixels.withUnsafeBytes { pixels in
            for x in 0..<width {
                for part in 0..<4 {
                    let place = y * packedBytesPerRow + (x * count + part) * 2
                    let value = part < count ? pixels.loadUnaligned(fromByteOffset: place, as: UInt16.self) : .max
                    row.storeBytes(of: value.littleEndian, toByteOffset: 8 * x + 2 * part, as: UInt16.self)
                }
            }
        }
    }
}
