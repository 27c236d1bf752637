public import Foundation

/// What is known of uniform types.
///
/// Source: Apple's "System-declared uniform type identifiers"; types of the free formats as their makers declare them.
struct UniformTypeTable: Sendable {
    struct Row: Sendable {
        var identifier: String
        var name: String
        var extensions: [String]
        var mimeTypes: [String]
        var supertypes: [String]
    }

    static let all = UniformTypeTable(lines: lines)

    let rows: [String: Row]
    /// Identifiers by their names; where types share one, the first line's is the preferred one.
    let byTag: [UTTagClass: [String: [String]]]

    private init(lines: String) {
        var rows: [String: Row] = [:]
        var tags: [UTTagClass: [String: [String]]] = [.filenameExtension: [:], .mimeType: [:]]
        for line in lines.split(separator: "\n") {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 5 else { continue }
            func words(_ index: Int) -> [String] { fields[index].split(separator: " ").map(String.init) }
            let row = Row(
                identifier: fields[0], name: fields[1], extensions: words(2), mimeTypes: words(3),
                supertypes: words(4))
            rows[row.identifier] = row
            for tag in row.extensions { tags[.filenameExtension]?[tag, default: []].append(row.identifier) }
            for tag in row.mimeTypes { tags[.mimeType]?[tag, default: []].append(row.identifier) }
        }
        (self.rows, byTag) = (rows, tags)
    }

