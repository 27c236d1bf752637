/// Between the keys of a key space and the common ones.
///
/// For iTunes, QuickTime, ISO user data and ID3 it is AVFoundation's mapping, and what AVFoundation leaves out is left
/// out here: comments, release dates, album artists. Vorbis comments, Matroska tags and audio file properties have no
/// common keys in AVFoundation; that they have them here goes beyond it.
package enum CommonKeys {
    /// Common key = native keys; the first one is written.
    private static let tables: [AVMetadataKeySpace: String] = [
        .iTunes: """
        title=@nam; artist=@ART; albumName=@alb; creator=@wrt; author=@aut; type=@gen,gnre; artwork=covr
        copyrights=cprt; description=@des; publisher=@pub; software=@too
        """,
        .quickTimeMetadata: """
        title=title; artist=artist; albumName=album; author=author; type=genre; artwork=artwork
        copyrights=copyright; description=description; publisher=publisher; software=software
        subject=keywords; creationDate=creationdate; location=location.ISO6709; make=make; model=model
        identifier=content.identifier; accessibilityDescription=accessibility.description
        """,
        .quickTimeUserData: """
        title=@nam; artist=@ART; albumName=@alb; author=@aut; type=@gen; copyrights=@cpy; description=@des
        publisher=@pub; software=@swr; subject=@key; creationDate=@day; location=@xyz; make=@mak; model=@mod
        accessibilityDescription=@ade
        """,
        .isoUserData: """
        title=titl; artist=perf; albumName=albm; author=auth; type=gnre; copyrights=cprt; description=dscp
        subject=kywd; location=loci; accessibilityDescription=ades
        """,
        .id3: """
        title=TIT2; artist=TPE1; albumName=TALB; creator=TCOM; author=TEXT; type=TCON; artwork=APIC
        copyrights=TCOP; description=TIT3; publisher=TPUB; contributor=TOPE; subject=TIT1; language=TLAN
        creationDate=TDAT
        """,
        .vorbisComment: """
        title=TITLE; artist=ARTIST; albumName=ALBUM; creator=COMPOSER; author=AUTHOR,LYRICIST; type=GENRE
        artwork=METADATA_BLOCK_PICTURE,COVERART; copyrights=COPYRIGHT; description=DESCRIPTION
        publisher=PUBLISHER,LABEL,ORGANIZATION; software=ENCODER; subject=SUBJECT,KEYWORDS; language=LANGUAGE
        location=LOCATION; make=MAKE; model=MODEL; creationDate=CREATIONDATE
        """,
        .matroska: """
        title=TITLE; artist=ARTIST,LEAD_PERFORMER; albumName=ALBUM; creator=COMPOSER; author=WRITTEN_BY,AUTHOR
        type=GENRE; copyrights=COPYRIGHT; description=DESCRIPTION; publisher=PUBLISHER,LABEL; software=ENCODER
        subject=SUBJECT,KEYWORDS; language=LANGUAGE; location=LOCATION; make=MAKE; model=MODEL
        creationDate=DATE_RECORDED; artwork=COVER
        """,
        .audioFile: """
        title=INAM,info-title; artist=IART,info-artist; albumName=IPRD,info-album; creator=IMUS,info-composer
        author=IWRI,info-author,info-lyricist; type=IGNR,info-genre; copyrights=ICOP,info-copyright
        description=ICMT,info-comments,info-comment; software=ISFT,info-encoding application; subject=ISBJ,IKEY
        creationDate=ICRD,info-recorded date; language=ILNG; source=ISRC
        """,
    ]

    private struct Mapping {
        var common: [String: AVMetadataKey] = [:]
    }

    private static let mappings: [AVMetadataKeySpace: Mapping] = tables.mapValues { table in
        var mapping = Mapping()
        for row in table.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
            let parts = row.drop { $0 == " " }.split(separator: "=")
            guard parts.count == 2 else { continue }
            let common = AVMetadataKey(rawValue: String(parts[0]))
            let names = parts[1].split(separator: ",").map(String.init)
            for name in names { mapping.common[name] = common }
        }
        return mapping
    }

    /// The common key that a native key stands for, `nil` if there is none.
    ///
    /// - Parameter key: Of version 2.2 or a later one for ID3. Vorbis field names are compared without case.
    static func commonKey(of key: MetadataKey, in keySpace: AVMetadataKeySpace) -> AVMetadataKey? {
        if keySpace == .common { return AVMetadataKey(rawValue: key.text) }
        guard let mapping = mappings[keySpace] else { return nil }
        switch keySpace {
        case .quickTimeMetadata:
            guard key.text.hasPrefix(MetadataKey.quickTimePrefix) else { return nil }
            return mapping.common[String(key.text.dropFirst(MetadataKey.quickTimePrefix.count))]
        case .id3: return mapping.common[ID3FrameNames.longName(of: key)]
        case .vorbisComment: return mapping.common[key.text.uppercased()]
        default: return mapping.common[key.text]
        }
    }
}

extension MetadataKey {
    /// What QuickTime's own metadata keys begin with.
    static let quickTimePrefix = "com.apple.quicktime."
}

extension MetadataEntry {
    /// The common key that the entry's key stands for, `nil` if there is none.
    ///
    /// AVFoundation has none for Vorbis comments, Matroska tags and audio file properties.
    package var commonKey: AVMetadataKey? { CommonKeys.commonKey(of: key, in: keySpace) }
}
