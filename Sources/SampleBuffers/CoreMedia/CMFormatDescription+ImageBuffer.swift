public import Foundation
public import MediaCore

/// Makes a description of pictures as a pixel buffer is: pixel format, size, and what is attached by keys that pixel
/// buffers share with descriptions.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; it has no effect.
///   - imageBuffer: What is attached to it counts as it is now.
///   - formatDescriptionOut: Is given the description.
/// - Returns: 0.
/// - Note: Unlike Core Media's: it does not say the bytes of a row (`CVBytesPerRow`) nor a version.
@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.initialize(to: CMFormatDescription(picture: imageBuffer))
    return noErr
}

/// Whether a description says what a pixel buffer is: pixel format, size, and what is attached by keys that pixel
/// buffers share with descriptions.
///
/// What is attached has to be in both, or in none.
@discardableResult
public func CMVideoFormatDescriptionMatchesImageBuffer(
    _ desc: CMVideoFormatDescription, imageBuffer: CVImageBuffer
) -> Bool {
    guard desc.mediaType == .video, desc.mediaSubType.rawValue == imageBuffer.pixelFormat,
        Int(desc.dimensions.width) == imageBuffer.width, Int(desc.dimensions.height) == imageBuffer.height
    else { return false }
    let attached = imageBuffer.sharedExtensions
    return sharedKeys.allSatisfy { key in
        switch (desc.extensions.values[key], attached[key]) {
        case (nil, nil): true
        case (let stated?, let attached?): stated.isSame(attached)
        default: false
        }
    }
}

/// The keys that pixel buffers share with descriptions.
@discardableResult
public func CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers() -> CFArray {
    NSArray(array: sharedKeys.map { NSString(string: $0) })
}

/// In the order of Core Video's documentation.
private let sharedKeys = [
    kCMFormatDescriptionExtension_CleanAperture, kCMFormatDescriptionExtension_FieldCount,
    kCMFormatDescriptionExtension_FieldDetail, kCMFormatDescriptionExtension_PixelAspectRatio,
    kCMFormatDescriptionExtension_YCbCrMatrix, kCMFormatDescriptionExtension_ColorPrimaries,
    kCMFormatDescriptionExtension_TransferFunction, kCMFormatDescriptionExtension_GammaLevel,
    kCMFormatDescriptionExtension_ICCProfile, kCMFormatDescriptionExtension_ChromaLocationTopField,
    kCMFormatDescriptionExtension_ChromaLocationBottomField,
    kCMFormatDescriptionExtension_MasteringDisplayColorVolume,
    kCMFormatDescriptionExtension_ContentLightLevelInfo, kCMFormatDescriptionExtension_AlphaChannelMode,
].map { String(describing: $0) }

extension CVBuffer {
    /// What is attached by the keys that descriptions share, as far as a property list can hold it.
    fileprivate var sharedExtensions: [String: PropertyListValue] {
        var values: [String: PropertyListValue] = [:]
        for key in sharedKeys {
            guard let object = CVBufferCopyAttachment(self, NSString(string: key), nil) else { continue }
            values[key] = PropertyListValue(object)
        }
        return values
    }
}

extension CMFormatDescription {
    /// Makes a description of pictures as a pixel buffer is:
    /// ``CMVideoFormatDescriptionCreateForImageBuffer(allocator:imageBuffer:formatDescriptionOut:)``.
    ///
    /// - Throws: Never.
    /// - Note: Unlike Core Media's: it does not say the bytes of a row (`CVBytesPerRow`) nor a version.
    public convenience init(imageBuffer: CVImageBuffer) throws { self.init(picture: imageBuffer) }

    /// A description of pictures as a pixel buffer is.
    package convenience init(picture buffer: CVImageBuffer) {
        // Sides of pixel buffers are far shorter than the longest number.
        self.init(
            mediaType: .video, mediaSubType: MediaSubType(rawValue: buffer.pixelFormat),
            dimensions: CMVideoDimensions(width: Int32(clamping: buffer.width), height: Int32(clamping: buffer.height)),
            extensions: Extensions(values: buffer.sharedExtensions))
    }
}

extension PropertyListValue {
    /// Whether two values are the same, whole numbers or not.
    fileprivate func isSame(_ other: PropertyListValue) -> Bool {
        switch (self, other) {
        case (.integer(let one), .real(let two)), (.real(let two), .integer(let one)): Double(one) == two
        case (.dictionary(let ones), .dictionary(let twos)):
            ones.count == twos.count && ones.allSatisfy { key, one in twos[key].map { one.isSame($0) } ?? false }
        case (.list(let ones), .list(let twos)):
            ones.count == twos.count && zip(ones, twos).allSatisfy { $0.isSame($1) }
        default: self == other
        }
    }
}
