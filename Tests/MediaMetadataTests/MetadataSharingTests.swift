import MediaMetadata
import Testing

@Suite struct `Sharing metadata` {
    static let personal: [MetadataEntry] = [
        .iTunes("@xyz", "+1+2/"),
        .userData("@xyz", "+1+1/"), .iso("loci", "+1+1/"), .quickTime("location.ISO6709", "+1+1/"),
        .quickTime("location.name", "home"), .quickTime("location.accuracy.horizontal", "5"),
        .quickTime("direction.facing", "12"), .quickTime("collection.user", "c"), .quickTime("rating.user", "5"),
        .quickTime("content.identifier", "u"), .quickTime("detected-face", ""), .quickTime("camera.serial.number", "1"),
        MetadataEntry(.quickTimeMetadata, .text("com.example.gps.track"), .text("")),
        MetadataEntry(.quickTimeUserData, MetadataKey(fourCharacters: "GPMF") ?? .text(""), .data([1])),
        .userData("@hst", "host"), .userData("XMP_", "<x/>"), .vorbis("LOCATION", "home"), .vorbis("Contact", "me"),
        .vorbis("GPS_LATITUDE", "1"), .matroska("RECORDING_LOCATION", "DE, Berlin"), .matroska("EMAIL", "me"),
        MetadataEntry(.id3, .text("POPM"), .data(Array("me@example.com\0".utf8))), .id3("TXXX", "1", "GPSLatitude"),
        MetadataEntry(.id3, .text("PRIV"), .data(Array("XMP\0<x/>".utf8))),
        MetadataEntry(.common, .text("location"), .text("+1+1/")),
        .iTunes("apID", "me@example.com"), .iTunes("purd", "2004"), .iTunes("ownr", "me"), .quickTime("make", "m"),
        .quickTime("model", "m"), .quickTime("creationdate", "2024"), .quickTime("software", "17.1"),
        .matroska("ENCODER", "e"), .id3("COMM", "c", ""), .userData("@cmt", "c"),
        .userData("name", "Somebody's camera"),
        MetadataEntry(.id3, .text("PRIV"), .data([1])), MetadataEntry(.id3, .text("GEOB"), .data([1])),
        MetadataEntry(.id3, .text("OWNE"), .data([1])), MetadataEntry(.id3, .text("UFID"), .data([1])),
        MetadataEntry(.iTunesFreeForm, .text("com.apple.iTunes.Owner"), .text("me")), .vorbis("OWNER", "me"),
        .iTunes("@nam", "A walk at +47.1234+008.5678/"), .vorbis("ARTIST", "somebody@example.com"),
        .property("bext-umid", "06"), .property("iXML", "<x/>"), .iTunes("@day", "2019-03-17T09:41:05Z"),
    ]

    static let shareable: [MetadataEntry] = [
        .iTunes("@nam", "t"), .iTunes("cprt", "c"), .freeForm("iTunSMPB", "0"), .quickTime("copyright", "c"),
        .iTunes("@day", "2019"), .iTunes("desc", "d"), .vorbis("REPLAYGAIN_TRACK_GAIN", "-3 dB"), .id3("TLEN", "1000"),
        .vorbis("ALBUM", "Live at 7.5.2019, 12.45"), .quickTime("player.movie.audio.gain", "1"),
        .quickTime("full-frame-rate-playback-intent", "1"), .userData("@nam", "t"), .userData("tagc", "public.main"),
        MetadataEntry(.isoUserData, MetadataKey(fourCharacters: "chpl") ?? .text(""), .data([1])), .iso("cprt", "c"),
        .vorbis("PERFORMER:saxophone", "p"), .vorbis("ARTIST", "a"), .id3("TIT2", "t"), .id3("TXXX", "x", "MOOD"),
        .property("INAM", "n"),
    ]

    @Test(arguments: personal) func `Personal metadata is left out for sharing`(_ entry: MetadataEntry) {
        #expect(MetadataSharing.shareable(entry) != entry)
    }

    @Test(arguments: shareable) func `Other metadata is kept for sharing`(_ entry: MetadataEntry) {
        #expect(MetadataSharing.shareable(entry) == entry)
    }

    @Test func `Dates are reduced to their year for sharing`() {
        #expect(MetadataSharing.shareable(.iTunes("@day", "2019-03-17T09:41:05Z")) == .iTunes("@day", "2019"))
        #expect(MetadataSharing.shareable(.vorbis("DATE", "17.3.2019")) == nil)
    }

    @Test func `Personal items are left out of a mixed list for sharing`() {
        let mixed = zip(Self.personal, Self.shareable).flatMap { [$0, $1] }
        #expect(
            mixed.filter { MetadataSharing.shareable($0) == $0 } == Array(Self.shareable.prefix(mixed.count / 2)))
    }
}
