/// A kind of file that media lie in.
///
/// Any name makes one, and one without an entry in the table of traits has none. A family that one
/// demuxer reads has several members that can be written: what is read has the family's value,
/// what is written a member's.
package struct Container: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The names of FFmpeg's demuxer, or the name of its muxer.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}

extension Container {
    // MARK: Families, as they are read

    package static let movie = Container(rawValue: "mov,mp4,m4a,3gp,3g2,mj2")
    package static let matroskaOrWebM = Container(rawValue: "matroska,webm")

    // MARK: Members, as they are written

    package static let quickTime = Container(rawValue: "mov")
    package static let mp4 = Container(rawValue: "mp4")
    /// MP4 with the codes that Apple's players know.
    package static let iPod = Container(rawValue: "ipod")
    package static let threeGP = Container(rawValue: "3gp")
    package static let matroska = Container(rawValue: "matroska")
    package static let webM = Container(rawValue: "webm")

    // MARK: Both

    package static let avi = Container(rawValue: "avi")
    package static let flv = Container(rawValue: "flv")
    package static let asf = Container(rawValue: "asf")
    package static let mxf = Container(rawValue: "mxf")
    package static let nut = Container(rawValue: "nut")
    package static let realMedia = Container(rawValue: "rm")
    package static let mpegTransportStream = Container(rawValue: "mpegts")
    package static let mpegProgramStream = Container(rawValue: "mpeg")
    package static let ogg = Container(rawValue: "ogg")
    package static let oggSound = Container(rawValue: "oga")
    package static let oggVideo = Container(rawValue: "ogv")
    package static let opus = Container(rawValue: "opus")
    package static let wave = Container(rawValue: "wav")
    package static let wave64 = Container(rawValue: "w64")
    package static let aiff = Container(rawValue: "aiff")
    package static let caf = Container(rawValue: "caf")
    package static let au = Container(rawValue: "au")

    // MARK: Samples without a container

    package static let mp3 = Container(rawValue: "mp3")
    package static let flac = Container(rawValue: "flac")
    package static let adts = Container(rawValue: "adts")
    /// As its demuxer calls it.
    package static let readADTS = Container(rawValue: "aac")
    package static let ac3 = Container(rawValue: "ac3")
    package static let eac3 = Container(rawValue: "eac3")
    package static let mpegVideo = Container(rawValue: "mpegvideo")
    package static let mpeg4Video = Container(rawValue: "m4v")
    package static let h264Video = Container(rawValue: "h264")
    package static let hevcVideo = Container(rawValue: "hevc")
    package static let subRip = Container(rawValue: "srt")
    package static let webVTT = Container(rawValue: "webvtt")
    package static let ass = Container(rawValue: "ass")

    // MARK: Pictures

    package static let gif = Container(rawValue: "gif")
    package static let animatedPNG = Container(rawValue: "apng")
    package static let webP = Container(rawValue: "webp")
    package static let jpegPicture = Container(rawValue: "jpeg_pipe")
    package static let pngPicture = Container(rawValue: "png_pipe")
    package static let webPPicture = Container(rawValue: "webp_pipe")
    package static let tiffPicture = Container(rawValue: "tiff_pipe")
}

