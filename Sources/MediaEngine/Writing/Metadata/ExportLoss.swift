public import MediaAsset
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
        default: rawValue
        }
    }
}
