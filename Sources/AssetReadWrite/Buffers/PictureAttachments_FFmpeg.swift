internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import SampleBuffers

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