/// What the library has to know of containers.
extension Container {
    /// What is true of some containers.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The family of MP4 and QuickTime, where edit lists say what is shown when, and matrices how.
        package static let isMovie = Traits(rawValue: 1 << 0)
        package static let isMatroska = Traits(rawValue: 1 << 1)
        /// MPEG's streams for transport and for discs (ISO/IEC 13818-1), whose times may jump, and which leave out those
        /// of pictures that follow from the others'.
        package static let isMPEGStream = Traits(rawValue: 1 << 2)
        /// Pictures are counted in the order of decoding; times of presentation there are none.
        package static let countsPictures = Traits(rawValue: 1 << 3)
        /// An index, or cues, or the packets themselves lead to the sample at a time or before it.
        package static let seeksDirectly = Traits(rawValue: 1 << 4)
        /// Seeks land near the time.
        package static let seeksNearby = Traits(rawValue: 1 << 5)
        /// Nothing tells the times of presentation of pictures that are shown in another order than they are coded in.
        package static let lacksPresentationTimes = Traits(rawValue: 1 << 6)
        /// Times are told to the millisecond only, or when packets arrived.
        package static let hasCoarseTimes = Traits(rawValue: 1 << 7)
        /// The header, or an index, tells how long the media are.
        package static let saysLength = Traits(rawValue: 1 << 8)
        /// What the length counts from, where media do not start at zero, files do not agree about.
        package static let hasDoubtfulLength = Traits(rawValue: 1 << 9)
        /// The first sample of sound is the file's beginning, whatever its time.
        package static let startsSoundAtZero = Traits(rawValue: 1 << 10)
        /// The first picture is the file's beginning, whatever its time.
        package static let startsPicturesAtZero = Traits(rawValue: 1 << 11)
        /// There is a place for covers, even if for no other pictures.
        package static let holdsCovers = Traits(rawValue: 1 << 12)
        /// There may be room between tags and media.
        package static let holdsPadding = Traits(rawValue: 1 << 13)
        /// A single picture, inside of which stands how it is to be turned.
        package static let isPhotograph = Traits(rawValue: 1 << 14)
        /// Browsers play such files, and count times as these do.
        package static let playsInBrowsers = Traits(rawValue: 1 << 15)
        /// H.264 stands with start codes rather than lengths.
        package static let wantsStartCodes = Traits(rawValue: 1 << 16)
        /// Frames of AAC carry a header each.
        package static let hasADTSFrames = Traits(rawValue: 1 << 17)
        /// Pictures of an animation, each of which is made of those before it.
        package static let isAnimation = Traits(rawValue: 1 << 18)
        /// Nothing leads to the sample at a time but a pass over the file, after which packets are found by where they lie.
        package static let lacksIndex = Traits(rawValue: 1 << 19)
        /// Pictures have no times at all.
        package static let lacksTimes = Traits(rawValue: 1 << 20)
    }

    /// The table of traits.
    private static let table: [Container: Traits] = [
        .movie: [.isMovie, .seeksDirectly, .playsInBrowsers],
        .quickTime: [.isMovie, .seeksDirectly, .playsInBrowsers, .holdsCovers],
        .mp4: [.isMovie, .seeksDirectly, .playsInBrowsers, .holdsCovers],
        .iPod: [.isMovie, .seeksDirectly, .holdsCovers],
        .threeGP: [.isMovie, .seeksDirectly],
        .matroskaOrWebM: [.isMatroska, .seeksDirectly, .playsInBrowsers, .hasCoarseTimes, .hasDoubtfulLength],
        .matroska: [.isMatroska, .seeksDirectly, .playsInBrowsers, .hasCoarseTimes, .hasDoubtfulLength],
        .webM: [.isMatroska, .seeksDirectly, .playsInBrowsers, .hasCoarseTimes, .hasDoubtfulLength],
        .avi: [
            .seeksDirectly, .countsPictures, .hasCoarseTimes, .startsSoundAtZero, .startsPicturesAtZero,
            .wantsStartCodes,
        ],
        .flv: [.seeksDirectly, .hasCoarseTimes, .saysLength, .hasDoubtfulLength],
        .asf: [.seeksDirectly, .lacksPresentationTimes, .hasCoarseTimes, .saysLength],
        .mxf: [.seeksDirectly, .saysLength],
        .nut: [.seeksDirectly],
        .realMedia: [.hasCoarseTimes],
        .mpegTransportStream: [.isMPEGStream, .seeksNearby, .wantsStartCodes, .hasADTSFrames],
        .mpegProgramStream: [.isMPEGStream, .lacksIndex],
        .mpegVideo: [.countsPictures, .lacksIndex],
        .mpeg4Video: [.countsPictures, .lacksIndex],
        .h264Video: [.lacksIndex, .lacksTimes],
        .hevcVideo: [.lacksIndex, .lacksTimes],
        .ogg: [.startsSoundAtZero, .playsInBrowsers, .lacksIndex],
        .oggSound: [.startsSoundAtZero],
        .opus: [.startsSoundAtZero],
        .wave: [.startsSoundAtZero, .saysLength],
        .wave64: [.startsSoundAtZero, .saysLength],
        .aiff: [.startsSoundAtZero, .saysLength, .holdsCovers],
        .caf: [.startsSoundAtZero, .saysLength],
        .au: [.saysLength],
        .mp3: [.startsSoundAtZero, .saysLength, .holdsCovers, .holdsPadding],
        .flac: [.startsSoundAtZero, .saysLength, .holdsCovers, .holdsPadding],
        .adts: [.startsSoundAtZero, .hasADTSFrames],
        .ac3: [.startsSoundAtZero],
        .eac3: [.startsSoundAtZero],
        .gif: [.startsPicturesAtZero, .isAnimation],
        .animatedPNG: [.startsPicturesAtZero, .isAnimation],
        .webP: [.startsPicturesAtZero],
        .jpegPicture: [.isPhotograph], .pngPicture: [.isPhotograph], .webPPicture: [.isPhotograph],
        .tiffPicture: [.isPhotograph],
    ]

    /// The container's traits, none for one that the table does not have.
    package var traits: Traits { Self.table[self] ?? [] }

    /// Whether it has all of some traits.
    package func has(_ traits: Traits) -> Bool { self.traits.isSuperset(of: traits) }

    /// The family of MP4 and QuickTime.
    package var isMovie: Bool { has(.isMovie) }
    /// Matroska and WebM.
    package var isMatroska: Bool { has(.isMatroska) }
    /// Whether a matrix says how pictures are turned.
    package var holdsDisplayMatrix: Bool { isMovie }

    /// How the samples of a codec are found before a time.
    package func seekPolicy(for codec: Codec) -> SeekPolicy {
        if has(.lacksPresentationTimes), codec.has(.reordersPictures) { return .linear }
        // Where each sample lies follows from the header.
        if codec.isPCM, has([.startsSoundAtZero, .saysLength]) { return .direct }
        return has(.seeksDirectly) ? .direct : has(.seeksNearby) ? .search : .linear
    }
}

