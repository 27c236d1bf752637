public import Foundation
public import MediaCore
internal import Synchronization

/// How samples are coded: never changes.
///
/// Two descriptions are the same if they say the same.
///
/// - Note: A type of Core Foundation's on Apple's platforms. Of the sample entries of files
///   (`SampleDescriptionExtensionAtoms`) the parameter sets of H.264 and HEVC are part of it, and the keys of timed metadata.
public final class CMFormatDescription: Sendable {
    /// What the samples are.
    public let mediaType: MediaType
    /// How they are coded; never 0 in the descriptions of a file's tracks.
    ///
    /// Of sound it is Core Audio's format identifier (`aac `, `lpcm`, `.mp3`), whatever the container calls it. Of
    /// other tracks it is the type of a movie's sample entry (`avc1`, `ap4h`), in containers without such entries the
    /// one that a movie would have. Protected samples have their entry's (`encv`, `drms`). A codec that Apple has no
    /// code for has the container's, or else the first four letters of its name.
    ///
    /// - Note: Core Media has no description of codecs that it does not know.
    public let mediaSubType: MediaSubType
    /// Pixels of the coded picture, zero for anything but video.
    public let dimensions: CMVideoDimensions
    /// What it says besides: of pictures colours, fields, apertures and parameter sets, of timed metadata its keys; empty
    /// for anything else.
    ///
    /// - Note: Core Media's also have other parts of sample entries.
    public let extensions: Extensions
    /// What the asset's file tells of the track, for those who know the type.
    package let details: (any Sendable)?
    let sound: SoundFormat?
    private let lent = Mutex<[String: LentBytes]>([:])
    private let kept = Mutex<[String: any Sendable]>([:])

    /// Bytes that last as long as the description.
    ///
    /// - Parameters:
    ///   - name: What they are; the same bytes are lent each time.
    ///   - make: Makes them the first time.
    package func lend(_ name: String, _ make: () -> [UInt8]) -> UnsafeRawPointer {
        lent.withLock { lent in
            let bytes = lent[name] ?? LentBytes.of(make())
            lent[name] = bytes
            return bytes.start
        }
    }

    /// What is made of the description once, and wanted for each of its samples.
    ///
    /// - Parameters:
    ///   - name: What it is.
    ///   - make: Makes it the first time.
    package func kept<Value: Sendable>(_ name: String, _ make: () -> Value) -> Value {
        kept.withLock { kept in
            // One step after the other: a cast of nothing to an optional type succeeds.
            if let known = kept[name], let value = known as? Value { return value }
            let value = make()
            kept[name] = value
            return value
        }
    }

    /// A description of its facts.
    package init(
        mediaType: MediaType, mediaSubType: MediaSubType, dimensions: CMVideoDimensions, extensions: Extensions,
        streamDescription: AudioStreamBasicDescription? = nil, channelLayout: ManagedAudioChannelLayout? = nil,
        magicCookie: [UInt8] = [], details: (any Sendable)? = nil
    ) {
        (self.mediaType, self.mediaSubType, self.dimensions) = (mediaType, mediaSubType, dimensions)
        (self.extensions, self.details) = (extensions, details)
        sound = streamDescription.map { SoundFormat($0, channelLayout: channelLayout, magicCookie: magicCookie) }
    }
}

/// A format description of pictures.
public typealias CMVideoFormatDescription = CMFormatDescription
/// A format description of sound.
public typealias CMAudioFormatDescription = CMFormatDescription
/// A format description of text.
public typealias CMTextFormatDescription = CMFormatDescription
/// A format description of timecode.
public typealias CMTimeCodeFormatDescription = CMFormatDescription
/// A format description of timed metadata.
public typealias CMMetadataFormatDescription = CMFormatDescription
/// A format description of sound and pictures in one.
public typealias CMMuxedFormatDescription = CMFormatDescription
/// A format description of closed captions.
public typealias CMClosedCaptionFormatDescription = CMFormatDescription

extension CMFormatDescription: Hashable {
    /// Whether two descriptions say the same.
    public static func == (a: CMFormatDescription, b: CMFormatDescription) -> Bool {
        a === b
            || a.mediaType == b.mediaType && a.mediaSubType == b.mediaSubType && a.dimensions == b.dimensions
                && a.extensions == b.extensions && a.audioStreamBasicDescription == b.audioStreamBasicDescription
                && a.audioChannelLayout == b.audioChannelLayout && a.sound?.magicCookie == b.sound?.magicCookie
    }

    /// Mixes the description into a hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(mediaType)
        hasher.combine(mediaSubType)
        hasher.combine(dimensions)
        hasher.combine(extensions)
        hasher.combine(audioStreamBasicDescription)
    }
}

extension CMFormatDescription {
    // MARK: Pictures

    /// The size of the picture once it is cropped and its pixels are square, before it is turned.
    ///
    /// - Parameters:
    ///   - usePixelAspectRatio: Whether the width is stretched as the pixels' shape says.
    ///   - useCleanAperture: Whether only the clean aperture counts.
    /// - Returns: Zero for anything but video.
    public func presentationDimensions(usePixelAspectRatio: Bool = true, useCleanAperture: Bool = true) -> CGSize {
        var size = CGSize(width: Double(dimensions.width), height: Double(dimensions.height))
        if useCleanAperture { size = cleanAperture(originIsAtTopLeft: true).size }
        guard usePixelAspectRatio,
            case .dictionary(let ratio) = extensions.values["CVPixelAspectRatio"],
            let horizontal = ratio["HorizontalSpacing"]?.number, let vertical = ratio["VerticalSpacing"]?.number,
            horizontal > 0, vertical > 0
        else { return size }
        size.width = size.width * horizontal / vertical
        return size
    }

