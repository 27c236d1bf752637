internal import Foundation
internal import MediaCore
internal import MediaEngine
internal import SampleBuffers

/// How a client wants pictures encoded, by the keys of AVFoundation.
struct PictureEncodingSettings {
    /// The encoder, its options and what bounds the amount of data.
    let encoding: VideoEncoding
    let width: Int
    let height: Int
    /// One of `AVVideoScalingMode…`; `nil` if nothing is said.
    let scalingMode: String?
    /// Pictures in a second that are expected; `nil` if nothing is said.
    let frameRate: Double?
    /// The most pictures between two keyframes; `nil` if nothing is said.
    let keyframeInterval: Int?
    /// Names of primaries, transfer function and matrix; `nil` if nothing is said.
    let colors: (primaries: String?, transferFunction: String?, matrix: String?)?
    /// Width to height of a pixel; `nil` for square ones.
    let pixelAspectRatio: (horizontal: Int32, vertical: Int32)?

    /// - Throws: `AVError.incorrectlyConfigured` for keys that are missing and values that make no sense,
    ///   `encoderNotFound` for a codec that pictures cannot be encoded in.
    init(_ settings: [String: Any]) throws(AVError) {
        let values = Values(settings)
        let codec = try Self.codec(settings[AVVideoCodecKey])
        width = try values.required(AVVideoWidthKey, in: 2...16384)
        height = try values.required(AVVideoHeightKey, in: 2...16384)
        scalingMode = try values.text(AVVideoScalingModeKey, among: Self.scalingModes)
        let properties = try values.dictionary(AVVideoCompressionPropertiesKey)
        var encoding = try Self.base(codec)
        try Self.apply(properties, to: &encoding, codec)
        self.encoding = encoding
        frameRate = try properties.number(AVVideoExpectedSourceFrameRateKey, in: 0.01...1000)
        keyframeInterval = try properties.whole(AVVideoMaxKeyFrameIntervalKey, in: 1...100_000)
        if settings[AVVideoColorPropertiesKey] == nil {
            colors = nil
        } else {
            let stated = try values.dictionary(AVVideoColorPropertiesKey)
            colors = (
                try stated.text(AVVideoColorPrimariesKey, among: Self.primaries),
                try stated.text(AVVideoTransferFunctionKey, among: Self.transferFunctions),
                try stated.text(AVVideoYCbCrMatrixKey, among: Self.matrices)
            )
        }
        pixelAspectRatio = try Self.aspect(values, properties)
    }

    private static func codec(_ value: Any?) throws(AVError) -> AVVideoCodecType {
        switch value {
        case let codec as AVVideoCodecType: return codec
        case let text as String: return AVVideoCodecType(rawValue: text)
        case let text as NSString: return AVVideoCodecType(rawValue: String(describing: text))
        case nil: throw AVError(.incorrectlyConfigured, reason: "AVVideoCodecKey is missing")
        case let other?:
            throw AVError(
                .incorrectlyConfigured, reason: "AVVideoCodecKey is no codec: \(String(describing: other).prefix(60))")
        }
    }

    /// What the presets that stand for AVFoundation's say of the codec.
    private static func base(_ codec: AVVideoCodecType) throws(AVError) -> VideoEncoding {
        guard var encoding = encodings[codec] else {
            throw AVError(
                .encoderNotFound,
                reason: "pictures cannot be encoded as \(codec.rawValue.prefix(20)), but as "
                    + encodings.keys.map(\.rawValue).sorted().joined(separator: ", "))
        }
        if let profile = proResProfiles[codec] { encoding.options["profile"] = profile }
        return encoding
    }

    private static let encodings: [AVVideoCodecType: VideoEncoding] = [
        .h264: WriterEncodings.h264, .hevc: WriterEncodings.hevc, .proRes422: WriterEncodings.proRes422,
        .proRes422HQ: WriterEncodings.proRes422, .proRes422LT: WriterEncodings.proRes422,
        .proRes422Proxy: WriterEncodings.proRes422, .proRes4444: WriterEncodings.proRes4444,
        .proRes4444XQ: WriterEncodings.proRes4444,
    ]

    private static let proResProfiles: [AVVideoCodecType: String] = [
        .proRes422: "standard", .proRes422HQ: "hq", .proRes422LT: "lt", .proRes422Proxy: "proxy", .proRes4444: "4444",
        .proRes4444XQ: "4444xq",
    ]

