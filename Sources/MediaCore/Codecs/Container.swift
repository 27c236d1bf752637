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
