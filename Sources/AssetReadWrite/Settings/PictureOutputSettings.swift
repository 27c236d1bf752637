internal import Foundation
internal import MediaCore
internal import SampleBuffers

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
