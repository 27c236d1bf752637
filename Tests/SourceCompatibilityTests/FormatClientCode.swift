// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

extension AVAssetTrack {
    /// Type and sub-type of the track's samples, as Apple's documentation shows it.
    var mediaFormat: String {
        get async throws {
            var format = ""
            let descriptions = try await load(.formatDescriptions)
            for (index, description) in descriptions.enumerated() {
                let type = CMFormatDescriptionGetMediaType(description).toString()
                let subType = CMFormatDescriptionGetMediaSubType(description).toString()
                format += "\(type)/\(subType)"
                if index < descriptions.count - 1 { format += "," }
            }
            return format
        }
    }
}

extension FourCharCode {
    func toString() -> String {
        let bytes = [24, 16, 8, 0].map { UInt8((self >> $0) & 0xff) }
        let result = String(decoding: bytes, as: UTF8.self)
        return result.trimmingCharacters(in: .whitespaces)
    }
}

/// What a player needs to know before it picks a decoder.
struct PictureFormat: Equatable {
    enum Coding {
        case h264, hevc, proRes
        case other(String)
    }

    var width: Int32
    var height: Int32
    var presentation: CGSize
    var aperture: CGRect
    var primaries: String?
    var transfer: String?
    var matrix: String?
    var isFullRange: Bool?
    var fields: Int
    var isHDR: Bool
    var pixelAspect: CGSize

    init?(_ description: CMFormatDescription) {
        guard description.mediaType == .video else { return nil }
        let size = CMVideoFormatDescriptionGetDimensions(description)
        (width, height) = (size.width, size.height)
        presentation = CMVideoFormatDescriptionGetPresentationDimensions(
            description, usePixelAspectRatio: true, useCleanAperture: true)
        aperture = CMVideoFormatDescriptionGetCleanAperture(description, originIsAtTopLeft: true)
        func value(_ key: CFString) -> CFPropertyList? {
            CMFormatDescriptionGetExtension(description, extensionKey: key)
        }
        primaries = value(kCMFormatDescriptionExtension_ColorPrimaries) as? String
        transfer = value(kCMFormatDescriptionExtension_TransferFunction) as? String
        matrix = value(kCMFormatDescriptionExtension_YCbCrMatrix) as? String
        isFullRange = (value(kCMFormatDescriptionExtension_FullRangeVideo) as? NSNumber)?.boolValue
        fields = (value(kCMFormatDescriptionExtension_FieldCount) as? NSNumber)?.intValue ?? 1
        let curve = description.extensions[.transferFunction]
        isHDR = curve == .transferFunction(.smpte_ST_2084_PQ) || curve == .transferFunction(.itu_R_2100_HLG)
        let extensions = CMFormatDescriptionGetExtensions(description) as? [String: Any] ?? [:]
        let ratio = extensions[kCMFormatDescriptionExtension_PixelAspectRatio as String] as? [String: Any]
        let horizontal = ratio?[kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing as String] as? Int
        let vertical = ratio?[kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing as String] as? Int
        pixelAspect = CGSize(width: horizontal ?? 1, height: vertical ?? 1)
    }

    static func coding(of description: CMVideoFormatDescription) -> Coding {
        switch description.mediaSubType {
        case .h264: return .h264
        case .hevc, .hevcWithAlpha: return .hevc
        case .proRes422, .proRes422HQ, .proRes422LT, .proRes422Proxy, .proRes4444, .proRes4444XQ: return .proRes
        default: return .other(description.mediaSubType.rawValue.toString())
        }
    }
}

/// Decides by codes whether a track can be copied into an MP4.
struct PassthroughCheck {
    static let pictures: Set<CMVideoCodecType> = [
        kCMVideoCodecType_H264, kCMVideoCodecType_HEVC, kCMVideoCodecType_MPEG4Video, kCMVideoCodecType_JPEG,
    ]
    static let sound: Set<AudioFormatID> = [
        kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatAC3, kAudioFormatEnhancedAC3,
        kAudioFormatMPEGLayer3,
    ]

    func canCopy(_ track: AVAssetTrack) async throws -> Bool {
        let formats = try await track.load(.formatDescriptions)
        return !formats.isEmpty
            && formats.allSatisfy { format in
                let subType = CMFormatDescriptionGetMediaSubType(format)
                switch CMFormatDescriptionGetMediaType(format) {
                case kCMMediaType_Video: return Self.pictures.contains(subType)
                case kCMMediaType_Audio: return Self.sound.contains(subType)
                default: return false
                }
            }
    }
}
