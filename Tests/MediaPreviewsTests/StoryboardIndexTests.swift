import Foundation
import MediaCore
import MediaPreviews
import Testing

@Suite("Indexes of storyboards") struct StoryboardIndexTests {
    @Test func `A WebVTT track names each tile by its place on its sheet`() {
        let text = WebVTTIndex.text(of: .twoSheets())
        #expect(text.hasPrefix("WEBVTT\n\nNOTE "))
        let blocks = text.components(separatedBy: "\n\n")
        #expect(blocks.count == 9)
        #expect(blocks[3] == "2\n00:00:10.000 --> 00:00:20.000\nstoryboard-001.jpg#xywh=160,0,160,90")
        #expect(blocks[6] == "5\n00:00:40.000 --> 00:00:50.000\nstoryboard-001.jpg#xywh=160,90,160,90")
        #expect(blocks[8] == "7\n00:01:00.000 --> 00:01:05.500\nstoryboard-002.jpg#xywh=0,0,160,90\n")
    }

    @Test func `A WebVTT track counts hours beyond a hundred`() {
        let text = WebVTTIndex.text(
            of: .sample(
                duration: CMTime(value: 720_000_001, timescale: 1000), interval: CMTime(value: 360_000, timescale: 1),
                tileCount: 3))
        #expect(text.contains("\n100:00:00.000 --> 200:00:00.000\n"))
        #expect(text.contains("\n200:00:00.000 --> 200:00:00.001\n"))
    }

    @Test(arguments: ["a\n\n1\n00:00", "x\"><script>", "$RepresentationID$", "é --> 😀", "../up", "a&b"])
    func `A folder's name cannot break out of any index of a storyboard`(folder: String) {
        let board = Storyboard.twoSheets(name: folder)
        for text in [
            WebVTTIndex.text(of: board, sheetFolder: folder), HLSImagePlaylist.text(of: board, sheetFolder: folder),
            HLSImagePlaylist.streamInformation(of: board, path: folder),
            DASHThumbnails.manifest(of: board, sheetFolder: folder),
        ] {
            #expect(folder == "../up" || !text.contains(folder))
        }
        let lines = WebVTTIndex.text(of: board, sheetFolder: folder).split(separator: "\n")
        let names = lines.filter { $0.contains("#xywh=") }
        #expect(lines.count == 2 + 7 * 3 && names.count == 7)
        let name = names.first.flatMap { $0.split(separator: "#").first?.removingPercentEncoding }
        #expect(name == folder + "/storyboard-001.jpg")
    }

