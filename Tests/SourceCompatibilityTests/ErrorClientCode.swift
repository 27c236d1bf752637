import Foundation
import OpenAVFoundation
import Testing

private func fixture(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/\(name)")
}

/// What an application tells its user of a file that it cannot open.
private struct OpenFailure: Equatable {
    let title: String
    let isDamaged: Bool
    let code: Int
}

private final class Library {
    /// The catch clause that most code has: no other follows.
    func open(_ url: URL) async -> OpenFailure? {
        do {
            _ = try await AVURLAsset(url: url).load(.duration, .tracks)
            return nil
        } catch let error as NSError {
            let isDamaged = error.domain == AVFoundationErrorDomain && error.code == AVError.fileFailedToParse.rawValue
            return OpenFailure(title: error.localizedDescription, isDamaged: isDamaged, code: error.code)
        }
    }

    /// By code, as patterns.
    func kind(of url: URL) async -> String {
        do {
            _ = try await AVURLAsset(url: url).load(.tracks)
            return "film"
        } catch AVError.fileFormatNotRecognized {
            return "unknown format"
        } catch let error as AVError where error.code == .fileFailedToParse {
            return "damaged"
        } catch {
            return "other: \((error as NSError).code)"
        }
    }

    /// A thumbnail, or the error that the caller shows.
    func thumbnail(of url: URL, at seconds: Double) -> Result<CGImage, NSError> {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
        do {
            return .success(
                try generator.copyCGImage(at: CMTime(seconds: seconds, preferredTimescale: 600), actualTime: nil))
        } catch let error as NSError {
            return .failure(error)
        }
    }

    /// Errors of other parts of an application, made by hand.
    func refusal(_ reason: String) -> AVError {
        AVError(.contentIsNotAuthorized, userInfo: [NSLocalizedDescriptionKey: reason, AVErrorFileSizeKey: 12])
    }
}

@Suite struct `Errors as clients of AVFoundation catch them` {
    @Test func `Clients catch errors as NSError`() async {
        let library = Library()
        #expect(await library.open(fixture("movie.mov")) == nil)
        let damaged = await library.open(fixture("truncated-no-moov.mp4"))
        #expect(damaged?.isDamaged == true && damaged?.code == -11829)
        #expect(damaged?.title.contains("moov") == true)
        #expect(await library.open(fixture("text.mp4"))?.code == -11828)
        #expect(await library.open(fixture("missing.mp4"))?.title == "The media cannot be read: no such file.")
    }

    @Test func `Clients catch errors by code`() async {
        #expect(await Library().kind(of: fixture("movie.mov")) == "film")
        #expect(await Library().kind(of: fixture("text.mp4")) == "unknown format")
        #expect(await Library().kind(of: fixture("truncated-no-moov.mp4")) == "damaged")
        #expect(await Library().kind(of: fixture("missing.mp4")) == "other: -11849")
    }

    @Test func `Clients catch errors of images with their time`() throws {
        guard case .failure(let error) = Library().thumbnail(of: fixture("movie.mov"), at: -9) else {
            Issue.record("a picture before the beginning")
            return
        }
        #expect(error.domain == AVFoundationErrorDomain && error.code == AVError.Code.noImageAtTime.rawValue)
        #expect((error as any Error as? AVError)?.time == CMTime(seconds: -9, preferredTimescale: 600))
        #expect((error.userInfo[AVErrorTimeKey] as? NSValue)?.timeValue.seconds == -9)
    }

    @Test func `Clients catch errors of an export with the underlying error`() async throws {
        let url = URL(fileURLWithPath: "/nowhere/at/all.mp4")
        let asset = AVURLAsset(url: fixture("movie.mp4"))
        let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
        do {
            try await session.export(to: url, as: .mp4)
            Issue.record("written to a folder that is not there")
        } catch let error as NSError {
            #expect(error.domain == AVFoundationErrorDomain && error.code == AVError.exportFailed.rawValue)
            #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
            #expect(error.localizedDescription.contains("/nowhere/at/all.mp4"))
        }
        #expect((session.error as? AVError)?.code == .exportFailed)
    }

    @Test func `Clients catch errors of a cancelled task as CancellationError`() async {
        let task = Task { () -> (String, Bool) in
            while !Task.isCancelled { await Task.yield() }
            do {
                _ = try await AVURLAsset(url: fixture("movie.mov")).load(.duration)
            } catch let error as NSError {
                return (error.domain, (error as any Error) is CancellationError)
            }
            return ("", false)
        }
        task.cancel()
        #expect(await task.value == ("Swift.CancellationError", true))
    }

    @Test func `Clients make errors by hand`() {
        let error = Library().refusal("No.")
        #expect(error.localizedDescription == "No." && error.fileSize == 12 && error.userInfo.count == 2)
        #expect(AVError(_nsError: error as NSError) == error)
    }
}
