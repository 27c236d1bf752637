import MediaCore
import Testing

@Suite struct `Containers as types` {
    private static let traits: [(Container.Traits, Set<Container>)] = [
        (.isMovie, [.movie, .quickTime, .mp4, .iPod, .threeGP]),
        (.isMatroska, [.matroskaOrWebM, .matroska, .webM]),
        (.isMPEGStream, [.mpegTransportStream, .mpegProgramStream]),
        (.countsPictures, [.avi, .mpegVideo, .mpeg4Video]),
        (
            .seeksDirectly,
            [
                .movie, .quickTime, .mp4, .iPod, .threeGP, .matroskaOrWebM, .matroska, .webM, .flv, .nut, .mxf, .avi,
                .asf,
            ]
        ),
        (.seeksNearby, [.mpegTransportStream]),
        (.lacksPresentationTimes, [.asf]),
        (.hasCoarseTimes, [.matroskaOrWebM, .matroska, .webM, .flv, .asf, .avi, .realMedia]),
        (.saysLength, [.flv, .flac, .mp3, .wave, .wave64, .aiff, .asf, .caf, .mxf, .au]),
        (.hasDoubtfulLength, [.matroskaOrWebM, .matroska, .webM, .flv]),
        (
            .startsSoundAtZero,
            [.mp3, .flac, .wave, .wave64, .aiff, .caf, .adts, .ac3, .eac3, .avi, .ogg, .oggSound, .opus]
        ),
        (.startsPicturesAtZero, [.gif, .animatedPNG, .webP, .avi]),
        (.holdsCovers, [.mp3, .flac, .quickTime, .mp4, .iPod, .aiff]),
        (.holdsPadding, [.mp3, .flac]),
        (.isPhotograph, [.jpegPicture, .pngPicture, .webPPicture, .tiffPicture]),
        (.playsInBrowsers, [.movie, .quickTime, .mp4, .matroskaOrWebM, .matroska, .webM, .ogg]),
        (.wantsStartCodes, [.avi, .mpegTransportStream]),
        (.hasADTSFrames, [.mpegTransportStream, .adts]),
        (.isAnimation, [.gif, .animatedPNG]),
        (.lacksIndex, [.mpegProgramStream, .mpegVideo, .mpeg4Video, .h264Video, .hevcVideo, .ogg]),
        (.lacksTimes, [.h264Video, .hevcVideo]),
    ]

    @Test func `Each trait of containers has a bit of its own`() {
        let values = Self.traits.map { $0.0.rawValue }
        #expect(values.allSatisfy { $0.nonzeroBitCount == 1 })
        #expect(values.reduce(0, |).nonzeroBitCount == values.count)
    }

    @Test func `Containers have the traits of the table and no others`() {
        for container in Self.traits.reduce(into: Set<Container>(), { $0.formUnion($1.1) }) {
            let expected = Self.traits.filter { $0.1.contains(container) }
                .reduce(into: Container.Traits()) { $0.insert($1.0) }
            #expect(container.traits == expected, "\(container)")
        }
        #expect(Container(rawValue: "movie").traits == [] && Container(rawValue: "").traits == [])
    }

    @Test func `Containers have names for people`() {
        #expect(Container.movie.name == "MP4" && Container.matroskaOrWebM.name == "Matroska")
        #expect(Container(rawValue: "vividas,viv").name == "VIVIDAS")
    }

    @Test func `Containers of a family are searched alike, whether read or written`() {
        for container in [Container.movie, .mp4, .quickTime] { #expect(container.seekPolicy(for: .h264) == .direct) }
        #expect(Container.asf.seekPolicy(for: .h264) == .linear)
        #expect(Container.asf.seekPolicy(for: .wmv3) == .direct)
    }
}
