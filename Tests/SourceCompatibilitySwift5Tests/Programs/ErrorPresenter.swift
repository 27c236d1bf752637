// What a person is told when something goes wrong; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

struct Alert: Equatable {
    var title: String
    var canRetry: Bool
    var debug: String
}

class ErrorPresenter {
    private(set) var log: [String] = []

    func alert(for error: Error) -> Alert {
        let nsError = error as NSError
        log.append("\(nsError.domain) \(nsError.code)")
        if let avError = error as? AVError {
            return Alert(title: title(for: avError.code), canRetry: canRetry(avError), debug: "av \(avError.errorCode)")
        }
        switch (nsError.domain, nsError.code) {
        case (NSCocoaErrorDomain, NSFileReadNoSuchFileError):
            return Alert(title: "The file is gone.", canRetry: false, debug: "cocoa")
        case (AVFoundationErrorDomain, _):
            return Alert(title: nsError.localizedDescription, canRetry: false, debug: "domain")
        default:
            return Alert(title: "Something went wrong.", canRetry: true, debug: nsError.domain)
        }
    }

    private func title(for code: AVError.Code) -> String {
        switch code {
        case .fileFormatNotRecognized: return "This is not a video."
        case .fileFailedToParse, .invalidSourceMedia: return "The video is damaged."
        case .noImageAtTime: return "There is no picture there."
        case .contentIsProtected, .contentIsNotAuthorized: return "The video is protected."
        case .diskFull: return "There is no room left."
        case .operationCancelled, .operationInterrupted: return "Cancelled."
        case .fileAlreadyExists: return "There is such a file already."
        case .decodeFailed, .decoderNotFound: return "The video cannot be shown."
        default: return "Error \(code.rawValue)"
        }
    }

    private func canRetry(_ error: AVError) -> Bool {
        error.code == .operationInterrupted || error.code == .diskFull || error.code == .mediaServicesWereReset
    }

    /// Runs something and gives what to tell, if anything.
    func present(_ work: () throws -> Void) -> Alert? {
        do {
            try work()
            return nil
        } catch let error as AVError where error.code == .operationCancelled {
            return nil
        } catch let error as NSError {
            return alert(for: error)
        }
    }

    func poster(of url: URL, at seconds: Double) throws -> CGImage {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        return try generator.copyCGImage(at: CMTimeMakeWithSeconds(seconds, preferredTimescale: 600), actualTime: nil)
    }
}
