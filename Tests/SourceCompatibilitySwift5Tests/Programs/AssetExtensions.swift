// Extensions as they are found in a hundred applications; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

extension AVAsset {
    var g_size: CGSize { tracks(withMediaType: .video).first?.g_naturalSize ?? .zero }

    var g_isPortrait: Bool { g_size.height > g_size.width }

    var g_fileSize: Double {
        guard let urlAsset = self as? AVURLAsset else { return 0 }
        let values = try? urlAsset.url.resourceValues(forKeys: [.fileSizeKey])
        return Double(values?.fileSize ?? 0) / 1024
    }

    var g_frameRate: Float {
        guard let track = tracks(withMediaType: .video).first, track.nominalFrameRate > 0 else { return 30 }
        return track.nominalFrameRate
    }

    func g_screenshot(at seconds: TimeInterval = 0, maxSize: CGFloat = 640) -> CGImage? {
        let generator = AVAssetImageGenerator(asset: self)
        generator.appliesPreferredTrackTransform = true
        generator.maximumSize = CGSize(width: maxSize, height: maxSize)
        let time = CMTimeMakeWithSeconds(seconds, preferredTimescale: 60)
        var actualTime = CMTimeMake(value: 0, timescale: 0)
        return try? generator.copyCGImage(at: time, actualTime: &actualTime)
    }

    /// A film without sound, or one whose sound is too short.
    func g_silence(after time: CMTime) -> CMTimeRange? {
        guard let sound = tracks(withMediaType: .audio).map({ $0.timeRange }).max(by: { $0.end < $1.end }) else {
            return CMTimeRange(start: time, end: duration)
        }
        let rest = CMTimeRange(start: CMTimeMaximum(time, sound.end), end: duration)
        return rest.isEmpty || !rest.isValid ? nil : rest
    }
}

extension AVAssetTrack {
    var g_naturalSize: CGSize {
        let size = naturalSize.applying(preferredTransform)
        return CGSize(width: abs(size.width), height: abs(size.height))
    }

    var g_correctTransform: CGAffineTransform {
        let ratio = 0.5 as CGFloat
        return preferredTransform.concatenating(CGAffineTransform(scaleX: ratio, y: ratio))
    }

    /// For example `avc1 320x240 25.00 fps 45 kbit/s`.
    var g_summary: String {
        let codec = (formatDescriptions.first as! CMFormatDescription?).map { description -> String in
            let code = CMFormatDescriptionGetMediaSubType(description).bigEndian
            return withUnsafeBytes(of: code) { String(decoding: $0, as: UTF8.self) }
        }
        let rate = String(format: "%.2f fps %.0f kbit/s", nominalFrameRate, estimatedDataRate / 1000)
        return "\(codec ?? "none") \(Int(naturalSize.width))x\(Int(naturalSize.height)) \(rate)"
    }
}

extension CMTime {
    var g_positionalTime: String {
        guard isValid, !isIndefinite, isNumeric else { return "-:--" }
        let total = Int(CMTimeGetSeconds(self).rounded())
        let (hours, minutes, seconds) = (total / 3600, total % 3600 / 60, total % 60)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, seconds) : String(format: "%d:%02d", minutes, seconds)
    }

    func g_rounded(to timescale: CMTimeScale) -> CMTime { convertScale(timescale, method: .roundHalfAwayFromZero) }
}

extension CMTimeRange {
    func g_split(into count: Int) -> [CMTimeRange] {
        let length = CMTimeMultiplyByRatio(duration, multiplier: 1, divisor: Int32(count))
        return (0..<count).map {
            CMTimeRange(start: start + CMTimeMultiply(length, multiplier: Int32($0)), duration: length)
        }
    }
}
