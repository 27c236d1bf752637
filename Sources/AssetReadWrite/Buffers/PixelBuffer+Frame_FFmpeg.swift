internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import SampleBuffers

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
