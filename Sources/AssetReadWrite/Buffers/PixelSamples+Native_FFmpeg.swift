internal import FFmpegKit
internal import MediaCore
internal import SampleBuffers

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