    @Test func `An HLS playlist lists sheets and ends with the video`() {
        let expected = """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:60
            #EXT-X-MEDIA-SEQUENCE:1
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-IMAGES-ONLY
            #EXTINF:60,
            #EXT-X-TILES:RESOLUTION=160x90,LAYOUT=3x2,DURATION=10
            storyboard-001.jpg
            #EXTINF:5.5,
            #EXT-X-TILES:RESOLUTION=160x90,LAYOUT=3x2,DURATION=10
            storyboard-002.jpg
            #EXT-X-ENDLIST

            """
        #expect(HLSImagePlaylist.text(of: .twoSheets()) == expected)
        // 30000 bytes in 60 s.
        #expect(
            HLSImagePlaylist.streamInformation(of: .twoSheets())
                == "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=4000,RESOLUTION=160x90,CODECS=\"jpeg\",URI=\"images.m3u8\"")
    }

    @Test func `Durations of 29.97 frames a second do not drift in an HLS playlist`() {
        // Sheets begin at 0, 50.05 and 100.1 s; the film ends at 108.4083 s.
        let text = HLSImagePlaylist.text(of: .ntsc())
        let durations = text.split(separator: "\n").filter { $0.hasPrefix("#EXTINF") }
        #expect(durations == ["#EXTINF:50.05,", "#EXTINF:50.05,", "#EXTINF:8.3083,"])
        #expect(text.contains("#EXT-X-TARGETDURATION:51\n"))
        #expect(text.contains("DURATION=8.341666667\n"))
    }

    @Test func `A storyboard without a duration ends with its last interval`() {
        let board = Storyboard.sample(
            duration: .indefinite, interval: CMTime(value: 5, timescale: 2), tileCount: 8)
        let durations = HLSImagePlaylist.text(of: board).split(separator: "\n").filter { $0.hasPrefix("#EXTINF") }
        #expect(durations == ["#EXTINF:15,", "#EXTINF:5,"])
        #expect(DASHThumbnails.manifest(of: board).contains(#"mediaPresentationDuration="PT20S""#))
    }

    @Test func `One tile of a storyboard lasts as long as the video`() {
        let board = Storyboard.sample(
            duration: CMTime(value: 1, timescale: 24), interval: CMTime(value: 10, timescale: 1), columns: 1, rows: 1,
            tileCount: 1, sheetByteCounts: [1000])
        let text = HLSImagePlaylist.text(of: board)
        #expect(text.contains("#EXT-X-TARGETDURATION:1\n#") && text.contains("#EXTINF:0.041666667,\n"))
        #expect(WebVTTIndex.text(of: board).contains("\n00:00:00.000 --> 00:00:00.042\n"))
        #expect(DASHThumbnails.adaptationSet(of: board).contains(#"timescale="1" duration="10""#))
    }

    @Test func `A DASH manifest divides sheets that all last equally long`() {
        let expected = """
            <?xml version="1.0" encoding="UTF-8"?>
            <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" \
            mediaPresentationDuration="PT1M5.5S" minBufferTime="PT2S">
              <Period id="0" start="PT0S">
                <AdaptationSet contentType="image" mimeType="image/webp">
                  <SegmentTemplate media="sheets/storyboard-$Number%03d$.webp" timescale="1" duration="60" startNumber="1"/>
                  <Representation id="thumbnails-160x90" bandwidth="4000" width="480" height="180">
                    <EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="3x2"/>
                  </Representation>
                </AdaptationSet>
              </Period>
            </MPD>

            """
        #expect(DASHThumbnails.manifest(of: .twoSheets(format: .webp), sheetFolder: "sheets") == expected)
    }

    @Test func `A DASH manifest's duration of a sheet is exact`() {
        // 1001 × 250 × 6 ÷ 30000 = 50.05 s = 1001 ÷ 20.
        #expect(DASHThumbnails.adaptationSet(of: .ntsc()).contains(#"timescale="20" duration="1001""#))
        // 6 × 1000000007 ÷ 999999937 s has no fraction of 32 bits and is 6.000000420 s.
        let odd = Storyboard.sample(
            duration: CMTime(value: 60, timescale: 1),
            interval: CMTime(value: 1_000_000_007, timescale: 999_999_937), tileCount: 10)
        #expect(DASHThumbnails.adaptationSet(of: odd).contains(#"timescale="1000000" duration="6000000""#))
    }

    @Test(arguments: [
        CMTime(value: .max, timescale: 1), CMTime(value: .max, timescale: .max), CMTime(value: 1, timescale: .max),
        .zero, .invalid, .indefinite, .positiveInfinity, CMTime(value: -5, timescale: 1),
    ])
    func `Extreme times in indexes of storyboards do not crash`(time: CMTime) {
        for board in [
            Storyboard.sample(duration: time, interval: CMTime(value: 10, timescale: 1), tileCount: 20),
            Storyboard.sample(duration: CMTime(value: 200, timescale: 1), interval: time, tileCount: 20),
            Storyboard.sample(duration: time, interval: time, tileCount: 1, sheetByteCounts: [.max]),
        ] {
            #expect(HLSImagePlaylist.text(of: board).hasSuffix("#EXT-X-ENDLIST\n"))
            #expect(HLSImagePlaylist.streamInformation(of: board).contains("BANDWIDTH="))
            #expect(DASHThumbnails.manifest(of: board).hasSuffix("</MPD>\n"))
            #expect(!HLSImagePlaylist.text(of: board).contains("-1"))
        }
    }
}