    /// Identifier, name, filename extensions, MIME types, what it conforms to.
    private static let lines = """
        public.item|Item|||
        public.content|Content|||
        public.composite-content|Composite content|||public.content
        public.data|Data|||public.item
        public.directory|Folder|||public.item
        public.folder|Folder|||public.directory
        com.apple.package|Package|||public.directory
        public.url|URL|||public.data
        public.text|Text|||public.data public.content
        public.plain-text|Plain text|txt text|text/plain|public.text
        public.utf8-plain-text|UTF-8 text|||public.plain-text
        public.html|HTML|html htm shtml shtm|text/html|public.text
        public.xml|XML|xml|application/xml text/xml|public.text
        public.json|JSON|json|application/json|public.text
        com.apple.property-list|Property list|plist||public.data
        public.archive|Archive|||public.data
        public.zip-archive|ZIP archive|zip|application/zip|public.archive
        org.gnu.gnu-zip-archive|Gzip archive|gz gzip|application/gzip application/x-gzip|public.archive
        com.adobe.pdf|PDF document|pdf|application/pdf|public.data public.composite-content
        public.playlist|Playlist|||public.data
        public.m3u-playlist|M3U playlist|m3u m3u8|audio/mpegurl audio/x-mpegurl application/vnd.apple.mpegurl \
        application/x-mpegurl|public.text public.playlist
        public.audiovisual-content|Audiovisual content|||public.data public.content
        public.movie|Movie|||public.audiovisual-content
        public.video|Video|||public.movie
        public.audio|Audio|||public.audiovisual-content
        public.image|Image|||public.data public.content
        com.apple.quicktime-movie|QuickTime movie|mov qt|video/quicktime|public.movie
        public.mpeg|MPEG movie|mpg mpeg mpe m75 m15|video/mpeg video/mpg video/x-mpeg video/x-mpg|public.movie
        public.mpeg-2-video|MPEG-2 video|m2v|video/mpeg2|public.video
        public.mpeg-2-transport-stream|MPEG-2 transport stream|ts|video/mp2t|public.movie
        public.mpeg-4|MPEG-4 movie|mp4 mpg4|video/mp4 video/mp4v application/mp4|public.movie
        public.mpeg-4-audio|MPEG-4 audio|mp4|audio/mp4|public.audio
        com.apple.protected-mpeg-4-audio|Protected MPEG-4 audio|m4p||public.audio
        public.avi|AVI movie|avi vfw|video/avi video/msvideo video/x-msvideo|public.movie
        com.apple.m4v-video|Apple MPEG-4 movie|m4v|video/x-m4v|public.mpeg-4
        com.apple.m4a-audio|Apple MPEG-4 audio|m4a|audio/x-m4a audio/mp4|public.mpeg-4-audio
        public.3gpp|3GPP movie|3gp 3gpp sdv|video/3gpp audio/3gpp|public.movie
        public.3gpp2|3GPP2 movie|3g2 3gp2|video/3gpp2 audio/3gpp2|public.movie
        org.matroska.mkv|Matroska video|mkv mk3d|video/x-matroska video/matroska|public.movie
        org.matroska.mka|Matroska audio|mka|audio/x-matroska audio/matroska|public.audio
        org.webmproject.webm|WebM movie|webm|video/webm audio/webm|public.movie
        org.xiph.ogg|Ogg|ogg oga ogv|application/ogg audio/ogg video/ogg|public.audiovisual-content
        org.xiph.opus|Opus audio|opus|audio/opus|public.audio
        org.xiph.flac|FLAC audio|flac|audio/flac audio/x-flac|public.audio
        com.microsoft.windows-media-wmv|Windows Media video|wmv|video/x-ms-wmv|public.movie
        com.microsoft.advanced-systems-format|Advanced Systems Format|asf|video/x-ms-asf|public.movie
        com.adobe.flash.video|Flash video|flv|video/x-flv|public.movie
        public.avchd-mpeg-2-transport-stream|AVCHD transport stream|mts m2ts||public.movie
        public.dv-movie|DV movie|dv dif|video/x-dv|public.movie
        org.smpte.mxf|MXF movie|mxf|application/mxf|public.movie
        public.mp3|MP3 audio|mp3 mpga|audio/mpeg audio/mpeg3 audio/mpg audio/mp3 audio/x-mpeg audio/x-mp3 \
        audio/x-mpeg3 audio/x-mpg|public.audio
        com.microsoft.waveform-audio|Waveform audio|wav wave bwf|audio/vnd.wave audio/wav audio/wave \
        audio/x-wav|public.audio
        public.aiff-audio|AIFF audio|aiff aif|audio/aiff audio/x-aiff|public.aifc-audio
        public.aifc-audio|AIFF-C audio|aifc aiff aif cdda|audio/aiff audio/x-aiff|public.audio
        public.midi-audio|MIDI audio|midi mid smf kar|audio/midi|public.audio
        com.apple.coreaudio-format|Core Audio format|caf|audio/x-caf|public.audio
        public.au-audio|AU audio|au ulw snd|audio/basic audio/au|public.audio
        public.ac3-audio|AC-3 audio|ac3|audio/ac3|public.audio
        public.enhanced-ac3-audio|Enhanced AC-3 audio|eac3 ec3|audio/eac3|public.audio
        public.aac-audio|AAC audio|aac adts|audio/aac audio/x-aac|public.audio
        org.3gpp.adaptive-multi-rate-audio|AMR audio|amr|audio/amr|public.audio
        com.apple.quicktime-audio|QuickTime audio|qta|audio/quicktime|public.audio
        public.jpeg|JPEG image|jpeg jpg jpe|image/jpeg image/jpg|public.image
        public.png|PNG image|png|image/png|public.image
        com.compuserve.gif|GIF image|gif|image/gif|public.image
        public.tiff|TIFF image|tiff tif|image/tiff|public.image
        com.microsoft.bmp|Windows bitmap image|bmp dib|image/bmp image/x-ms-bmp|public.image
        com.microsoft.ico|Windows icon|ico|image/vnd.microsoft.icon image/x-icon|public.image
        com.apple.icns|Apple icon|icns||public.image
        public.heic|HEIC image|heic|image/heic|public.heif-standard
        public.heif|HEIF image|heif|image/heif|public.heif-standard
        public.heics|HEIC sequence|heics|image/heic-sequence|public.heif-standard
        org.webmproject.webp|WebP image|webp|image/webp|public.image
        public.svg-image|SVG image|svg svgz|image/svg+xml|public.image
        public.camera-raw-image|Raw image|||public.image
        com.adobe.raw-image|Digital negative|dng|image/x-adobe-dng|public.camera-raw-image
        com.ilm.openexr-image|OpenEXR image|exr||public.image
        public.jpeg-xl|JPEG XL image|jxl|image/jxl|public.image
        com.apple.live-photo|Live photo|||
        public.avif|AVIF image|avif|image/avif|public.heif-standard
        public.avci|AVCI image|avci|image/avci|public.heif-standard
        public.heif-standard|HEIF standard|||public.image
        public.jpeg-2000|JPEG 2000 image|jp2 jpf jpx j2k j2c|image/jp2 image/jpx|public.image
        com.apple.itunes-timed-text|iTunes timed text|itt||public.text
        com.scenarist.closed-caption|Scenarist closed captions|scc||public.text
        org.w3.webvtt|WebVTT subtitles|vtt webvtt|text/vtt|public.text
        public.subrip|SubRip subtitles|srt|application/x-subrip|public.text
        public.haptics-content|Haptic pattern|ahap||public.json
        com.apple.protected-mpeg-4-video|Protected MPEG-4 video|m4v||public.movie
        """
}

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
