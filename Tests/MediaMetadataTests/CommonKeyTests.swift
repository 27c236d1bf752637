import MediaMetadata
import Testing

@Suite struct `Constants` {
    @Test(arguments: [
        (AVMetadataIdentifier.iTunesMetadataSongName, "itsk/%A9nam"),
        (.iTunesMetadataCoverArt, "itsk/covr"),
        (.quickTimeMetadataLocationISO6709, "mdta/com.apple.quicktime.location.ISO6709"),
        (.quickTimeMetadataCameraISOSensitivity, "mdta/org.smpte.rdd18.camera.isosensitivity"),
        (.quickTimeUserDataFullName, "udta/%A9nam"),
        (.isoUserDataCopyright, "uiso/cprt"),
        (.identifier3GPUserDataCopyright, "uiso/cprt"),
        (.id3MetadataTitleDescription, "id3/TIT2"),
        (.id3MetadataInvolvedPeopleList_v23, "id3/IPLS"),
        (.icyMetadataStreamTitle, "icy/StreamTitle"),
        (.commonIdentifierTitle, "common/title"),
        (.commonIdentifierAssetIdentifier, "common/identifier"),
    ])
    func `Constants of identifiers have their text`(_ identifier: AVMetadataIdentifier, _ text: String) {
        #expect(identifier.rawValue == text)
        #expect(identifier.key != nil)
    }

    @Test(arguments: [
        (AVMetadataKey.iTunesMetadataKeySongName, "@nam"),
        (.id3MetadataKeyTitleDescription, "TIT2"),
        (.quickTimeMetadataKeyTitle, "com.apple.quicktime.title"),
        (.quickTimeUserDataKeyFullName, "@nam"),
        (.metadata3GPUserDataKeyCopyright, "cprt"),
        (.isoUserDataKeyTaggedCharacteristic, "tagc"),
        (.commonKeyCopyrights, "copyrights"),
        (.commonKeyIdentifier, "identifier"),
        (.icyMetadataKeyStreamURL, "StreamUrl"),
    ])
    func `Constants of keys have their text`(_ key: AVMetadataKey, _ text: String) { #expect(key.rawValue == text) }
}

@Suite struct `Common keys` {
    static let mappings: [(String, AVMetadataKey?)] = [
        ("itsk/%A9nam", .commonKeyTitle), ("itsk/%A9ART", .commonKeyArtist), ("itsk/%A9alb", .commonKeyAlbumName),
        ("itsk/%A9too", .commonKeySoftware), ("itsk/covr", .commonKeyArtwork), ("itsk/gnre", .commonKeyType),
        ("itsk/%A9gen", .commonKeyType), ("itsk/%A9wrt", .commonKeyCreator), ("itsk/%A9day", nil), ("itsk/desc", nil),
        ("itsk/ldes", nil), ("itsk/tvsh", nil), ("itsk/aART", nil), ("itsk/%A9cmt", nil),
        ("itlk/com.apple.iTunes.title", nil),
        ("mdta/com.apple.quicktime.creationdate", .commonKeyCreationDate),
        ("mdta/com.apple.quicktime.make", .commonKeyMake),
        ("mdta/com.apple.quicktime.location.ISO6709", .commonKeyLocation),
        ("mdta/com.apple.quicktime.location.accuracy.horizontal", nil),
        ("mdta/com.apple.quicktime.content.identifier", .commonKeyIdentifier), ("mdta/title", nil),
        ("udta/%A9day", .commonKeyCreationDate), ("udta/%A9swr", .commonKeySoftware), ("udta/%A9cmt", nil),
        ("uiso/titl", .commonKeyTitle), ("uiso/perf", .commonKeyArtist), ("uiso/yrrc", nil),
        ("id3/TIT2", .commonKeyTitle), ("id3/%00TT2", .commonKeyTitle), ("id3/%00PIC", .commonKeyArtwork),
        ("id3/TDAT", .commonKeyCreationDate), ("id3/%00TDA", .commonKeyCreationDate), ("id3/TYER", nil),
        ("id3/TDRC", nil), ("id3/TLEN", nil), ("id3/TSSE", nil), ("id3/TPE2", nil), ("id3/TOPE", .commonKeyContributor),
        ("common/title", .commonKeyTitle), ("common/artwork", .commonKeyArtwork),
        ("vorb/TITLE", .commonKeyTitle), ("vorb/title", .commonKeyTitle), ("vorb/DATE", nil),
        ("vorb/METADATA_BLOCK_PICTURE", .commonKeyArtwork), ("mkv/TITLE", .commonKeyTitle),
        ("mkv/COMPOSER", .commonKeyCreator), ("caaf/INAM", .commonKeyTitle), ("caaf/info-artist", .commonKeyArtist),
        ("caaf/info-encoding%20application", .commonKeySoftware), ("icy/StreamTitle", nil),
    ]

    @Test(arguments: mappings)
    func `Common keys stand for native ones`(_ identifier: String, _ commonKey: AVMetadataKey?) throws {
        let identifier = AVMetadataIdentifier(rawValue: identifier)
        let keySpace = try #require(identifier.keySpace)
        let entry = MetadataEntry(keySpace, try #require(identifier.key), .text(""))
        #expect(entry.commonKey == commonKey)
    }
}
