public import MediaAsset
package import MediaCore
package import MediaMetadata

/// Something of the source that a new file does not have, or has in another form, though nobody asked for that.
///
/// Beyond AVFoundation.
public struct ExportLoss: Hashable, Sendable {
    /// What kind of thing it is.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A whole track.
        case track
        /// A part of what a track says or shows.
        case media
        /// An item of metadata.
        case metadata
        /// Chapters, or a part of what they say.
        case chapters
        /// A file within the file.
        case attachment
    }

    /// What became of it.
    public enum Effect: String, Hashable, Sendable {
        /// It is not there.
        case lost
        /// It is there in another form: rounded, flattened.
        case changed
    }

    /// What of a track it is.
    public enum Trait: String, CaseIterable, Hashable, Sendable {
        /// The language.
        case language
        /// The title.
        case name
        /// Marks such as default, forced, commentary, for the deaf.
        case dispositions
        /// How pictures are turned and mirrored.
        case orientation
        /// The part of the coded pictures that is to be shown.
        case cleanAperture
        /// The ratio of a pixel's width to its height.
        case pixelAspectRatio
        /// Primaries, transfer function, matrix and range.
        case color
        /// HDR: mastering display, light levels, PQ or HLG.
        case highDynamicRange
        /// The Dolby Vision configuration.
        case dolbyVision
        /// Transparency.
        case alpha
        /// How many bits samples of pictures or sound have.
        case bitDepth
        /// How many samples of chroma pictures have.
        case chroma
        /// The channels of sound, and what they mean.
        case channels
        /// Samples of sound for each second.
        case sampleRate
        /// Closed captions within the pictures.
        case captions
        /// Which field of interlaced pictures comes first.
        case fieldOrder
        /// That pictures are one half of a stereo pair, or lie on a sphere.
        case projection
        /// When pictures and sound are shown and heard.
        case times
        /// Pictures that are missing or doubled.
        case frames
        /// The timecode.
        case timecode
        /// Positions, colors, fonts and styles of subtitles.
        case styling
    }

    /// What kind of thing it is.
    public var kind: Kind
    /// What became of it.
    public var effect: Effect
    /// Which one, in the source's words, for people.
    public var item: String
    /// Why the new file does not have it, in one line.
    public var reason: String
    /// The source's number of the track that it is about, `nil` for the whole file.
    public var trackID: CMPersistentTrackID?
    /// What of the track it is, `nil` where that has no name here.
    public var trait: Trait?
    /// Whether the plan told it; else the finished file was found to lack it.
    public var isForeseen = true

    /// Whether the container cannot say it, but the coded samples may, so that only the finished file tells.
    package var isFeared = false

    /// Makes a loss that is foreseen.
    public init(
        _ kind: Kind, _ item: String, reason: String, effect: Effect = .lost, trackID: CMPersistentTrackID? = nil,
        trait: Trait? = nil
    ) {
        (self.kind, self.item, self.reason) = (kind, item, reason)
        (self.effect, self.trackID, self.trait) = (effect, trackID, trait)
    }

    /// Whether both are about the same trait of the same track.
    fileprivate func isAboutSame(_ other: ExportLoss) -> Bool {
        trait != nil && (kind, trackID, trait) == (other.kind, other.trackID, other.trait)
    }

    package init(_ loss: MetadataLoss) {
        let kind: Kind =
            switch loss.kind {
            case .item: .metadata
            case .chapters: .chapters
            }
        self.init(kind, loss.item, reason: loss.reason, effect: loss.isChange ? .changed : .lost)
    }
}

extension [ExportLoss] {
    /// Each loss once, in the words of the one who told it first.
    package var withoutRepetitions: [ExportLoss] {
        reduce(into: []) { all, loss in
            if !all.contains(where: { $0 == loss || $0.isAboutSame(loss) }) { all.append(loss) }
        }
    }
}

extension ExportLoss.Trait {
    /// The name for people.
    package var words: String {
        switch self {
        case .dispositions: "purposes"
        case .cleanAperture: "clean aperture"
        case .pixelAspectRatio: "aspect ratio"
        case .highDynamicRange: "HDR metadata"
        case .dolbyVision: "Dolby Vision"
        case .fieldOrder: "field order"
        case .bitDepth: "bits"
        case .sampleRate: "sample rate"
        default: rawValue
        }
    }
}