    /// The part of the coded picture that is meant to be seen, in its pixels; all of it where nothing is said.
    ///
    /// - Parameter originIsAtTopLeft: Whether `y` counts down from the top rather than up from the bottom.
    /// - Returns: Zero for anything but video.
    public func cleanAperture(originIsAtTopLeft: Bool) -> CGRect {
        let (width, height) = (Double(dimensions.width), Double(dimensions.height))
        guard case .dictionary(let aperture) = extensions.values["CVCleanAperture"],
            let seenWidth = aperture["Width"]?.number, let seenHeight = aperture["Height"]?.number
        else { return CGRect(x: 0, y: 0, width: width, height: height) }
        let down = aperture["VerticalOffset"]?.number ?? 0
        return CGRect(
            x: (width - seenWidth) / 2 + (aperture["HorizontalOffset"]?.number ?? 0),
            y: (height - seenHeight) / 2 + (originIsAtTopLeft ? down : -down), width: seenWidth, height: seenHeight)
    }

    // MARK: Sound

    /// The coding of sound with the size of its packets, `nil` for anything but sound.
    public var audioStreamBasicDescription: AudioStreamBasicDescription? { sound?.streamDescription }

    /// How the channels are arranged, `nil` if it is not known and for anything but sound.
    public var audioChannelLayout: ManagedAudioChannelLayout? { sound?.channelLayout }

    /// What a decoder of the sound is set up with, as whoever made the description said it; `nil` for nothing.
    public var magicCookie: Data? { sound.flatMap { $0.magicCookie.isEmpty ? nil : Data($0.magicCookie) } }

    /// The ways in which the sound can be decoded, the richest one first; empty for anything but sound.
    ///
    /// - Note: One at most: Core Media also lists what high-efficiency AAC is without its extensions.
    public var audioFormatList: [AudioFormatListItem] {
        guard let sound else { return [] }
        let tag = sound.channelLayout?.tag ?? kAudioChannelLayoutTag_Unknown
        return [AudioFormatListItem(mASBD: sound.streamDescription, mChannelLayoutTag: tag)]
    }
}

extension PropertyListValue {
    /// The value of a number.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }
}

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
    formatDescriptionOut.initialize(to: nil)
    var values: [String: PropertyListValue] = [:]
    if let extensions {
        guard case .dictionary(let stated) = PropertyListValue(extensions) else {
            return kCMFormatDescriptionError_InvalidParameter
        }
        values = stated
    }
    formatDescriptionOut.initialize(
        to: CMFormatDescription(
            mediaType: .video, mediaSubType: CMFormatDescription.MediaSubType(rawValue: codecType),
            dimensions: CMVideoDimensions(width: width, height: height),
            extensions: CMFormatDescription.Extensions(values: values)))
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
    formatDescriptionOut.initialize(to: nil)
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
    formatDescriptionOut.initialize(
        to: CMFormatDescription(
            mediaType: .audio, mediaSubType: CMFormatDescription.MediaSubType(rawValue: asbd.pointee.mFormatID),
            dimensions: CMVideoDimensions(width: 0, height: 0), extensions: [:], streamDescription: asbd.pointee,
            channelLayout: managed,
            magicCookie: Array(
                UnsafeRawBufferPointer(start: magicCookie, count: magicCookie == nil ? 0 : magicCookieSize))))
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

/// Bytes in memory that never change, for pointers that are lent.
///
/// Clients write `AVAudioFormat(…)!.streamDescription.pointee` and the like, which on Apple's platforms outlives the
/// format, since pools of autoreleased objects hold it a while longer. Linux has none of these: the pointer would be to
/// memory that is free already. So the bytes that were asked for last stay, whoever holds them, until thousands of
/// others have come; equal ones share them.
///
/// `@unchecked Sendable`: the memory is written once, before anybody else knows of it.
final class LentBytes: @unchecked Sendable {
    /// The first byte, aligned as memory of `malloc` is.
    let start: UnsafeRawPointer

    private init(_ bytes: [UInt8]) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
        memory.copyMemory(from: bytes, byteCount: bytes.count)
        start = UnsafeRawPointer(memory)
    }

    deinit { start.deallocate() }

    /// Bytes in memory that stays at least as long as what is returned.
    static func of(_ bytes: [UInt8]) -> LentBytes {
        guard bytes.count <= mostBytes else { return LentBytes(bytes) }
        return kept.withLock { $0.bytes(bytes) }
    }

    /// The bytes that stay, those asked for last apart from those before.
    private struct Kept {
        var latest: [[UInt8]: LentBytes] = [:]
        var earlier: [[UInt8]: LentBytes] = [:]

        mutating func bytes(_ bytes: [UInt8]) -> LentBytes {
            if let known = latest[bytes] { return known }
            if latest.count >= LentBytes.mostKept { (earlier, latest) = (latest, [:]) }
            let found = earlier[bytes] ?? LentBytes(bytes)
            latest[bytes] = found
            return found
        }
    }

    private static let kept = Mutex(Kept())
    private static let mostKept = 2048
    private static let mostBytes = 1024
}
