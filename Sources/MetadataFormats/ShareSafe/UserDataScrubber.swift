internal import MediaIO
internal import MediaMetadata

/// Looks through the user data of MPEG-1, MPEG-2 and MPEG-4 part 2.
///
/// Source: ISO/IEC 13818-2, 6.3.4.1; ISO/IEC 14496-2, 6.2.2; ATSC A/53 part 4.
enum UserDataScrubber {
    private static let code: UInt8 = 0xB2

    static func patches(in bytes: UnsafeRawBufferPointer, isMPEG4: Bool) -> [SamplePatch] {
        NALScrubber.unitsBetweenStartCodes(bytes).compactMap { unit in
            guard bytes[unit.lowerBound] == code, unit.count > 1 else { return nil }
            let content = bytes[(unit.lowerBound + 1)..<unit.upperBound]
            let kept = isMPEG4 ? encoderName(content) : isCaptions(content) ? content.count : 0
            let rest = content.dropFirst(kept)
            guard rest.contains(where: { $0 != 0xFF }) else { return nil }
            return SamplePatch(
                offset: rest.startIndex, bytes: [UInt8](repeating: 0xFF, count: rest.count),
                reason: isMPEG4 ? "user data" : "user data that are no captions")
        }
    }

    private static func isCaptions(_ content: Slice<UnsafeRawBufferPointer>) -> Bool {
        let head = String(latin1: content.prefix(4))
        return head == "GA94" && [3, 6].contains(content.dropFirst(4).first ?? 0) || head == "DTG1"
            || content.starts(with: [0x43, 0x43, 0x01, 0xF8])
    }

    /// The length of an encoder's name and version, by which decoders know its errors.
    private static func encoderName(_ content: Slice<UnsafeRawBufferPointer>) -> Int {
        for name in ["DivX", "XviD", "Lavc", "FFmpeg"] where content.starts(with: name.utf8) {
            let version = content.dropFirst(name.utf8.count).prefix { byte in
                byte >= 0x30 && byte <= 0x39 || [0x2E, 0x62, 0x70, 0x42, 0x75, 0x69, 0x6C, 0x64].contains(byte)
            }
            return name.utf8.count + version.prefix(20).count
        }
        return 0
    }
}

/// Looks through the segments of pictures of Motion JPEG.
enum JPEGScrubber {
    static func patches(in bytes: UnsafeRawBufferPointer) -> [SamplePatch] {
        var patches: [SamplePatch] = []
        var position = 0
        while position + 3 < bytes.count {
            guard bytes[position] == 0xFF else {
                position += 1
                continue
            }
            let marker = bytes[position + 1]
            if marker == 0xD9, let patch = rest(bytes, from: position + 2) { return patches + [patch] }
            guard marker >= 0xC0, marker < 0xFF, !(0xD0...0xD9).contains(marker) else {
                position += marker == 0xFF ? 1 : 2
                continue
            }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            let end = position + 2 + length
            guard length >= 2, end <= bytes.count else { break }
            let content = bytes[(position + 4)..<end]
            if let reason = reason(marker, content) {
                // Any number of these may stand before a marker.
                patches.append(
                    SamplePatch(
                        offset: position, bytes: [UInt8](repeating: 0xFF, count: end - position), reason: reason))
            }
            position = end
        }
        return patches
    }

    /// What follows the end of a picture, but for zeros and a second picture, of the other field.
    private static func rest(_ bytes: UnsafeRawBufferPointer, from start: Int) -> SamplePatch? {
        let rest = bytes[start...]
        guard let first = rest.firstIndex(where: { $0 != 0 }) else { return nil }
        if first + 1 < bytes.count, bytes[first] == 0xFF, [0xD8, 0xFF].contains(bytes[first + 1]) { return nil }
        return SamplePatch(
            offset: start, bytes: [UInt8](repeating: 0, count: rest.count), reason: "bytes after the end of a picture")
    }

    private static func reason(_ marker: UInt8, _ content: Slice<UnsafeRawBufferPointer>) -> String? {
        switch marker {
        case 0xE0 where content.starts(with: "JFIF\0".utf8) && content.count <= 14: return nil
        case 0xE0 where content.starts(with: "AVI1".utf8) && content.count <= 14: return nil
        case 0xEE where content.starts(with: "Adobe".utf8) && content.count <= 12: return nil
        // Where fields lie, in QuickTime's Motion JPEG A.
        case 0xE1 where content.dropFirst(4).starts(with: "mjpg".utf8): return nil
        case 0xFE: return "a comment"
        case 0xE1: return "EXIF or XMP"
        case 0xE0...0xEF, 0xF0...0xFD: return "application data"
        default: return nil
        }
    }
}

/// The description of spherical video that lies in a `uuid` box of a track: XML, of which players need a few numbers.
///
/// Source: Spherical Video RFC, version 1.
package enum SphericalVideo {
    /// What the box begins with.
    package static let identifier: [UInt8] = [
        0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52, 0x1F, 0xDD,
    ]

    /// Elements that say how the picture lies on the sphere.
    static let keptElements: Set<String> = [
        "Spherical", "Stitched", "ProjectionType", "StereoMode", "InitialViewHeadingDegrees", "InitialViewPitchDegrees",
        "InitialViewRollDegrees", "FullPanoWidthPixels", "FullPanoHeightPixels", "CroppedAreaImageWidthPixels",
        "CroppedAreaImageHeightPixels", "CroppedAreaLeftPixels", "CroppedAreaTopPixels",
    ]

    private static let attributes: Set<String> = [
        "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"",
        "xmlns:GSpherical=\"http://ns.google.com/videos/1.0/spherical/\"",
    ]

    /// The XML with all other texts blanked, as long as it was; `nil` if it holds what is not known.
    package static func shareable(_ bytes: [UInt8]) -> [UInt8]? {
        var result = bytes
        var position = 0
        var element = ""
        while position < bytes.count {
            guard bytes[position] == 0x3C else {
                let end = bytes[position...].firstIndex(of: 0x3C) ?? bytes.count
                let text = bytes[position..<end]
                let isWord = text.count <= 32 && text.allSatisfy { $0 > 0x20 && $0 < 0x7F }
                if !(keptElements.contains(element) && isWord) {
                    for index in text.indices where text[index] > 0x20 { result[index] = 0x20 }
                }
                position = end
                continue
            }
            guard let end = bytes[position...].firstIndex(of: 0x3E) else { return nil }
            let tag = String(latin1: bytes[(position + 1)..<end])
            guard let name = name(ofTag: tag) else { return nil }
            element = name
            position = end + 1
        }
        return result
    }

    /// The element that a tag opens, nothing for one that it closes; `nil` for a tag that is not known.
    private static func name(ofTag tag: String) -> String? {
        if tag.hasPrefix("?xml version=\"1.0\"") { return tag.count <= 32 ? "" : nil }
        let words = tag.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { return nil }
        if first == "rdf:SphericalVideo" { return words.dropFirst().allSatisfy(attributes.contains) ? "" : nil }
        if tag == "/rdf:SphericalVideo" { return "" }
        guard words.count == 1 else { return nil }
        if first.hasPrefix("/GSpherical:") { return "" }
        guard first.hasPrefix("GSpherical:"), first.utf8.count <= 48 else { return nil }
        return String(first.dropFirst("GSpherical:".count))
    }
}