/// What kinds of files can say of their tracks and what is lost where they cannot.
package struct ContainerTraits {
    private let fileType: AVFileType

    package init(_ fileType: AVFileType) { self.fileType = fileType }

    /// What a file of the kind has no place for, whatever the codec.
    private var unsaid: Set<ExportLoss.Trait> {
        if fileType.movieBrand != nil || [.mobile3GPP, .mobile3GPP2, .hls].contains(fileType) { return [] }
        switch fileType {
        case .matroska, .matroskaAudio, .webM: return []
        case .mpeg2TransportStream:
            return [.name, .color, .highDynamicRange, .dolbyVision, .projection]
        case .avi:
            return [.language, .color, .highDynamicRange, .dolbyVision, .projection]
        default:
            return [.language, .name, .color, .highDynamicRange, .dolbyVision, .projection]
        }
    }

    /// What a track says of itself and the file will not.
    ///
    /// Coded pictures may say some of it too: whether they do shows in the finished file.
    ///
    /// What it is for is told with its name and language, by ``ExportTracks``.
    ///
    /// - Parameters:
    ///   - hasProjection: Whether pictures are one half of a stereo pair, or on a sphere.
    ///   - isCopied: Whether its coded samples stay as they are.
    package func losses(
        of track: TrackDescription, hasProjection: Bool, isCopied: Bool
    ) -> [ExportLoss] {
        var said: [(trait: ExportLoss.Trait, what: String)] = []
        if let language = track.language ?? track.extendedLanguageTag, !holdsLanguage(of: track) {
            said.append((.language, language))
        }
        if let title = track.title, !title.isEmpty, unsaid.contains(.name) { said.append((.name, title)) }
        if hasProjection, unsaid.contains(.projection) { said.append((.projection, "stereo or spherical")) }
        if isCopied, let video = track.video { said += pictures(video, track.codecType) }
        var losses = named(said, of: track)
        if isCopied, fileType == .avi, track.mediaType == .video {
            losses.append(countedTimes(of: track))
        }
        if isCopied, fileType == .mpeg2TransportStream, track.video?.isVariableFrameRate == true {
            losses.append(lastPicture(of: track))
        }
        return losses
    }

    /// The loss of the timecode that the source's first frame has, where a file of the kind cannot say it.
    ///
    /// - Parameter beginsAtStart: Whether the file begins with that frame, since only a timecode track can be trimmed.
    package func loss(ofTimecode timecode: Timecode, beginsAtStart: Bool) -> ExportLoss? {
        if holdsTimecodeTracks || (holdsTimecodeTag && beginsAtStart) { return nil }
        return ExportLoss(
            .media, "timecode \(timecode)", reason: "\(fileType.name) files have no place for it", trait: .timecode)
    }

    private var holdsTimecodeTracks: Bool { fileType.movieBrand != nil }
    /// Whether the first frame's timecode is said in a tag.
    package var holdsTimecodeTag: Bool { [.matroska, .matroskaAudio].contains(fileType) }

    private func named(_ said: [(trait: ExportLoss.Trait, what: String)], of track: TrackDescription) -> [ExportLoss] {
        said.map { trait, what in
            var loss = ExportLoss(
                .media, "\(trait.words) of track \(track.trackID) (\(what))",
                reason: "\(fileType.name) files have no place for it", trackID: track.trackID, trait: trait)
            loss.isFeared = true
            return loss
        }
    }

    /// AVI numbers pictures at one rate for the whole file.
    private func countedTimes(of track: TrackDescription) -> ExportLoss {
        var loss = ExportLoss(
            .media, "times of track \(track.trackID)",
            reason: "\(fileType.name) files count pictures at a fixed rate: they move by up to one picture",
            effect: .changed, trackID: track.trackID, trait: .times)
        loss.isFeared = true
        return loss
    }

    /// In a transport stream a picture is shown until the next one is.
    private func lastPicture(of track: TrackDescription) -> ExportLoss {
        var loss = ExportLoss(
            .media, "how long the last picture of track \(track.trackID) is shown",
            reason: "\(fileType.name) files tell only when pictures begin", effect: .changed, trackID: track.trackID,
            trait: .times)
        loss.isFeared = true
        return loss
    }

    private func holdsLanguage(of track: TrackDescription) -> Bool {
        if fileType == .mpeg2TransportStream { return track.mediaType != .video }
        return !unsaid.contains(.language)
    }

    private func pictures(_ video: VideoDescription, _ codec: Codec) -> [(ExportLoss.Trait, String)] {
        var said: [(ExportLoss.Trait, String)] = []
        let tags = [video.color.primaries, video.color.transferFunction, video.color.yCbCrMatrix, video.color.range]
        if unsaid.contains(.color), tags.contains(where: { $0 != nil }) {
            said.append((.color, tags.compactMap { $0 }.joined(separator: ", ")))
        }
        if unsaid.contains(.highDynamicRange), video.peakLuminance != nil {
            said.append((.highDynamicRange, "light levels"))
        }
        if let vision = video.dolbyVision, unsaid.contains(.dolbyVision) {
            said.append((.dolbyVision, "profile \(vision.profile)"))
        }
        if fileType == .avi, let order = video.fields, order.isInterlaced { said.append((.fieldOrder, order.rawValue)) }
        if video.hasAlpha, !holdsAlpha(of: codec, video) { said.append((.alpha, "transparency")) }
        return said
    }

    /// The alpha of VP8 and VP9 lies beside the samples, where only Matroska has a place; that of AV1 in a second track.
    private func holdsAlpha(of codec: Codec, _ video: VideoDescription) -> Bool {
        if codec.has(.hasAlphaBeside) { return [.matroska, .webM].contains(fileType) }
        return video.alphaStreamIndex == nil
    }
}
