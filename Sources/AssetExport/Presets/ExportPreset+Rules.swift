internal import MediaCore
public import MediaEngine

extension ExportPreset.VideoRule: Codable {
    /// Reads what becomes of pictures.
    public init(from decoder: any Decoder) throws {
        let mode = try PresetMode(decoder)
        switch mode {
        case .none: self = .none
        case .passthrough: self = .passthrough
        case .encode: self = .encode(try ExportPreset.VideoEncoding(from: decoder))
        }
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .none: try PresetMode.none.encode(to: encoder)
        case .passthrough: try PresetMode.passthrough.encode(to: encoder)
        case .encode(let encoding):
            try PresetMode.encode.encode(to: encoder)
            try encoding.encode(to: encoder)
        }
    }
}

extension ExportPreset.AudioRule: Codable {
    /// Reads what becomes of sound.
    public init(from decoder: any Decoder) throws {
        let mode = try PresetMode(decoder)
        switch mode {
        case .none: self = .none
        case .passthrough: self = .passthrough
        case .encode: self = .encode(try ExportPreset.AudioEncoding(from: decoder))
        }
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .none: try PresetMode.none.encode(to: encoder)
        case .passthrough: try PresetMode.passthrough.encode(to: encoder)
        case .encode(let encoding):
            try PresetMode.encode.encode(to: encoder)
            try encoding.encode(to: encoder)
        }
    }
}

/// What becomes of a track, as documents name it.
private enum PresetMode: String, CaseIterable {
    case none, passthrough, encode

    init(_ decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PresetKey.self)
        let key = PresetKey("mode")
        let text = try container.decode(String.self, forKey: key)
        guard let mode = Self(rawValue: text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath + [key],
                    debugDescription: "must be one of \(Self.allCases.map(\.rawValue).joined(separator: ", "))"))
        }
        if mode != .encode { _ = try PresetObject(decoder, keys: ["mode"]) }
        self = mode
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: PresetKey.self)
        try object.encode(rawValue, forKey: PresetKey("mode"))
    }
}

extension PresetObject {
    /// The encoder, of those that are known.
    fileprivate func encoder(_ media: EncoderTraits.Media) throws -> (name: String, facts: EncoderTraits) {
        let name = try required("encoder", try choice("encoder", of: EncoderTraits.names(media)))
        return (name, try required("encoder", EncoderTraits.known[name]))
    }
}

extension ExportPreset.VideoEncoding {
    init(from decoder: any Decoder) throws {
        let object = try PresetObject(
            decoder,
            keys: [
                "mode", "encoder", "pixelFormats", "rateControl", "options", "parameters", "maximumSize",
                "maximumFrameRate", "keyframeSeconds", "dynamicRange", "deinterlaces", "keepsAlpha", "crop", "rotation",
            ])
        let (name, facts) = try object.encoder(.video)
        let pixelFormats = try object.value("pixelFormats", as: [String].self)
        let unknown = pixelFormats.filter { PixelLayout.known[$0] == nil }
        guard unknown.isEmpty, !pixelFormats.isEmpty else {
            throw object.error("pixelFormats", "must be of \(PixelLayout.known.keys.sorted().joined(separator: ", "))")
        }
        self.init(
            encoder: name, pixelFormats: pixelFormats, rateControl: try ExportPreset.VideoRateControl(object, of: facts)
        )
        options = try object.options("options")
        parameters = try object.options("parameters", separators: ":=")
        guard parameters.isEmpty || EncoderParameters.option(ofEncoder: name) != nil else {
            throw object.error("parameters", "\(name) has no parameters besides its options")
        }
        maximumSize = try object.optional("maximumSize")
        maximumFrameRate = try object.number("maximumFrameRate", in: 1...1000)
        keyframeSeconds = try object.number("keyframeSeconds", in: 0.1...60)
        dynamicRange = try object.choice("dynamicRange", or: .standard)
        deinterlaces = try object.optional("deinterlaces") ?? true
        keepsAlpha = try object.optional("keepsAlpha") ?? false
        guard !keepsAlpha || pixelFormats.contains(where: { PixelLayout.known[$0]?.hasAlpha == true }) else {
            throw object.error("keepsAlpha", "none of pixelFormats has alpha")
        }
        crop = try object.optional("crop")
        rotation = try object.optional("rotation") ?? 0
        guard [0, 90, 180, 270].contains(rotation) else {
            throw object.error("rotation", "must be one of 0, 90, 180, 270")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: PresetKey.self)
        try object.encode(self.encoder, forKey: PresetKey("encoder"))
        try object.encode(pixelFormats, forKey: PresetKey("pixelFormats"))
        try object.encode(rateControl, forKey: PresetKey("rateControl"))
        if !options.isEmpty { try object.encode(options, forKey: PresetKey("options")) }
        if !parameters.isEmpty { try object.encode(parameters, forKey: PresetKey("parameters")) }
        try object.encodeIfPresent(maximumSize, forKey: PresetKey("maximumSize"))
        try object.encodeIfPresent(maximumFrameRate, forKey: PresetKey("maximumFrameRate"))
        try object.encodeIfPresent(keyframeSeconds, forKey: PresetKey("keyframeSeconds"))
        try object.encode(dynamicRange, forKey: PresetKey("dynamicRange"))
        try object.encode(deinterlaces, forKey: PresetKey("deinterlaces"))
        try object.encode(keepsAlpha, forKey: PresetKey("keepsAlpha"))
        try object.encodeIfPresent(crop, forKey: PresetKey("crop"))
        if rotation != 0 { try object.encode(rotation, forKey: PresetKey("rotation")) }
    }
}