    private static func apply(
        _ properties: Values, to encoding: inout VideoEncoding, _ codec: AVVideoCodecType
    ) throws(AVError) {
        let hasRate = [.h264, .hevc].contains(codec)
        if let rate = try properties.number(AVVideoAverageBitRateKey, in: 10_000...1e9), hasRate {
            encoding.rateControl = .bitRate(Int64(rate), passes: 1)
        } else if let quality = try properties.number(AVVideoQualityKey, in: 0...1), hasRate {
            // From hard to see anything in to hard to tell from the source.
            encoding.rateControl = .constantQuality(quality: (51 - 36 * quality).rounded(), maximumBitRate: nil)
        }
        if let seconds = try properties.number(AVVideoMaxKeyFrameIntervalDurationKey, in: 0...3600), seconds > 0 {
            encoding.keyframeSeconds = seconds
        }
        if try properties.flag(AVVideoAllowFrameReorderingKey) == false, hasRate { encoding.options["bf"] = "0" }
        if codec == .h264 {
            if try properties.text(
                AVVideoH264EntropyModeKey, among: [AVVideoH264EntropyModeCAVLC, AVVideoH264EntropyModeCABAC])
                == AVVideoH264EntropyModeCAVLC
            {
                encoding.options["coder"] = "vlc"
            }
            if let profile = try properties.text(AVVideoProfileLevelKey, among: nil) {
                try Self.apply(h264: profile, to: &encoding)
            }
        } else if codec == .hevc, let profile = try properties.text(AVVideoProfileLevelKey, among: nil) {
            guard let formats = hevcProfiles[profile] else {
                throw AVError(
                    .incorrectlyConfigured, reason: "\(AVVideoProfileLevelKey) \(profile.prefix(40)) is not known")
            }
            encoding.pixelFormats = formats
        }
    }

    private static let hevcProfiles = [
        "HEVC_Main_AutoLevel": ["yuv420p"], "HEVC_Main10_AutoLevel": ["yuv420p10le"],
    ]

    /// A profile and level by its name: `H264_High_4_1`, `H264_Main_AutoLevel`.
    private static func apply(
        h264 text: String, to encoding: inout VideoEncoding
    ) throws(AVError) {
        let parts = text.split(separator: "_").map(String.init)
        let profiles = ["Baseline": "baseline", "ConstrainedBaseline": "baseline", "Main": "main", "High": "high"]
        guard parts.count >= 3, parts[0] == "H264", let profile = profiles[parts[1]] else {
            throw AVError(.incorrectlyConfigured, reason: "\(AVVideoProfileLevelKey) \(text.prefix(40)) is not known")
        }
        encoding.options["profile"] = profile
        let level = parts.dropFirst(2)
        if level.count == 2, level.allSatisfy({ Int($0) != nil }) {
            encoding.options["level"] = level.joined(separator: ".")
        } else if level != ["AutoLevel"] {
            throw AVError(.incorrectlyConfigured, reason: "\(AVVideoProfileLevelKey) \(text.prefix(40)) is not known")
        }
    }

    private static func aspect(
        _ values: Values, _ properties: Values
    ) throws(AVError) -> (horizontal: Int32, vertical: Int32)? {
        for owner in [values, properties] where owner.has(AVVideoPixelAspectRatioKey) {
            let stated = try owner.dictionary(AVVideoPixelAspectRatioKey)
            let horizontal = try stated.required(AVVideoPixelAspectRatioHorizontalSpacingKey, in: 1...100_000)
            let vertical = try stated.required(AVVideoPixelAspectRatioVerticalSpacingKey, in: 1...100_000)
            return (Int32(horizontal), Int32(vertical))
        }
        return nil
    }

    private static let scalingModes = [
        AVVideoScalingModeFit, AVVideoScalingModeResize, AVVideoScalingModeResizeAspect,
        AVVideoScalingModeResizeAspectFill,
    ]
    private static let primaries = [
        AVVideoColorPrimaries_ITU_R_709_2, AVVideoColorPrimaries_EBU_3213, AVVideoColorPrimaries_SMPTE_C,
        AVVideoColorPrimaries_P3_D65, AVVideoColorPrimaries_ITU_R_2020,
    ]
    private static let transferFunctions = [
        AVVideoTransferFunction_ITU_R_709_2, AVVideoTransferFunction_SMPTE_240M_1995,
        AVVideoTransferFunction_SMPTE_ST_2084_PQ, AVVideoTransferFunction_ITU_R_2100_HLG,
        AVVideoTransferFunction_Linear, AVVideoTransferFunction_IEC_sRGB,
    ]
    private static let matrices = [
        AVVideoYCbCrMatrix_ITU_R_709_2, AVVideoYCbCrMatrix_ITU_R_601_4, AVVideoYCbCrMatrix_SMPTE_240M_1995,
        AVVideoYCbCrMatrix_ITU_R_2020,
    ]
}

/// The values of a dictionary of settings, looked at.
struct Values {
    private let values: [String: Any]

    init(_ values: [String: Any]) { self.values = values }

    func has(_ key: String) -> Bool { values[key] != nil }

    /// A dictionary within it, empty if there is none.
    func dictionary(_ key: String) throws(AVError) -> Values {
        switch values[key] {
        case nil: return Values([:])
        case let inner as [String: Any]: return Values(inner)
        case let inner as NSDictionary:
            var plain: [String: Any] = [:]
            for (name, value) in inner { plain[String(describing: name)] = value }
            return Values(plain)
        case let other?: throw Self.refusal(key, other, "a dictionary")
        }
    }

