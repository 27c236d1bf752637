internal import MediaCore

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