/// How a container lets a reader find the samples before a time.
///
/// Random access is used where the container gives every video packet a time
/// that does not depend on where reading began; anywhere else decoding starts
/// at the beginning, which is slow and always right.
package enum SeekPolicy: Equatable, Sendable {
    /// Seeks land at or before the wanted time (an index, or cues).
    case direct
    /// Seeks land near the wanted time: aim earlier, then further back.
    case search
    /// Decode from the beginning.
    case linear
}

extension Container {
    /// The name for people.
    package var name: String { Self.names[rawValue] ?? String(rawValue.prefix { $0 != "," }).uppercased() }

    private static let names = [
        "matroska,webm": "Matroska", "mpegts": "MPEG-TS", "mpeg": "MPEG-PS", "avi": "AVI", "flv": "FLV",
        "ogg": "Ogg", "asf": "ASF", "mxf": "MXF", "gif": "GIF", "nut": "NUT", "mov,mp4,m4a,3gp,3g2,mj2": "MP4",
        "image2": "image", "webp_pipe": "WebP", "dv": "DV", "rm": "RealMedia", "hls": "HLS", "dash": "DASH",
        "png_pipe": "PNG", "jpeg_pipe": "JPEG", "bmp_pipe": "BMP", "tiff_pipe": "TIFF", "apng": "animated PNG",
        "h264": "raw H.264", "hevc": "raw HEVC", "mpegvideo": "raw MPEG video", "m4v": "raw MPEG-4", "obu": "raw AV1",
        "mjpeg": "raw Motion JPEG", "yuv4mpegpipe": "Y4M", "ivf": "IVF", "mp3": "MP3", "aac": "raw AAC (ADTS)",
        "flac": "FLAC", "wav": "WAV", "w64": "Wave64", "aiff": "AIFF", "caf": "CAF", "wv": "WavPack",
        "ac3": "raw AC-3", "eac3": "raw E-AC-3", "dts": "raw DTS", "truehd": "raw TrueHD", "ape": "Monkey's Audio",
    ]
}
