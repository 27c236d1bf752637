internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import SampleBuffers

/// What an input says of the track it makes, as it is when writing starts.
struct InputDescription {
    var mediaType: AVMediaType
    var outputSettings: [String: Any]?
    var sourceFormatHint: CMFormatDescription?
    var languageCode: String?
    var extendedLanguageTag: String?
    var transform = CGAffineTransform.identity
    var mediaTimeScale: Int32?
    var isEnabled = true
    /// Whether `isEnabled` and `transform` were said rather than left as they are.
    var saysTransform = false

    var isPicture: Bool { mediaType == .video }
    var isSound: Bool { mediaType == .audio }

    /// What the track says of itself besides its codec.
    var traits: StreamTraits { traits(over: StreamTraits()) }

    /// What the track says of itself, over what is known of its samples.
    func traits(over known: StreamTraits) -> StreamTraits {
        var traits = known
        if let language = extendedLanguageTag.map({ Locale(identifier: $0).language.languageCode?.identifier(.alpha3) })
            ?? languageCode
        {
            traits.language = language
        }
        if saysTransform, isPicture {
            traits.displayMatrix = transform == .identity ? nil : transform.displayMatrix
        }
        if isEnabled { traits.disposition.insert(.default) } else { traits.disposition.remove(.default) }
        return traits
    }
}
