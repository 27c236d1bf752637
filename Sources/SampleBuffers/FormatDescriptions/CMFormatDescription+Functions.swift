public import Foundation
public import MediaCore

/// What the samples are: `kCMMediaType_Video`.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.mediaType.rawValue }

/// How the samples are coded: ``CMFormatDescription/mediaSubType``.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode {
    desc.mediaSubType.rawValue
}

/// All extensions, `nil` if there are none.
public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? {
    desc.extensions.isEmpty ? nil : PropertyListValue.object(desc.extensions.values)
}

/// The extension of a key, `nil` if there is none.
public func CMFormatDescriptionGetExtension(_ desc: CMFormatDescription, extensionKey: CFString) -> CFPropertyList? {
    desc.extensions.values[String(describing: extensionKey)]?.object
}

/// Whether two descriptions say the same; so do two that are not there.
public func CMFormatDescriptionEqual(
    _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
    formatDescription == otherFormatDescription
}

/// Pixels of the coded picture, zero for anything but video.
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions {
    videoDesc.dimensions
}

/// The size of the picture once it is cropped and its pixels are square:
/// ``CMFormatDescription/presentationDimensions(usePixelAspectRatio:useCleanAperture:)``.
public func CMVideoFormatDescriptionGetPresentationDimensions(
    _ videoDesc: CMVideoFormatDescription, usePixelAspectRatio: Bool, useCleanAperture: Bool
) -> CGSize {
    videoDesc.presentationDimensions(usePixelAspectRatio: usePixelAspectRatio, useCleanAperture: useCleanAperture)
}

/// The part of the coded picture that is meant to be seen: ``CMFormatDescription/cleanAperture(originIsAtTopLeft:)``.
public func CMVideoFormatDescriptionGetCleanAperture(
    _ videoDesc: CMVideoFormatDescription, originIsAtTopLeft: Bool
) -> CGRect {
    videoDesc.cleanAperture(originIsAtTopLeft: originIsAtTopLeft)
}

/// The coding of sound with the size of its packets, `nil` for anything but sound.
///
/// - Returns: Memory that lasts as long as the description.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
    desc.sound?.streamPointer
}

/// How channels are arranged, `nil` if it is not known and for anything but sound.
///
/// - Parameter sizeOut: Is given the size of the layout in bytes, 0 without one.
/// - Returns: Memory that lasts as long as the description.
public func CMAudioFormatDescriptionGetChannelLayout(
    _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
    let layout = desc.sound?.layoutPointer
    sizeOut?.pointee = layout == nil ? 0 : MemoryLayout<AudioChannelLayout>.size
    return layout
}

/// Makes a description of pictures.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - extensions: By the keys of Core Media; what no property list can hold is refused.
///   - formatDescriptionOut: Is given the description, nothing if it fails.
/// - Returns: 0, or -12710 (`kCMFormatDescriptionError_InvalidParameter`).
public func CMVideoFormatDescriptionCreate(
    allocator: CFAllocator?, codecType: CMVideoCodecType, width: Int32, height: Int32, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.pointee = nil
    var values: [String: PropertyListValue] = [:]
    if let extensions {
        guard case .dictionary(let stated) = PropertyListValue(extensions) else {
            return kCMFormatDescriptionError_InvalidParameter
        }
        values = stated
    }
    formatDescriptionOut.pointee = CMFormatDescription(
        mediaType: .video, mediaSubType: CMFormatDescription.MediaSubType(rawValue: codecType),
        dimensions: CMVideoDimensions(width: width, height: height),
        extensions: CMFormatDescription.Extensions(values: values))
    return noErr
}

/// Makes a description of sound.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - layoutSize: Bytes of the layout, 0 without one.
///   - layout: By a tag or a bitmap; descriptions of single channels are not kept.
///   - magicCookieSize: Bytes of what a decoder is set up with, 0 for none.
///   - magicCookie: Of AAC its configuration, by itself or in an MPEG-4 descriptor (`esds`).
///   - formatDescriptionOut: Is given the description.
/// - Returns: 0, or -12710 (`kCMFormatDescriptionError_InvalidParameter`).
public func CMAudioFormatDescriptionCreate(
    allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int,
    layout: UnsafePointer<AudioChannelLayout>?, magicCookieSize: Int, magicCookie: UnsafeRawPointer?,
    extensions: CFDictionary?, formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.pointee = nil
    // Tag and bitmap are the first eight bytes.
    guard layout == nil || layoutSize == 0 || layoutSize >= 12, magicCookieSize == 0 || magicCookie != nil,
        (0...(1 << 20)).contains(magicCookieSize)
    else { return kCMFormatDescriptionError_InvalidParameter }
    let stated = layoutSize == 0 ? nil : layout
    let managed = stated.map { pointer in
        let tag = pointer.pointee.mChannelLayoutTag
        return tag == kAudioChannelLayoutTag_UseChannelBitmap
            ? ManagedAudioChannelLayout(bitmap: pointer.pointee.mChannelBitmap) : ManagedAudioChannelLayout(tag: tag)
    }
    formatDescriptionOut.pointee = CMFormatDescription(
        mediaType: .audio, mediaSubType: CMFormatDescription.MediaSubType(rawValue: asbd.pointee.mFormatID),
        dimensions: CMVideoDimensions(width: 0, height: 0), extensions: [:], streamDescription: asbd.pointee,
        channelLayout: managed,
        magicCookie: Array(UnsafeRawBufferPointer(start: magicCookie, count: magicCookie == nil ? 0 : magicCookieSize)))
    return noErr
}

/// What a decoder of the sound is set up with, as whoever made the description said it; `nil` for nothing.
///
/// - Parameter sizeOut: Is given how many bytes there are, 0 for none.
/// - Returns: Memory that lasts as long as the description.
public func CMAudioFormatDescriptionGetMagicCookie(
    _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
    let cookie = desc.sound?.magicCookie ?? []
    sizeOut?.pointee = cookie.count
    return cookie.isEmpty ? nil : desc.lend("cookie") { cookie }
}

/// What a function that makes a description returns for a value that makes no sense.
public var kCMFormatDescriptionError_InvalidParameter: OSStatus { -12710 }
