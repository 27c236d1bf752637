// What a view of posters observes; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

@MainActor
final class PosterModel {
    enum State {
        case idle
        case loading
        case loaded(CGImage, caption: String)
        case failed(String)
    }

    private(set) var state = State.idle {
        didSet { onChange?(state) }
    }
    var onChange: ((State) -> Void)?
    private var task: Task<Void, Never>?

    func show(_ url: URL, at fraction: Double) {
        task?.cancel()
        state = .loading
        task = Task { [weak self] in
            do {
                let (image, caption) = try await Self.poster(of: url, at: fraction)
                guard !Task.isCancelled else { return }
                self?.state = .loaded(image, caption: caption)
            } catch is CancellationError {
                self?.state = .idle
            } catch let error as AVError {
                self?.state = .failed("AVError \(error.code.rawValue)")
            } catch {
                self?.state = .failed(error.localizedDescription)
            }
        }
    }

    func wait() async { await task?.value }

    nonisolated private static func poster(of url: URL, at fraction: Double) async throws -> (CGImage, String) {
        let asset = AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
        let (duration, metadata) = try await asset.load(.duration, .commonMetadata)
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        let time = CMTimeMultiplyByFloat64(duration, multiplier: fraction)
        async let picture = generator.image(at: time).image
        let titles = AVMetadataItem.metadataItems(from: metadata, filteredByIdentifier: .commonIdentifierTitle)
        let title = try await titles.first?.load(.stringValue) ?? url.deletingPathExtension().lastPathComponent
        let length = Duration.seconds(duration.seconds)
        return (try await picture, "\(title), \(length.components.seconds) s")
    }
}
