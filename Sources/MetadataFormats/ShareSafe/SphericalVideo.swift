internal import MediaIO
internal import MediaMetadata

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
