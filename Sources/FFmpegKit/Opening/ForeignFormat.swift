internal import CFFmpeg
internal import MediaContainers
internal import MediaIO

/// A well-known kind of file that cannot be read, recognised by its first bytes.
///
/// So that a message can say what a file is, and not only that it is nothing
/// that is known.
package struct ForeignFormat {
    /// What it is, with its article: `a PDF document`.
    let name: String

    /// Bytes at the beginning that are looked at.
    private static let byteCount = 4096

    /// Whether it is one of the formats whose files name others.
    var isPlaylist: Bool { Self.playlists.contains(name) }

    private static let segmentList = "an HLS or M3U playlist"
    private static let playlists = [segmentList, "a DASH manifest", "a list of files to join"]
    /// Whether FFmpeg from version 7 on does not say that it is one, as it goes by the name.
    var isUnnoticedPlaylist: Bool { name == Self.segmentList }

    /// Formats that are off by default and that open nothing else, with FFmpeg's names of them.
    private static let off = ["a RealMedia file": "rm", "a Monkey's Audio file": "ape", "a True Audio file": "tta"]
    /// FFmpeg's name of the format, if that is all that keeps the file from being read.
    var nameToAllow: String? { Self.off[name] }

    /// `nil` if the file is of no kind that is known.
    init?(of file: RandomAccessFile) { self.init(file.read(at: 0, count: Self.byteCount)) }

    /// - Parameter bytes: The beginning of a file.
    init?(_ bytes: [UInt8]) {
        guard let name = Self.boxes(bytes) ?? Self.riff(bytes) ?? Self.signature(bytes) ?? Self.markup(bytes) else {
            return nil
        }
        self.name = name
    }

    /// Still pictures in ISO base media files, by their brands.
    private static func boxes(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 16, bytes[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        let length = Int(bytes[2]) << 8 | Int(bytes[3])
        let brands = stride(from: 8, to: min(max(16, length), bytes.count - 3), by: 4).filter { $0 != 12 }
            .map { String(decoding: bytes[$0..<($0 + 4)], as: UTF8.self) }
        // The first brand that says something decides: the major one, then those that it is compatible with.
        for brand in brands {
            switch brand {
            case "heic", "heix", "heim", "heis", "hevc", "hevx": return "a HEIC picture"
            case "avif", "avis": return "an AVIF picture of a kind that this FFmpeg does not read"
            case "crx ": return "a Canon raw photo (CR3)"
            case "jxl ": return "a JPEG XL picture"
            default: continue
            }
        }
        return brands.contains("mif1") || brands.contains("msf1") ? "a HEIF picture" : nil
    }

    /// Whether the file is a WebP animation, which this FFmpeg opens and cannot decode.
    package static func isAnimatedWebP(_ bytes: [UInt8]) -> Bool {
        bytes.count > 20 && bytes.starts(with: "RIFF".utf8) && bytes[8..<16].elementsEqual("WEBPVP8X".utf8)
            && bytes[20] & 2 != 0
    }

    private static func riff(_ bytes: [UInt8]) -> String? { isAnimatedWebP(bytes) ? "an animated WebP picture" : nil }

    private static let signatures: [(at: Int, bytes: [UInt8], name: String)] = [
        (0, Array(".RMF".utf8), "a RealMedia file"),
        (0, Array("MAC ".utf8), "a Monkey's Audio file"),
        (0, Array("TTA1".utf8), "a True Audio file"),
        (0, Array("%PDF".utf8), "a PDF document"),
        (0, [0xff, 0x0a], "a JPEG XL picture"),
        (0, [0, 0, 0, 12] + Array("JXL ".utf8), "a JPEG XL picture"),
        (0, [0, 0, 0, 12] + Array("jP  ".utf8), "a JPEG 2000 picture"),
        (0, Array("FUJIFILMCCD-RAW".utf8), "a Fujifilm raw photo"),
        (0, Array("IIRO".utf8), "an Olympus raw photo"),
        (0, Array("IIU\0".utf8), "a Panasonic raw photo"),
        (8, Array("CR\u{2}".utf8), "a Canon raw photo (CR2)"),
        (0, Array("II*\0".utf8), "a TIFF picture or a raw photo"),
        (0, Array("MM\0*".utf8), "a TIFF picture or a raw photo"),
        (0, [0xff, 0xd8, 0xff], "a JPEG picture that this FFmpeg cannot read"),
        (0, Array("8BPS".utf8), "a Photoshop document"),
        (0, Array("gimp xcf".utf8), "a GIMP picture"),
        (4, Array("RED1".utf8), "a RED raw film (R3D)"),
        (4, Array("RED2".utf8), "a RED raw film (R3D)"),
        (0, Array("PK\u{3}\u{4}".utf8), "a ZIP archive, or a document in one"),
        (0, Array("Rar!".utf8), "a RAR archive"),
        (0, [0x37, 0x7a, 0xbc, 0xaf], "a 7-Zip archive"),
        (0, [0x1f, 0x8b], "a gzip archive"),
        (0, [0xfd, 0x37, 0x7a, 0x58, 0x5a], "an xz archive"),
        (0, [0x28, 0xb5, 0x2f, 0xfd], "a Zstandard archive"),
        (0, Array("BZh".utf8), "a bzip2 archive"),
        (257, Array("ustar".utf8), "a tar archive"),
        (0, [0x7f] + Array("ELF".utf8), "a program"),
        (0, Array("MZ".utf8), "a program for Windows"),
        (0, Array("SQLite format 3".utf8), "an SQLite database"),
        (128, Array("DICM".utf8), "a DICOM picture"),
        (0, Array("MThd".utf8), "a MIDI file"),
        (0, Array("#!AMR-WB+".utf8), "AMR-WB+ sound"),
        (0, Array("WEBVTT".utf8), "subtitles without a film (WebVTT)"),
        (0, Array("d8:announce".utf8), "a torrent, not what it names"),
    ]

    private static func signature(_ bytes: [UInt8]) -> String? {
        signatures.first { $0.at < bytes.count && bytes[$0.at...].starts(with: $0.bytes) }?.name
    }

    private static func markup(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{feff}" }.lowercased()
        if text.hasPrefix("#extm3u") { return segmentList }
        if text.hasPrefix("ffconcat") { return "a list of files to join" }
        if text.contains("<mpd") { return "a DASH manifest" }
        guard text.hasPrefix("<") else { return nil }
        if text.contains("<svg") { return "an SVG drawing" }
        return text.hasPrefix("<!doctype html") || text.hasPrefix("<html") ? "a web page" : nil
    }
}

extension FFmpegError {
    /// The error with what the file is, where that is known and explains it.
    func explained(by format: ForeignFormat?, _ policy: SafetyPolicy) -> FFmpegError {
        guard let format, kind == .damaged || kind == .unsupported else { return self }
        if let name = format.nameToAllow {
            guard !policy.additionalFormats.contains(name) else { return self }
            return FFmpegError(
                kind: .unsupported, code: code, operation: operation,
                reason: "\(format.name): this format is off by default; \(DecoderAvailability.option(name)) turns it on"
            )
        }
        let isRefused =
            reason.hasPrefix("this format is not allowed")
            || format.isUnnoticedPlaylist && !policy.allowsNesting
        guard !format.isPlaylist || isRefused else { return self }
        let why =
            format.isPlaylist
            ? "this format is not allowed, because it makes a reader open other files" : "this is not supported"
        return FFmpegError(kind: .unsupported, code: code, operation: operation, reason: "\(format.name): \(why)")
    }
}

/// Tracks of movies whose samples lie in another file, as a data reference says.
///
/// That file is never opened, and FFmpeg takes what stands at those places in this one for the samples.
enum ForeignSamples {
    /// The numbers of such tracks.
    static func trackIDs(in boxes: MovieBoxes) -> Set<Int> {
        var found: Set<Int> = []
        for movie in boxes.all where movie.type == "moov" {
            for track in boxes.named("trak", in: movie) where isForeign(track, boxes) {
                guard let header = boxes.named("tkhd", in: track).first, let version = boxes.number(header, 0) else {
                    continue
                }
                if let id = boxes.number(header, version >> 24 == 1 ? 20 : 12) { found.insert(Int(id)) }
            }
        }
        return found
    }

    /// Whether all that a track refers to are other files, by name: muxers forget to say that it is this one, and give
    /// no name then.
    private static func isForeign(_ track: Box, _ boxes: MovieBoxes) -> Bool {
        guard let list = boxes.named("mdia", "minf", "dinf", "dref", in: track).first, list.content.length > 8 else {
            return false
        }
        var position = list.content.lowerBound + 8
        var count = 0
        while count < maximumReferences, let reference = boxes.reader.firstBox(in: position..<list.content.upperBound) {
            guard let flags = boxes.number(reference, 0), flags & 1 == 0, reference.content.length > 5 else {
                return false
            }
            position = reference.content.upperBound
            count += 1
        }
        return count > 0
    }

    /// More are not looked at.
    private static let maximumReferences = 16
}

/// Which formats and decoders may be allowed besides those that are.
package enum FormatAllowance {
    /// Formats that open further files past the hook that checks them.
    private static let unknown = "FFmpeg knows no format and no decoder of this name"
    private static let unchecked: Set<String> = ["concat", "dash", "image2", "imf", "rtp", "rtsp", "sdp", "vobsub"]

    /// Why a format or a decoder cannot be allowed, `nil` if it can.
    package static func objection(toAllowing name: String) -> String? {
        guard !name.isEmpty, !name.contains(",") else { return unknown }
        guard let format = av_find_input_format(name) else {
            return avcodec_find_decoder_by_name(name) == nil ? unknown : nil
        }
        if unchecked.contains(name) || format.pointee.flags & AVFMT_NOFILE != 0 {
            return "this format opens other files without asking whether it may, and cannot be allowed"
        }
        return nil
    }
}
