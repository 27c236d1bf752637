internal import Foundation
internal import MediaCore

extension AVVideoComposition {
    /// A composition that shows an asset's video tracks upright; blocks until the asset is loaded.
    ///
    /// As ``videoComposition(withPropertiesOf:)``, but without instructions if the file cannot be read.
    ///
    /// - Note: AVFoundation deprecates it in favour of that one.
    public convenience init(propertiesOf asset: AVAsset) {
        self.init(
            configuration: Configuration(
                tracks: asset.tracks(withMediaType: .video), duration: asset.duration, prototype: nil))
    }
}

extension AVMutableVideoComposition {
    /// As ``AVVideoComposition/videoComposition(withPropertiesOf:)``, each instruction with background and
    /// post-processing of a prototype.
    ///
    /// - Throws: What opening the file fails with, as `AVAsset` tells.
    public class func videoComposition(
        withPropertiesOf asset: AVAsset, prototypeInstruction: AVVideoCompositionInstruction
    ) async throws -> AVMutableVideoComposition {
        AVMutableVideoComposition(
            configuration: try await Configuration(for: asset, prototypeInstruction: prototypeInstruction))
    }

    /// A composition that shows an asset's video tracks upright, each instruction with background and post-processing
    /// of a prototype; blocks until the asset is loaded.
    public convenience init(propertiesOf asset: AVAsset, prototypeInstruction: AVVideoCompositionInstruction) {
        self.init(
            configuration: Configuration(
                tracks: asset.tracks(withMediaType: .video), duration: asset.duration, prototype: prototypeInstruction))
    }
}

extension AVVideoComposition.Configuration {
    /// Shows an asset's video tracks upright; see ``AVVideoComposition/videoComposition(withPropertiesOf:)``.
    ///
    /// - Parameter prototypeInstruction: What the instructions say besides times and layers; nothing if `nil`.
    /// - Throws: What opening the file fails with, as `AVAsset` tells.
    public init(for asset: AVAsset, prototypeInstruction: AVVideoCompositionInstruction? = nil) async throws {
        let (tracks, duration) = try await (asset.loadTracks(withMediaType: .video), asset.load(.duration))
        self.init(tracks: tracks, duration: duration, prototype: prototypeInstruction)
    }

    /// Shows video tracks of an asset that lasts so long.
    init(tracks: [AVAssetTrack], duration: CMTime, prototype: AVVideoCompositionInstruction?) {
        let enabled = tracks.filter(\.isEnabled)
        let tracks = enabled.isEmpty ? tracks : enabled
        self.init(
            frameDuration: tracks.shortestFrameDuration ?? CMTime(value: 1, timescale: 30),
            instructions: tracks.uprightInstructions(upTo: duration, prototype: prototype),
            renderSize: tracks.enclosingSize,
            sourceTrackIDForFrameTiming: tracks.count == 1 ? tracks[0].trackID : kCMPersistentTrackID_Invalid)
    }
}

extension [AVAssetTrack] {
    /// The duration of the fastest track's frames, `nil` if no track tells.
    fileprivate var shortestFrameDuration: CMTime? { compactMap(\.knownFrameDuration).min() }

    /// The width of the widest upright picture and the height of the highest, in whole pixels.
    fileprivate var enclosingSize: CGSize {
        let sizes = map { CGRect(origin: .zero, size: $0.naturalSize).applying($0.preferredTransform).size }
        // Sines and cosines leave a size a trifle above what it is.
        func whole(_ lengths: [CGFloat]) -> CGFloat { ((lengths.max() ?? 0) - 1e-6).rounded(.up) }
        return CGSize(width: whole(sizes.map(\.width)), height: whole(sizes.map(\.height)))
    }

    /// One instruction for each stretch during which the same tracks have something to show.
    fileprivate func uprightInstructions(
        upTo duration: CMTime, prototype: AVVideoCompositionInstruction?
    ) -> [AVVideoCompositionInstruction] {
        guard !isEmpty else { return [] }
        let ends = map(\.timeRange.end).filter(\.isNumeric)
        let last = duration.isNumeric && duration > .zero ? duration : ends.max() ?? .zero
        // Tracks of a film seldom begin and end at just the same time; no picture is to be missing there.
        let moment = CMTime(value: 1, timescale: 10)
        let borders = Set(
            (map(\.timeRange.start) + ends).filter { $0.isNumeric && $0 > moment && $0 < last - moment })
        let times = [.zero] + borders.sorted() + [last]
        return zip(times, times.dropFirst()).compactMap { start, end in
            guard start < end else { return nil }
            var instruction = prototype?.configuration ?? AVVideoCompositionInstruction.Configuration()
            instruction.timeRange = CMTimeRange(start: start, end: end)
            let middle = start + CMTimeMultiplyByRatio(end - start, multiplier: 1, divisor: 2)
            instruction.layerInstructions = filter { $0.timeRange.containsTime(middle) }.map(\.uprightLayer)
            return AVMutableVideoCompositionInstruction(configuration: instruction)
        }
    }
}

extension AVAssetTrack {
    /// How long a frame lasts, by its shortest or by the rate; `nil` if neither is known.
    fileprivate var knownFrameDuration: CMTime? {
        if minFrameDuration.isNumeric, minFrameDuration > .zero { return minFrameDuration }
        guard nominalFrameRate > 0, nominalFrameRate.isFinite else { return nil }
        let rate = Double(nominalFrameRate)
        // 23.976 and its kin are whole rates by 1000/1001.
        for (numerator, denominator) in [(rate, 1), (rate * 1001 / 1000, 1001.0 / 1000)] {
            let whole = numerator.rounded()
            if whole >= 1, whole < 1e6, abs(numerator - whole) < 0.002 * denominator {
                return denominator == 1
                    ? CMTime(value: 1, timescale: CMTimeScale(whole))
                    : CMTime(value: 1001, timescale: CMTimeScale(whole) * 1000)
            }
        }
        let duration = CMTime(seconds: 1 / rate, preferredTimescale: 90_000)
        return duration > .zero ? duration : nil
    }

    fileprivate var uprightLayer: AVVideoCompositionLayerInstruction {
        var layer = AVVideoCompositionLayerInstruction.Configuration(assetTrack: self)
        if !preferredTransform.isIdentity { layer.setTransform(preferredTransform, at: .zero) }
        return AVMutableVideoCompositionLayerInstruction(configuration: layer)
    }
}
