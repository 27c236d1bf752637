internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MediaItem.Artwork {
    /// Reads a picture, and decodes it: what is cut off or only named a picture is no cover.
    ///
    /// - Throws: A failure if the file cannot be read or is no whole picture, or one with too many pixels.
    init(picture path: String, limits: MediaLimits) async throws {
        guard let bytes = try? WholeFile.read(path, limit: 512 << 20) else {
            throw Failure(.noSuchInput, "\(path): cannot be read")
        }
        self.init(data: bytes)
        guard mimeType.hasPrefix("image/") else {
            throw Failure(.notAPicture, "\(path): is neither JPEG nor PNG nor another picture that files hold")
        }
        var source = MediaSource(file: path, limits: limits)
        source.limits.pixels = min(limits.pixels, limits.artworkPixels)
        let generator = AVAssetImageGenerator(asset: try source.asset())
        // Its size does not matter, and small is fast.
        generator.maximumSize = CGSize(width: 64, height: 64)
        do {
            _ = try await generator.image(at: .zero)
        } catch let error as AVError where error.underlying is MediaLimitError {
            throw error
        } catch {
            throw Failure(.notAPicture, "\(path): is no whole picture: \(Failure(error).message)")
        }
    }
}
