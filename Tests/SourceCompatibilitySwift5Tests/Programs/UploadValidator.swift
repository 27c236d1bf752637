// Decides by what is in a film whether a service takes it; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

struct UploadValidator {
    enum Rejection: Error, Equatable {
        case notPlayable
        case protected
        case videoCodec(String)
        case audioCodec(String)
        case sampleRate(Double)
        case resolution(width: Int32, height: Int32)
        case frameRate(Float)
    }

    var maximumHeight: Int32 = 1080
    var maximumFrameRate: Float = 60
    var sampleRates: Set<Double> = [44_100, 48_000]
    var videoCodecs: [CMVideoCodecType] = [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC]

    func validate(_ asset: AVAsset) throws {
        guard asset.isPlayable else { throw Rejection.notPlayable }
        guard !asset.hasProtectedContent else { throw Rejection.protected }
        for track in asset.tracks {
            switch track.mediaType {
            case .video: try validateVideo(track)
            case .audio: try validateAudio(track)
            default: break
            }
        }
    }

    private func validateVideo(_ track: AVAssetTrack) throws {
        for case let description in track.formatDescriptions as! [CMVideoFormatDescription] {
            let codec = CMFormatDescriptionGetMediaSubType(description)
            guard videoCodecs.contains(codec) else { throw Rejection.videoCodec(string(fromFourCC: codec)) }
            let dimensions = CMVideoFormatDescriptionGetDimensions(description)
            guard dimensions.height <= maximumHeight else {
                throw Rejection.resolution(width: dimensions.width, height: dimensions.height)
            }
        }
        guard track.nominalFrameRate <= maximumFrameRate else { throw Rejection.frameRate(track.nominalFrameRate) }
    }

    private func validateAudio(_ track: AVAssetTrack) throws {
        for description in track.formatDescriptions {
            let format = description as! CMAudioFormatDescription
            guard let asbd = CMAudioFormatDescriptionGetStreamBasicDescription(format) else { continue }
            switch asbd.pointee.mFormatID {
            case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2, kAudioFormatMPEGLayer3:
                break
            case let other: throw Rejection.audioCodec(string(fromFourCC: other))
            }
            guard sampleRates.contains(asbd.pointee.mSampleRate) else {
                throw Rejection.sampleRate(asbd.pointee.mSampleRate)
            }
        }
    }

    private func string(fromFourCC code: FourCharCode) -> String {
        let utf16 = [
            UInt16((code >> 24) & 0xFF), UInt16((code >> 16) & 0xFF), UInt16((code >> 8) & 0xFF), UInt16(code & 0xFF),
        ]
        return String(utf16CodeUnits: utf16, count: 4)
    }
}
