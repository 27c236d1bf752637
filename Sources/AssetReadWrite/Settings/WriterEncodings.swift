internal import MediaEngine

// Made by tools/presets of the documents in presets/.

/// How tracks are encoded whose client says no more than the codec: as the presets of these codecs say.
enum WriterEncodings {
    /// By the preset `high`.
    static var h264: VideoEncoding {
        var encoding = VideoEncoding(
            encoder: "libx264",
            pixelFormats: ["yuv420p"],
            rateControl: .constantQuality(quality: 18, maximumBitRate: nil))
        encoding.options = ["preset": "medium", "profile": "high"]
        encoding.keyframeSeconds = 4
        encoding.dynamicRange = .standard
        return encoding
    }

    /// By the preset `hevc-high`.
    static var hevc: VideoEncoding {
        var encoding = VideoEncoding(
            encoder: "libx265",
            pixelFormats: ["yuv420p", "yuv420p10le"],
            rateControl: .constantQuality(quality: 20, maximumBitRate: nil))
        encoding.options = ["preset": "medium"]
        encoding.keyframeSeconds = 4
        encoding.dynamicRange = .source
        return encoding
    }

    /// By the preset `prores-422`.
    static var proRes422: VideoEncoding {
        var encoding = VideoEncoding(
            encoder: "prores_ks",
            pixelFormats: ["yuv422p10le"],
            rateControl: .encoder)
        encoding.options = ["profile": "standard", "vendor": "apl0"]
        encoding.deinterlaces = false
        encoding.dynamicRange = .source
        return encoding
    }

    /// By the preset `prores-4444`.
    static var proRes4444: VideoEncoding {
        var encoding = VideoEncoding(
            encoder: "prores_ks",
            pixelFormats: ["yuva444p10le", "yuv444p10le"],
            rateControl: .encoder)
        encoding.options = ["alpha_bits": "16", "profile": "4444", "vendor": "apl0"]
        encoding.deinterlaces = false
        encoding.keepsAlpha = true
        encoding.dynamicRange = .source
        return encoding
    }

    /// Bits a second of AAC, by the number of channels: those of the preset `high`.
    static let bitRates: [Int: Int64] = [1: 128000, 2: 256000, 6: 576000, 8: 768000]
}
