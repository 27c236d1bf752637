internal import FFmpegKit
package import MediaAsset
internal import MediaCore
package import MediaEngine

/// Captions among the user data of pictures that are encoded anew.
enum EncodedCaptions {
    /// Encoders that write the captions that come with their pictures.
    private static let writers: Set<String> = ["libx264", Codec.mpeg2Video.rawValue]

    /// Why captions do not get into the new pictures; `nil` if they do, or if there are none.
    static func reasonForLoss(
        of track: TrackDescription, _ conversion: TrackConversion, _ source: AssetSource
    ) throws -> String? {
        guard track.mediaType == .video else { return nil }
        let encoder = conversion.encoding.encoder
        var reason: String?
        if !writers.contains(encoder.name) {
            reason = "\(encoder.name) writes none; presets that make H.264 keep them"
        } else if encoder.options["a53cc"] == "0" {
            reason = "the preset turns them off"
        } else if conversion.encoding.rateLimit != nil {
            reason = "those of pictures that are left out go with them"
        }
        guard let reason, source.file != nil, try source.open().hasCaptions(inStream: track.streamIndex) else {
            return nil
        }
        return reason
    }
}
