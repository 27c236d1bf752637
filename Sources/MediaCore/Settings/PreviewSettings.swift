internal import Foundation

/// How sheets of pictures are encoded.
public enum PreviewImageFormat: String, Sendable, Hashable, CaseIterable, Codable {
    /// JPEG, which every player reads.
    case jpeg
    /// PNG, without losses.
    case png
    /// WebP.
    case webp
    /// AVIF.
    case avif

    /// The filename extension, without its dot.
    public var filenameExtension: String { self == .jpeg ? "jpg" : rawValue }
    /// The media type, such as `image/jpeg`.
    public var mimeType: String { "image/" + rawValue }
    /// The most pixels that a row or column can hold.
    public var maximumDimension: Int {
        switch self {
        case .jpeg: 65500
        case .png: 65535
        case .webp: 16383
        case .avif: 65535
        }
    }
}

/// What the times that a preview tells are counted from.
public enum PreviewTimeline: String, Sendable, Hashable, CaseIterable, Codable {
    /// The asset's zero, as in `AVAsset`; also that of BIF, HLS and DASH.
    case asset
    /// The container's zero: the asset's time plus `AssetDescription.origin`.
    case container
}

/// A colour in sRGB, opaque.
public struct RGBColor: Sendable, Hashable, Codable {
    /// Red, from 0 to 255.
    public var red: UInt8
    /// Green, from 0 to 255.
    public var green: UInt8
    /// Blue, from 0 to 255.
    public var blue: UInt8

    /// Makes a colour of its components.
    public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// Black.
    public static let black = RGBColor(red: 0, green: 0, blue: 0)
    /// White.
    public static let white = RGBColor(red: 255, green: 255, blue: 255)

    /// Reads `#rrggbb`, `#rgb`, `white` or `black`; `nil` for anything else.
    public init?(_ text: String) {
        switch text.lowercased() {
        case "white": self = .white
        case "black": self = .black
        default:
            guard text.hasPrefix("#"), text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
            let digits = text.dropFirst().compactMap { $0.hexDigitValue }
            switch digits.count {
            case 6: self.init(digits: stride(from: 0, to: 6, by: 2).map { digits[$0] * 16 + digits[$0 + 1] })
            case 3: self.init(digits: digits.map { $0 * 17 })
            default: return nil
            }
        }
    }

    private init(digits: [Int]) {
        self.init(red: UInt8(digits[0]), green: UInt8(digits[1]), blue: UInt8(digits[2]))
    }

    /// How bright it looks beside white, from 0 to 1: relative luminance of the sRGB standard.
    public var luminance: Double {
        func linear(_ component: UInt8) -> Double {
            let value = Double(component) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// A colour on the way to another one: `share` 0 is this one, 1 the other.
    package func mixed(with other: RGBColor, _ share: Double) -> RGBColor {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8(clamping: Int((Double(one) + (Double(two) - Double(one)) * share).rounded()))
        }
        return RGBColor(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}

/// How scenes are told apart.
public struct SceneDetectionSettings: Sendable, Hashable {
    /// What makes a cut.
    public enum Method: String, Sendable, Hashable, CaseIterable, Codable {
        /// A difference from the frame before that stands out among those around
        /// it: moves of the camera make all of them large.
        case adaptive
        /// A difference from the frame before above a threshold.
        case content
    }

    /// What makes a cut.
    public var method: Method
    /// For ``Method/content`` the difference from which on there is a cut, of 255;
    /// for ``Method/adaptive`` how many times as large as the mean of those of the
    /// two frames before and after it is at least.
    ///
    /// Differences below 15 are no cut by ``Method/adaptive``, whatever the threshold.
    public var threshold: Double
    /// No scene is shorter than this, unless the film is; what lasts less and then
    /// gives way to the picture from before, such as a flash, is no scene.
    ///
    /// 0.6 s by default. What is not above zero, or not numeric, sets no limit.
    public var minimumLength: CMTime

    /// The threshold of a method if none is given, on the scale of ``threshold``: 3 for
    /// ``Method/adaptive``, 27 for ``Method/content``.
    public static func defaultThreshold(of method: Method) -> Double {
        switch method {
        case .adaptive: 3
        case .content: 27
        }
    }

    /// Makes settings.
    ///
    /// - Parameter threshold: `nil` for the method's usual one.
    public init(
        method: Method = .adaptive, threshold: Double? = nil, minimumLength: CMTime = CMTime(value: 3, timescale: 5)
    ) {
        self.method = method
        self.threshold = threshold ?? Self.defaultThreshold(of: method)
        self.minimumLength = minimumLength
    }
}

/// Where the times of a contact sheet's stills stand.
public enum SheetLabels: String, Sendable, Hashable, CaseIterable, Codable {
    /// Below each still.
    case under
    /// On each still, in a corner.
    case on
    /// Nowhere.
    case none
}

/// How a picture is brought into a box.
///
/// Beyond AVFoundation.
public enum StillFit: String, Sendable, Hashable, CaseIterable, Codable {
    /// Inside of the box, aspect kept, never enlarged.
    case contain
    /// Exactly the box: what does not fit is cut off on both sides alike. Small pictures are enlarged.
    case cover
    /// Exactly the box: what remains of it is filled with a colour. Small pictures are enlarged.
    case pad
}
