internal import MediaTime
internal import MediaTypes

/// A track's Dolby Vision configuration.
public struct DolbyVision: Sendable, Hashable {
    /// The profile: 5, 7, 8, 9 or 10 in use.
    public var profile: Int
    /// The level, by the size and rate of the pictures.
    public var level: Int
    /// What the base layer is without Dolby Vision: 0 for nothing that can be
    /// shown, 1 for HDR10, 2 for SDR, 4 for HLG.
    public var compatibilityID: Int

    /// Makes a configuration.
    public init(profile: Int, level: Int, compatibilityID: Int) {
        (self.profile, self.level, self.compatibilityID) = (profile, level, compatibilityID)
    }

    /// The profile as people write it: `5`, `8.1`.
    public var profileText: String { [8, 9, 10].contains(profile) ? "\(profile).\(compatibilityID)" : "\(profile)" }

    /// Whether the pictures have right colours without Dolby Vision's own mapping.
    public var hasCompatibleBaseLayer: Bool { profile != 5 && (profile != 10 || compatibilityID != 0) }
}

/// The kind of high dynamic range that a video track is tagged with.
public enum HDRFormat: String, Sendable {
    /// PQ with the light levels of its content or of the display it was graded on.
    case hdr10 = "HDR10"
    /// PQ without them.
    case pq = "PQ"
    /// Hybrid log-gamma.
    case hlg = "HLG"
}

extension VideoDescription {
    /// The kind of high dynamic range, `nil` for SDR and for what the file does not say.
    public var hdrFormat: HDRFormat? {
        switch color.tags.transferFunction?.hdr {
        case .pq: peakLuminance == nil ? .pq : .hdr10
        case .hlg: .hlg
        case nil: nil
        }
    }

    /// Whether frames follow each other at different distances, as far as the
    /// container's rates tell.
    public var isVariableFrameRate: Bool {
        guard nominalFrameRate > 0, nominalFrameRate.isFinite, minFrameDuration.isNumeric, minFrameDuration > .zero
        else { return false }
        // The rate at which the shortest frames follow each other; that of fields is twice the frames'.
        let ratio = 1 / minFrameDuration.seconds / nominalFrameRate
        let isConstant = ratio < 1.01 || abs(ratio - 2) < 0.02 && fields != .progressive
        return !isConstant
    }

    /// Frames for each second for people; 0 if unknown.
    ///
    /// The average, unless that says more frames than fit even if all were of the
    /// shortest length: some containers give their ticks for it.
    public var plausibleFrameRate: Double {
        guard nominalFrameRate > 0, nominalFrameRate.isFinite else { return 0 }
        guard minFrameDuration.isNumeric, minFrameDuration > .zero else { return nominalFrameRate }
        let highest = 1 / minFrameDuration.seconds
        return nominalFrameRate > highest * 1.01 ? highest : nominalFrameRate
    }
}