    func number(_ key: String, in range: ClosedRange<Double>) throws(AVError) -> Double? {
        guard let value = values[key] else { return nil }
        guard let number = SettingNumber(value)?.value, range.contains(number) else {
            throw Self.refusal(key, value, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func whole(_ key: String, in range: ClosedRange<Int>) throws(AVError) -> Int? {
        guard let value = values[key] else { return nil }
        guard let number = SettingNumber(value)?.whole, range.contains(number) else {
            throw Self.refusal(key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func required(_ key: String, in range: ClosedRange<Int>) throws(AVError) -> Int {
        guard let number = try whole(key, in: range) else {
            throw AVError(.incorrectlyConfigured, reason: "\(key) is missing")
        }
        return number
    }

    func flag(_ key: String) throws(AVError) -> Bool? {
        guard let value = values[key] else { return nil }
        if let flag = value as? Bool { return flag }
        switch SettingNumber(value)?.whole {
        case 0: return false
        case 1: return true
        default: throw Self.refusal(key, value, "true or false")
        }
    }

    /// - Parameter allowed: What it may be; `nil` for anything.
    func text(_ key: String, among allowed: [String]?) throws(AVError) -> String? {
        guard let value = values[key] else { return nil }
        let text = value as? String ?? (value as? NSString).map { String(describing: $0) }
        guard let text, allowed?.contains(text) ?? true else {
            throw Self.refusal(key, value, allowed.map { "one of " + $0.joined(separator: ", ") } ?? "text")
        }
        return text
    }

    private static func refusal(_ key: String, _ value: Any, _ expected: String) -> AVError {
        AVError(
            .incorrectlyConfigured, reason: "\(key) is not \(expected): \(String(describing: value).prefix(60))")
    }
}

/// What a client asks of decoded pictures, by the keys of Core Video.
struct PictureOutputSettings {
    /// The formats that are wanted, the best one first; empty for any.
    let samples: [PixelSamples]
    /// In pixels; `nil` if nothing is asked.
    let width: Int?
    /// In pixels; `nil` if nothing is asked.
    let height: Int?

    /// - Parameter settings: By `kCVPixelBufferPixelFormatTypeKey`, `kCVPixelBufferWidthKey` and
    ///   `kCVPixelBufferHeightKey`; what says where memory is to lie is of no effect.
    /// - Throws: `AVError.incorrectlyConfigured` for values that make no sense and for coded pictures.
    init(_ settings: [String: Any]) throws(AVError) {
        for key in [AVVideoCodecKey, AVVideoCompressionPropertiesKey, AVVideoColorPropertiesKey]
        where settings[key] != nil {
            throw AVError(
                .incorrectlyConfigured, reason: "decoded pictures cannot be had by \(key): read them and encode them")
        }
        samples = try Self.samples(settings[Self.text(kCVPixelBufferPixelFormatTypeKey)])
        width = try Self.side(settings, Self.text(kCVPixelBufferWidthKey))
        height = try Self.side(settings, Self.text(kCVPixelBufferHeightKey))
    }

    private static func text(_ key: CFString) -> String { String(describing: key) }

    private static func samples(_ value: Any?) throws(AVError) -> [PixelSamples] {
        guard let value else { return [] }
        let listed = value as? [Any] ?? [value]
        var found: [PixelSamples] = []
        var refused: OSType?
        for one in listed {
            guard let number = SettingNumber(one)?.whole, let code = OSType(exactly: number) else {
                throw AVError(
                    .incorrectlyConfigured,
                    reason: "kCVPixelBufferPixelFormatTypeKey is no pixel format: \(String(describing: one).prefix(60))"
                )
            }
            if let samples = PixelSamples(code) { found.append(samples) } else { refused = refused ?? code }
        }
        if found.isEmpty, let refused {
            throw AVError(
                .incorrectlyConfigured, reason: "pictures cannot be had in the pixel format \(fourCharacters(refused))")
        }
        return found
    }

    private static func side(_ settings: [String: Any], _ key: String) throws(AVError) -> Int? {
        guard let value = settings[key] else { return nil }
        guard let number = SettingNumber(value)?.whole, (1...PixelBufferLayout.longestSide).contains(number) else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "\(key) is no size from 1 to \(PixelBufferLayout.longestSide): "
                    + "\(String(describing: value).prefix(60))")
        }
        return number
    }
}

/// A number of a dictionary of settings, however the client wrote it.
struct SettingNumber {
    let value: Double

    /// - Returns: `nil` for what is no number.
    init?(_ value: Any) {
        switch value {
        case let number as any BinaryInteger: self.value = Double(number)
        case let number as any BinaryFloatingPoint: self.value = Double(number)
        case let number as NSNumber: self.value = number.doubleValue
        default: return nil
        }
    }

    /// The number, if it is a whole one.
    var whole: Int? { Int(exactly: value) }
}
