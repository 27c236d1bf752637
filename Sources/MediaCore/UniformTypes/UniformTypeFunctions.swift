public import Foundation

// The names of the years before `UTType`.

/// Filename extensions, without their dots.
public var kUTTagClassFilenameExtension: CFString { "public.filename-extension" }
/// MIME types.
public var kUTTagClassMIMEType: CFString { "public.mime-type" }

/// The preferred name of a type of data.
///
/// - Parameters:
///   - inUTI: The type's identifier.
///   - inTagClass: `kUTTagClassFilenameExtension` or `kUTTagClassMIMEType`.
/// - Returns: `nil` if the type is not known or has no such name; the caller takes it with `takeRetainedValue()`.
public func UTTypeCopyPreferredTagWithClass(_ inUTI: CFString, _ inTagClass: CFString) -> Unmanaged<CFString>? {
    let tagClass = UTTagClass(rawValue: String(describing: inTagClass))
    let tag = UTType(String(describing: inUTI))?.tags[tagClass]?.first
    return tag.map { Unmanaged.passRetained(CFString(string: $0)) }
}

/// The identifier of the type that a name stands for.
///
/// - Parameters:
///   - inTagClass: `kUTTagClassFilenameExtension` or `kUTTagClassMIMEType`.
///   - inTag: A filename extension or a MIME type.
///   - inConformingToUTI: What the type must conform to, nothing for `nil`.
/// - Returns: `nil` if no known type has it; the caller takes it with `takeRetainedValue()`.
public func UTTypeCreatePreferredIdentifierForTag(
    _ inTagClass: CFString, _ inTag: CFString, _ inConformingToUTI: CFString?
) -> Unmanaged<CFString>? {
    var supertype: UTType?
    if let wanted = inConformingToUTI {
        guard let type = UTType(String(describing: wanted)) else { return nil }
        supertype = type
    }
    let type = UTType(
        tag: String(describing: inTag), tagClass: UTTagClass(rawValue: String(describing: inTagClass)),
        conformingTo: supertype)
    return type.map { Unmanaged.passRetained(CFString(string: $0.identifier)) }
}

/// Whether a type is another one, or a kind of it.
public func UTTypeConformsTo(_ inUTI: CFString, _ inConformsToUTI: CFString) -> Bool {
    guard let type = UTType(String(describing: inUTI)), let other = UTType(String(describing: inConformsToUTI)) else {
        return false
    }
    return type.conforms(to: other)
}

/// `public.movie`.
public var kUTTypeMovie: CFString { "public.movie" }
/// `public.video`.
public var kUTTypeVideo: CFString { "public.video" }
/// `public.audio`.
public var kUTTypeAudio: CFString { "public.audio" }
/// `public.audiovisual-content`.
public var kUTTypeAudiovisualContent: CFString { "public.audiovisual-content" }
/// `public.image`.
public var kUTTypeImage: CFString { "public.image" }
/// `public.data`.
public var kUTTypeData: CFString { "public.data" }
/// `com.apple.quicktime-movie`.
public var kUTTypeQuickTimeMovie: CFString { "com.apple.quicktime-movie" }
/// `public.mpeg-4`.
public var kUTTypeMPEG4: CFString { "public.mpeg-4" }
/// `public.mpeg-4-audio`.
public var kUTTypeMPEG4Audio: CFString { "public.mpeg-4-audio" }
/// `public.mpeg`.
public var kUTTypeMPEG: CFString { "public.mpeg" }
/// `public.mpeg-2-video`.
public var kUTTypeMPEG2Video: CFString { "public.mpeg-2-video" }
/// `public.avi`.
public var kUTTypeAVIMovie: CFString { "public.avi" }
/// `public.mp3`.
public var kUTTypeMP3: CFString { "public.mp3" }
/// `com.microsoft.waveform-audio`.
public var kUTTypeWaveformAudio: CFString { "com.microsoft.waveform-audio" }
/// `public.aiff-audio`.
public var kUTTypeAudioInterchangeFileFormat: CFString { "public.aiff-audio" }
/// `public.jpeg`.
public var kUTTypeJPEG: CFString { "public.jpeg" }
/// `public.png`.
public var kUTTypePNG: CFString { "public.png" }
/// `com.compuserve.gif`.
public var kUTTypeGIF: CFString { "com.compuserve.gif" }
/// `public.tiff`.
public var kUTTypeTIFF: CFString { "public.tiff" }
/// `com.microsoft.bmp`.
public var kUTTypeBMP: CFString { "com.microsoft.bmp" }
/// `com.adobe.pdf`.
public var kUTTypePDF: CFString { "com.adobe.pdf" }
/// `public.plain-text`.
public var kUTTypePlainText: CFString { "public.plain-text" }
/// `public.folder`.
public var kUTTypeFolder: CFString { "public.folder" }
