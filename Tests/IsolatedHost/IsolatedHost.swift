import Foundation
import OpenAVFoundation
import OpenAVFoundationExtras

/// A program that uses the library, to be looked at from outside: what it reads, what it costs.
///
/// `isolated-host none|worker FILE [COUNT]` loads what a file contains and so many stills, and says how long each took.
@main
enum IsolatedHost {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { fatalError("usage: isolated-host none|worker FILE [COUNT]") }
        let count = arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1
        let isolation: AssetIsolation = arguments[1] == "none" ? .none : .worker
        let url = URL(fileURLWithPath: arguments[2])
        // The first has to start the worker.
        for name in ["first", "second", "third"] {
            let asset = AVURLAsset(url: url, options: [AVURLAssetIsolationKey: isolation])
            var start = ContinuousClock.now
            let duration = try await asset.load(.duration, .tracks, .metadata).0
            print("\(name): load", milliseconds(start.duration(to: .now)), "duration", duration.seconds)
            let generator = AVAssetImageGenerator(asset: asset)
            generator.requestedTimeToleranceBefore = .zero
            generator.requestedTimeToleranceAfter = .zero
            let times = (0..<count).map {
                CMTimeMultiplyByRatio(duration, multiplier: Int32($0), divisor: Int32(count))
            }
            start = .now
            var (stills, bytes) = (0, 0)
            for await result in generator.images(for: times) {
                bytes += try result.image.pixels.count
                stills += 1
            }
            print("\(name): \(stills) stills", milliseconds(start.duration(to: .now)), "bytes", bytes)
        }
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return String(format: "%.2f ms", Double(seconds) * 1000 + Double(attoseconds) / 1e15)
    }
}