extension ExportPreset.MaximumSize: Decodable {
    /// Reads a size.
    public init(from decoder: any Decoder) throws {
        let object = try PresetObject(decoder, keys: ["width", "height"])
        self.init(
            width: try object.required("width", try object.number("width", in: 2...16384)),
            height: try object.required("height", try object.number("height", in: 2...16384)))
    }
}

extension ExportPreset.Crop: Decodable {
    /// Reads a part of pictures.
    public init(from decoder: any Decoder) throws {
        let object = try PresetObject(decoder, keys: ["x", "y", "width", "height"])
        self.init(
            x: try object.required("x", try object.number("x", in: 0...16384)),
            y: try object.required("y", try object.number("y", in: 0...16384)),
            width: try object.required("width", try object.number("width", in: 2...16384)),
            height: try object.required("height", try object.number("height", in: 2...16384)))
    }
}

extension ExportPreset.VideoRateControl: Encodable {
    fileprivate init(_ video: PresetObject, of encoder: EncoderTraits) throws {
        self = try video.value("rateControl", as: Document.self).resolved(for: encoder, in: video)
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: PresetKey.self)
        switch self {
        case .encoder: try object.encode("encoder", forKey: PresetKey("mode"))
        case .constantQuality(let quality, let maximumBitRate):
            try object.encode("constantQuality", forKey: PresetKey("mode"))
            try object.encode(quality, forKey: PresetKey("quality"))
            try object.encodeIfPresent(maximumBitRate, forKey: PresetKey("maximumBitRate"))
        case .bitRate(let rate, let passes):
            try object.encode("bitRate", forKey: PresetKey("mode"))
            try object.encode(rate, forKey: PresetKey("bitRate"))
            try object.encode(passes, forKey: PresetKey("passes"))
        }
    }

    /// As a document has it, before it is known of which encoder it is.
    private struct Document: Decodable {
        let value: ExportPreset.VideoRateControl

        init(from decoder: any Decoder) throws {
            let mode = try decoder.container(keyedBy: PresetKey.self).decode(String.self, forKey: PresetKey("mode"))
            let rates: ClosedRange<Int64> = 10_000...1_000_000_000
            switch mode {
            case "constantQuality":
                let object = try PresetObject(decoder, keys: ["mode", "quality", "maximumBitRate"])
                value = .constantQuality(
                    quality: try object.value("quality"),
                    maximumBitRate: try object.number("maximumBitRate", in: rates))
            case "bitRate":
                let object = try PresetObject(decoder, keys: ["mode", "bitRate", "passes"])
                value = .bitRate(
                    try object.required("bitRate", try object.number("bitRate", in: rates)),
                    passes: try object.number("passes", in: 1...2) ?? 1)
            case "encoder":
                _ = try PresetObject(decoder, keys: ["mode"])
                value = .encoder
            default:
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath + [PresetKey("mode")],
                        debugDescription: "must be one of constantQuality, bitRate, encoder"))
            }
        }

        func resolved(for encoder: EncoderTraits, in video: PresetObject) throws -> ExportPreset.VideoRateControl {
            switch value {
            case .constantQuality(let quality, _):
                guard let range = encoder.qualities else {
                    throw video.error("rateControl.mode", "the encoder has no constant quality")
                }
                guard range.contains(quality) else {
                    throw video.error(
                        "rateControl.quality", "must be from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
                }
            case .bitRate(_, passes: 2) where !encoder.allowsTwoPasses:
                throw video.error("rateControl.passes", "two passes are not possible with the encoder")
            case .bitRate where encoder.qualities == nil:
                throw video.error(
                    "rateControl.mode", "the encoder has no bit rate to choose")
            default: break
            }
            return value
        }
    }
}

extension ExportPreset.AudioEncoding {
    init(from decoder: any Decoder) throws {
        let object = try PresetObject(
            decoder,
            keys: ["mode", "encoder", "bitRates", "quality", "options", "maximumChannels", "maximumSampleRate"])
        let (name, facts) = try object.encoder(.audio)
        self.init(encoder: name)
        bitRates = try object.bitRates("bitRates")
        guard bitRates.isEmpty || facts.hasBitRate else {
            throw object.error("bitRates", "\(name) has no bit rate that could be chosen")
        }
        quality = try object.optional("quality")
        if let quality {
            guard let range = facts.qualities else {
                throw object.error("quality", "\(name) has no scale of quality; bitRates says how many bits")
            }
            guard range.contains(quality) else {
                throw object.error("quality", "must be from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
            }
            guard bitRates.isEmpty else { throw object.error("quality", "goes without bitRates") }
        }
        options = try object.options("options")
        maximumChannels = try object.number("maximumChannels", in: 1...16)
        maximumSampleRate = try object.number("maximumSampleRate", in: 8000...192_000)
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: PresetKey.self)
        try object.encode(self.encoder, forKey: PresetKey("encoder"))
        if !bitRates.isEmpty {
            try object.encode(
                Dictionary(uniqueKeysWithValues: bitRates.map { (String($0), $1) }), forKey: PresetKey("bitRates"))
        }
        try object.encodeIfPresent(quality, forKey: PresetKey("quality"))
        if !options.isEmpty { try object.encode(options, forKey: PresetKey("options")) }
        try object.encodeIfPresent(maximumChannels, forKey: PresetKey("maximumChannels"))
        try object.encodeIfPresent(maximumSampleRate, forKey: PresetKey("maximumSampleRate"))
    }
}
