// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

/// Clips for sending.
struct ClipExporter {
    enum Problem: Error { case noSession, notCompatible }

    func export(_ asset: AVAsset, from start: Double, seconds: Double, to url: URL) async throws {
        let preset = AVAssetExportPreset640x480
        guard
            await AVAssetExportSession.compatibility(ofExportPreset: preset, with: asset, outputFileType: .mp4)
        else { throw Problem.notCompatible }
        guard let session = AVAssetExportSession(asset: asset, presetName: preset) else { throw Problem.noSession }
        session.timeRange = CMTimeRange(
            start: CMTime(seconds: start, preferredTimescale: 600),
            duration: CMTime(seconds: seconds, preferredTimescale: 600))
        session.shouldOptimizeForNetworkUse = true
        session.metadataItemFilter = AVMetadataItemFilter.forSharing()
        try await session.export(to: url, as: .mp4)
    }

    func exportShowingProgress(_ asset: AVAsset, to url: URL, show: @escaping @Sendable (Double) -> Void) async throws {
        guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality) else {
            throw Problem.noSession
        }
        async let states: Void = {
            for await state in session.states(updateInterval: 0.1) {
                switch state {
                case .pending, .waiting: break
                case .exporting(let progress): show(progress.fractionCompleted)
                @unknown default: break
                }
            }
        }()
        try await session.export(to: url, as: .mov)
        await states
    }
}

/// Tags for an audio file, in the style of the years before `async`.
final class TagWriter {
    private var session: AVAssetExportSession?

    func tag(
        _ asset: AVAsset, title: String, cover: Data, to url: URL, done: @escaping @Sendable ((any Error)?) -> Void
    ) {
        guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough) else {
            return done(CocoaError(.featureUnsupported))
        }
        let titleItem = AVMutableMetadataItem()
        titleItem.identifier = .commonIdentifierTitle
        titleItem.value = title as NSString
        let coverItem = AVMutableMetadataItem()
        coverItem.identifier = .commonIdentifierArtwork
        coverItem.value = cover as NSData
        session.metadata = [titleItem, coverItem]
        session.outputFileType = AVFileType.m4a
        session.outputURL = url
        session.exportAsynchronously {
            switch session.status {
            case .completed: done(nil)
            case .failed, .cancelled: done(session.error)
            default: break
            }
        }
        self.session = session
    }

    var progress: Float { session?.progress ?? 0 }

    func cancel() { session?.cancelExport() }
}

/// What an application offers in its menu.
func usablePresets(for asset: AVAsset, completion: @escaping @Sendable ([String]) -> Void) {
    let all = AVAssetExportSession.allExportPresets()
    guard let first = all.first else { return completion([]) }
    AVAssetExportSession.determineCompatibility(ofExportPreset: first, with: asset, outputFileType: .mov) { isUsable in
        completion(isUsable ? all : [])
    }
}

func isTaken(_ error: any Error) -> Bool { (error as? AVError)?.code == .fileAlreadyExists }
