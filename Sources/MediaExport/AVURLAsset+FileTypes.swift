public import MediaAsset

extension AVURLAsset {
    /// The types of films and sound that can be opened by default, films first.
    ///
    /// - Note: AVFoundation's list is of what that opens, and has no Matroska, WebM, Ogg and AVI.
    public class func audiovisualTypes() -> [AVFileType] { AVFileType.openable.map(\.type) }

    /// The media types (MIME) of films and sound that can be opened by default: `video/mp4` and so on.
    ///
    /// - Note: AVFoundation's list is of what that opens, as with `audiovisualTypes()`.
    public class func audiovisualMIMETypes() -> [String] {
        AVFileType.openable.flatMap(\.mediaTypes).reduce(into: []) { known, type in
            if !known.contains(type) { known.append(type) }
        }
    }

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
    /// What demuxers are allowed for by default, with the media types of each: the registered or usual one first.
    fileprivate static let openable: [(type: AVFileType, mediaTypes: [String])] = [
        (.mov, ["video/quicktime"]),
        (.mp4, ["video/mp4", "audio/mp4"]),
        (.m4v, ["video/x-m4v"]),
        (.mobile3GPP, ["video/3gpp", "audio/3gpp"]),
        (.mobile3GPP2, ["video/3gpp2", "audio/3gpp2"]),
        (.matroska, ["video/matroska", "video/x-matroska"]),
        (.webM, ["video/webm", "audio/webm"]),
        (.mpeg2TransportStream, ["video/mp2t"]),
        (.avi, ["video/avi", "video/x-msvideo"]),
        (.ogg, ["video/ogg", "audio/ogg", "application/ogg"]),
        (.m4a, ["audio/mp4", "audio/x-m4a"]),
        (.qta, ["audio/quicktime"]),
        (.caf, ["audio/x-caf"]),
        (.wav, ["audio/vnd.wave", "audio/wav", "audio/x-wav"]),
        (.aiff, ["audio/aiff", "audio/x-aiff"]),
        (.aifc, ["audio/aiff", "audio/x-aiff"]),
        (.mp3, ["audio/mpeg", "audio/mp3"]),
        (.amr, ["audio/amr"]),
        (.au, ["audio/basic"]),
        (.ac3, ["audio/ac3"]),
        (.eac3, ["audio/eac3"]),
        (.matroskaAudio, ["audio/matroska", "audio/x-matroska"]),
        (.opus, ["audio/ogg"]),
        (.flac, ["audio/flac"]),
    ]
}
