public import MediaCore

extension AVURLAsset {
    /// The types of films and sound that can be opened by default, films first.
    ///
    /// - Note: AVFoundation's list is of what that opens, and has no Matroska, WebM, Ogg and AVI.
    public class func audiovisualTypes() -> [AVFileType] { AVFileType.openable }

    /// The media types (MIME) of films and sound that can be opened by default: `video/mp4` and so on.
    ///
    /// - Note: AVFoundation's list is of what that opens, as with `audiovisualTypes()`.
    public class func audiovisualMIMETypes() -> [String] {
        audiovisualContentTypes.flatMap { $0.tags[.mimeType] ?? [] }.reduce(into: []) { known, type in
            if !known.contains(type) { known.append(type) }
        }
    }

    /// The uniform types of films and sound that can be opened by default, films first.
    ///
    /// - Note: AVFoundation's list is of what that opens, as with `audiovisualTypes()`.
    public class var audiovisualContentTypes: [UTType] { audiovisualTypes().compactMap { UTType($0.rawValue) } }

    /// Whether files of a media type can be opened, and all codecs that it names decoded.
    ///
    /// - Parameter extendedMIMEType: Such as `video/mp4; codecs="avc1.640028, mp4a.40.2"`.
    /// - Returns: False too for codecs whose names are not known here.
    /// - Note: AVFoundation answers for what that opens and decodes.
    public class func isPlayableExtendedMIMEType(_ extendedMIMEType: String) -> Bool {
        let parts = extendedMIMEType.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmingWhitespace.lowercased() }
        guard let type = parts.first, audiovisualMIMETypes().contains(type) else { return false }
        let name = "codecs="
        let codecs = parts.dropFirst().filter { $0.hasPrefix(name) }.flatMap { parameter in
            parameter.dropFirst(name.count).filter { $0 != "\"" }.split(separator: ",").map(\.trimmingWhitespace)
        }
        return codecs.allSatisfy(MediaTypeCodec.canDecode)
    }
}

extension Substring {
    fileprivate var trimmingWhitespace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension AVFileType {
    /// What demuxers are allowed for by default.
    fileprivate static let openable: [AVFileType] = [
        .mov, .mp4, .m4v, .mobile3GPP, .mobile3GPP2, .matroska, .webM, .mpeg2TransportStream, .avi, .ogg, .m4a, .qta,
        .caf, .wav, .aiff, .aifc, .mp3, .amr, .au, .ac3, .eac3, .matroskaAudio, .opus, .flac,
    ]
}
