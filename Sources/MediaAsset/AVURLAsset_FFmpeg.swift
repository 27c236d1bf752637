package import FFmpegKit
internal import Foundation
package import MediaCore
internal import MediaIO

extension AVURLAsset {
    /// What opens the file as the options say.
    static func source(url: URL, options: [String: Any]) -> AssetSource {
        var policy = SafetyPolicy()
        policy.additionalFormats = options[AVURLAssetAllowedFormatsKey] as? [String] ?? []
        policy.allowsNetwork = options[AVURLAssetAllowsNetworkAccessKey] as? Bool ?? false
        policy.refusesTornEnds = options[AVURLAssetRefusesTornEndsKey] as? Bool ?? false
        policy.limits = options[AVURLAssetLimitsKey] as? MediaLimits ?? MediaLimits()
        let input = MediaInput(
            url.isFileURL ? url.path : url.absoluteString,
            access: options[AVURLAssetFileAccessKey] as? FileAccess ?? .direct, limits: policy.limits)
        let frames = KnownFrames(
            of: input, given: options[AVURLAssetFrameIndexKey] as? FrameIndexFile,
            cache: options[AVURLAssetFrameIndexCacheKey] as? URL)
        return AssetSource(
            input, policy: policy,
            prefersPreciseDuration: options[AVURLAssetPreferPreciseDurationAndTimingKey] as? Bool ?? false,
            readsPipesWhole: options[AVURLAssetReadsPipesWholeKey] as? Bool ?? false,
            videoTrackID: options[AVURLAssetVideoTrackIDKey] as? Int32,
            isolation: options[AVURLAssetIsolationKey] as? AssetIsolation ?? .standard, refusal: refusal(of: options),
            frames: frames)
    }

    /// Why nothing is read: who asks for isolation in words that mean nothing here is not to go without.
    private static func refusal(of options: [String: Any]) -> AVError? {
        guard let value = options[AVURLAssetIsolationKey], !(value is AssetIsolation) else { return nil }
        return AVError(.incorrectlyConfigured, reason: "the value of AVURLAssetIsolationKey is no AssetIsolation")
    }
}

extension AVFileType {
    /// The container to write for streams of some codecs.
    ///
    /// - Parameter codecs: What is to be put into it.
    /// - Returns: Where no container holds all of them, the preferred one.
    /// - Throws: An error of kind `unsupported` for types that cannot be written.
    package func containerFormat(holding codecs: [Codec] = []) throws(FFmpegError) -> ContainerFormat {
        guard let preferred = containers.first else {
            throw FFmpegError(
                kind: .unsupported, operation: .write, reason: "files of the type \(rawValue) cannot be written")
        }
        let first = try ContainerFormat(preferred)
        for container in containers {
            let format = try ContainerFormat(container)
            if codecs.allSatisfy({ format.canHold(codec: $0) }) { return format }
        }
        return first
    }
}

/// Codecs by the names that the parameter `codecs` of media types has for them.
enum MediaTypeCodec {
    /// Whether there is a decoder for a codec; false for a name that is not known.
    static func canDecode(_ name: String) -> Bool { Codec(mediaTypeName: name)?.hasDecoder ?? false }
}
