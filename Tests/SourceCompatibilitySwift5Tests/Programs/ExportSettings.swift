// The dictionaries of settings that writers and readers take; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

struct ExportSettings {
    enum Platform: String, CaseIterable { case phone, web, archive }

    let platform: Platform

    private var baseBitRate: Double {
        switch platform {
        case .phone: return 0.07
        case .web: return 0.1
        case .archive: return 0.3
        }
    }

    /// For a track as it is shown: no side longer than the platform's, even numbers.
    func videoSettings(for track: AVAssetTrack) -> [String: Any] {
        let longest: CGFloat = platform == .phone ? 240 : 1920
        let shown = CGRect(origin: .zero, size: track.naturalSize).applying(track.preferredTransform).standardized.size
        let scale = min(1, longest / max(shown.width, shown.height))
        let width = Int(shown.width * scale / 2) * 2
        let height = Int(shown.height * scale / 2) * 2
        let frameRate = track.nominalFrameRate == 0 ? 30 : track.nominalFrameRate
        let bitRate = Int(Double(width * height) * Double(frameRate) * baseBitRate)
        var settings: [String: Any] = [
            AVVideoCodecKey: platform == .archive ? AVVideoCodecType.hevc : AVVideoCodecType.h264,
            AVVideoWidthKey: width,
            AVVideoHeightKey: height,
            AVVideoCompressionPropertiesKey: [
                AVVideoAverageBitRateKey: bitRate,
                AVVideoProfileLevelKey: AVVideoProfileLevelH264BaselineAutoLevel as String,
                AVVideoMaxKeyFrameIntervalKey: Int(frameRate) * 2,
            ] as [String: Any],
        ]
        if let colours = colourProperties(of: track) { settings[AVVideoColorPropertiesKey] = colours }
        return settings
    }

    func audioSettings(for track: AVAssetTrack) -> [String: Any] {
        let description = track.formatDescriptions.first.map { $0 as! CMAudioFormatDescription }
        let basic = description.flatMap { CMAudioFormatDescriptionGetStreamBasicDescription($0)?.pointee }
        let channels = min(Int(basic?.mChannelsPerFrame ?? 2), 2)
        var layout = AudioChannelLayout()
        memset(&layout, 0, MemoryLayout<AudioChannelLayout>.size)
        layout.mChannelLayoutTag = channels == 1 ? kAudioChannelLayoutTag_Mono : kAudioChannelLayoutTag_Stereo
        return [
            AVFormatIDKey: platform == .archive ? kAudioFormatAppleLossless : kAudioFormatMPEG4AAC,
            AVSampleRateKey: basic?.mSampleRate ?? 44_100,
            AVNumberOfChannelsKey: channels,
            AVChannelLayoutKey: NSData(bytes: &layout, length: MemoryLayout.size(ofValue: layout)),
        ]
    }

    private func colourProperties(of track: AVAssetTrack) -> [String: String]? {
        guard let first = track.formatDescriptions.first else { return nil }
        let description = first as! CMVideoFormatDescription
        guard let extensions = CMFormatDescriptionGetExtensions(description) as? [String: Any] else { return nil }
        let keys = [
            (kCMFormatDescriptionExtension_ColorPrimaries, AVVideoColorPrimariesKey),
            (kCMFormatDescriptionExtension_TransferFunction, AVVideoTransferFunctionKey),
            (kCMFormatDescriptionExtension_YCbCrMatrix, AVVideoYCbCrMatrixKey),
        ]
        let pairs = keys.compactMap { key, setting in (extensions[key as String] as? String).map { (setting, $0) } }
        return pairs.count == keys.count ? Dictionary(uniqueKeysWithValues: pairs) : nil
    }
}
