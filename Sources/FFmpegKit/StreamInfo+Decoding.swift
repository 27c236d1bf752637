internal import CFFmpeg
package import MediaCore

/// Whether there is a decoder for a stream, and whether it may be used on untrusted input.
package enum DecoderAvailability: Sendable, Equatable {
    case available
    /// There is one, which is off by default: its name, as FFmpeg spells it.
    case off(String)
    case missing

    init(_ id: AVCodecID, _ policy: SafetyPolicy) {
        guard let decoder = avcodec_find_decoder(id) else {
            self = .missing
            return
        }
        let name = String(cString: decoder.pointee.name)
        self = policy.allowsDecoder(name) ? .available : .off(name)
    }

    /// Why a stream of a codec cannot be decoded, and what to do; `nil` if it can.
    package func objection(to codec: Codec) -> String? {
        switch self {
        case .available: nil
        case .off(let name):
            "the decoder \(name) is off by default; \(Self.option(name)) turns it on"
        case .missing: "there is no decoder for the codec \(codec)"
        }
    }

    /// How a format or decoder is allowed, in the tool and in the library.
    static func option(_ name: String) -> String { "--allow-format \(name) (AVURLAssetAllowedFormatsKey)" }
}

extension Codec {
    /// Whether there is a decoder of frames or audio that may be used on untrusted input by default.
    package var hasDecoder: Bool { id.map { DecoderAvailability($0, SafetyPolicy()) == .available } ?? false }

    /// Whether there is a decoder of subtitles that may be used on untrusted input.
    package var hasSubtitleDecoder: Bool {
        guard let id, let decoder = avcodec_find_decoder(id) else { return false }
        return SafetyPolicy.subtitleDecoders.contains(String(cString: decoder.pointee.name))
    }
}
