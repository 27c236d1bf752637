import Foundation
import OpenAVFoundation
import Testing

private class Player {
    var lastError: Error?

    func duration(of url: URL) async -> Double {
        do {
            return try await AVURLAsset(url: url).load(.duration).seconds
        } catch let error as NSError {
            lastError = error
            return 0
        }
    }

    func duration(of url: URL, completion: @escaping (Double, NSError?) -> Void) {
        let asset = AVURLAsset(url: url)
        asset.loadValuesAsynchronously(forKeys: ["duration"]) {
            var error: NSError?
            switch asset.statusOfValue(forKey: "duration", error: &error) {
            case .loaded: completion(asset.duration.seconds, nil)
            default: completion(0, error)
            }
        }
    }
}

final class SwiftFiveErrorTests: Sendable {
    @Test("Errors are caught as NSError in Swift 5") func errorsAreCaughtAsNSError() async {
        let player = Player()
        #expect(await player.duration(of: fixture("movie.mov")) == 10)
        #expect(player.lastError == nil)
        #expect(await player.duration(of: fixture("text.mp4")) == 0)
        #expect((player.lastError as NSError?)?.code == AVError.fileFormatNotRecognized.rawValue)
        switch player.lastError {
        case let error as AVError: #expect(error.code == .fileFormatNotRecognized)
        default: Issue.record("\(String(describing: player.lastError))")
        }
    }

    @Test("Errors of keys are NSErrors in Swift 5") func errorsOfKeysAreNSErrors() async {
        let error: NSError? = await withCheckedContinuation { continuation in
            Player().duration(of: fixture("missing.mp4")) { continuation.resume(returning: $1) }
        }
        #expect(error?.domain == AVFoundationErrorDomain)
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == NSCocoaErrorDomain)
    }
}
