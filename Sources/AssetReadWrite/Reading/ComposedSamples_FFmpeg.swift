internal import FFmpegKit
package import MediaAsset
internal import MediaCore
package import MediaEngine
internal import SampleBuffers

/// Samples of several tracks together, or of one track of a composition.
extension ComposedRequest {
    init(_ request: SampleRequest, trackIDs: Set<CMPersistentTrackID>) {
        self.init(
            request.asset, trackIDs: trackIDs, range: request.timeRange, allowsDamage: request.allowsDamage,
            cancellation: request.run.cancellation)
    }
}

extension ComposedPictureFeed {
    /// - Parameter samples: The formats that are wanted, the best one first; empty for any.
    convenience init(_ request: ComposedRequest, samples: [PixelSamples]) throws {
        let wanted = samples.first
        let isRGB = wanted?.isRGB == true
        let isDeep = wanted.map { PixelFormatFacts(named: $0.name)?.depth ?? 8 > 8 } ?? true
        let layouts = isRGB ? ["yuva444p10le"] : wanted.map { [$0.filterName] }
        try self.init(
            request, layouts: layouts ?? Self.usualLayouts, drawn: isRGB ? (isDeep ? "rgba64le" : "bgra") : nil,
            keepsHDR: isDeep)
    }

    private static var usualLayouts: [String] {
        ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le"]
    }
}

extension PictureSamples {
    /// - Parameters:
    ///   - description: What is true of all pictures; `nil` for what each says of itself.
    ///   - copies: Whether buffers have memory of their own.
    convenience init(
        _ request: ComposedRequest, _ settings: PictureOutputSettings, _ description: CMFormatDescription?, copies: Bool
    ) throws {
        self.init(
            try ComposedPictureFeed(request, samples: settings.samples),
            form: PictureBuffers.Form(
                samples: settings.samples, width: settings.width, height: settings.height, copies: copies),
            attachments: PictureAttachments(description), start: request.range?.start)
    }
}

extension SoundSamples {
    /// - Parameter channels: How many the richest track has.
    convenience init(_ request: ComposedRequest, _ settings: SoundOutputSettings, channels: Int?) throws {
        self.init(try ComposedSoundFeed(request, form: settings.form(channels: channels)), settings)
    }
}
