// The inspector's window: everything about a film's tracks; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

struct FormatInspector: Sendable {
    struct Line: Sendable, Equatable {
        let label: String
        let value: String
    }

    func lines(for asset: AVAsset) async throws -> [Line] {
        var lines = [Line(label: "Duration", value: try await asset.load(.duration).seconds.formatted(2))]
        for track in try await asset.load(.tracks) {
            guard let description = try await track.load(.formatDescriptions).first else { continue }
            switch description.mediaType {
            case .video: lines += videoLines(description, rate: try await track.load(.nominalFrameRate))
            case .audio: lines += audioLines(description)
            default: continue
            }
        }
        return lines
    }

    private func videoLines(_ format: CMVideoFormatDescription, rate: Float) -> [Line] {
        let coded = format.dimensions
        let shown = format.presentationDimensions(usePixelAspectRatio: true, useCleanAperture: true)
        var lines = [
            Line(label: "Picture", value: "\(coded.width) × \(coded.height) at \(Double(rate).formatted(2))"),
            Line(label: "Codec", value: codecName(format.mediaSubType)),
        ]
        if Int32(shown.width.rounded()) != coded.width || Int32(shown.height.rounded()) != coded.height {
            lines.append(Line(label: "Shown", value: "\(Int(shown.width.rounded())) × \(Int(shown.height.rounded()))"))
        }
        if let primaries = format.extensions[.colorPrimaries]?.propertyListRepresentation as? String {
            lines.append(Line(label: "Primaries", value: primaries))
        }
        return lines
    }

    private func audioLines(_ format: CMAudioFormatDescription) -> [Line] {
        guard let basic = format.audioStreamBasicDescription else { return [] }
        let channels = basic.mChannelsPerFrame == 1 ? "mono" : "\(basic.mChannelsPerFrame) channels"
        return [
            Line(label: "Sound", value: "\(codecName(format.mediaSubType)) \(Int(basic.mSampleRate)) Hz \(channels)")
        ]
    }

    private func codecName(_ type: CMFormatDescription.MediaSubType) -> String {
        switch type {
        case .h264: "H.264"
        case .hevc: "HEVC"
        case .proRes4444: "ProRes 4444"
        case .mpeg4AAC: "AAC"
        case .flac: "FLAC"
        case .opus: "Opus"
        default: "\(type)"
        }
    }
}

extension Double {
    fileprivate func formatted(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
