// The program that the tutorial ends with. `// step 2` begins lines that are there from the second step on;
// scripts/documentation --write makes the steps' files of them.

// step 1
import Foundation
import OpenAVFoundation

@main struct Excerpt {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let start = Double(arguments[2]), let length = Double(arguments[3]) else {
            print("usage: excerpt FILM START LENGTH")
            exit(64)
        }
        let asset = AVURLAsset(url: URL(fileURLWithPath: arguments[1]))
        let (duration, tracks) = try await asset.load(.duration, .tracks)
        print("\(tracks.count) tracks, \(duration.seconds) s")
        // step 2

        let range = CMTimeRange(
            start: CMTime(seconds: start, preferredTimescale: 600),
            duration: CMTime(seconds: length, preferredTimescale: 600))
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        let (image, actualTime) = try await generator.image(at: range.start)
        let cover = try image.pngData()
        try cover.write(to: URL(fileURLWithPath: "excerpt.png"))
        print("the frame of \(actualTime.seconds) s: \(image.width)x\(image.height)")
        // step 3

        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = "Excerpt" as NSString
        let artwork = AVMutableMetadataItem()
        artwork.identifier = .commonIdentifierArtwork
        artwork.value = cover as NSData
        // step 4

        guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough) else {
            return
        }
        session.timeRange = range
        session.metadata = [title, artwork]
        try await session.export(to: URL(fileURLWithPath: "excerpt.mp4"), as: .mp4)
        print("excerpt.mp4: \(range.duration.seconds) s")
        // step 1
    }
}
