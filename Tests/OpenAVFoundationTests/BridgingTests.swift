import FFmpegKit
import Foundation
import MediaContainers
import MediaCore
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

@testable import MediaAsset
@testable import MediaImage
@testable import MediaPreviews

/// An error of each type, and what it says.
private struct Sample: Sendable, CustomStringConvertible {
    let error: any BridgedError
    let text: String
    var description: String { String(reflecting: type(of: error)) }

    static let all: [Sample] = [
        .init(AVError(.fileFailedToParse, reason: "it ends early"), "The file is damaged: it ends early."),
        .init(AVError(.noSourceTrack), "The asset has no track of the kind that is needed."),
        .init(MediaLimitError(reason: "too many pixels"), "too many pixels"),
        .init(FileWriteError(kind: .exists, path: "a.mp4", reason: "is there"), "a.mp4: is there"),
        .init(MetadataError(.damaged, "no boxes"), "no boxes"),
        .init(MetadataNameError("no name"), "no name"),
        .init(ImageEncodingError(reason: "no pixels"), "no pixels"),
        .init(AssetIsolationError(.stuck, "the worker does nothing"), "the worker does nothing"),
        .init(StoryboardSettingsError(reason: "no interval"), "no interval"),
        .init(WaveformSettingsError(reason: "no points"), "no points"),
        .init(BIFFile.Failure.emptyImage, "a picture for the BIF file is empty"),
        .init(StillFailure(index: 1, requestedTime: .zero, error: MetadataError(.limit, "much")), "much"),
        .init(FFmpegError(kind: .other, code: -5, operation: .read, reason: "gone"), "read: gone"),
        .init(MovieError(.unsupported, "a kind of box"), "a kind of box"),
        .init(CancellationError(), "The operation was cancelled."),
        .init(thrown { _ = try TimeExpression.parse("never") }),
        .init(thrown { _ = try StoryboardDocument(data: Data("?".utf8)) }),
        .init(thrown { _ = try ExportPreset(json: Data("?".utf8)) }),
    ].compactMap { $0 }

    init(_ error: any BridgedError, _ text: String) { (self.error, self.text) = (error, text) }

    init?(_ error: (any Error)?) {
        guard let error = error as? any BridgedError else { return nil }
        self.init(error, (error as? any LocalizedError)?.errorDescription ?? String(describing: error))
    }

    private static func thrown(_ body: () throws -> Void) -> (any Error)? {
        do { try body() } catch { return error }
        return nil
    }
}

/// As clients write it: the compiler takes the clause to be exhaustive.
private func caught(_ error: any Error) -> NSError {
    do {
        throw error
    } catch let error as NSError {
        return error
    }
}

private func isSame(_ one: any BridgedError, _ other: any Error) -> Bool {
    func isSame<T: BridgedError>(_ one: T) -> Bool {
        (other as? T).map { String(describing: $0) == String(describing: one) } ?? false
    }
    return isSame(one)
}

@Suite struct `Errors that bridge` {
    @Test func `Errors that bridge are among the samples, all of them`() { #expect(Sample.all.count == 18) }

    @Test(arguments: Sample.all)
    private func `Errors that bridge are caught as NSError, with text and code`(_ sample: Sample) {
        let error = caught(sample.error)
        #expect(error.localizedDescription == sample.text)
        let (original, domain): (any Error, String) = (sample.error, type(of: sample.error).errorDomain)
        #expect(error.domain == domain && error.code == sample.error.errorCode)
        #expect(original.localizedDescription == sample.text)
        // What programs do with errors in logs and sets does not fail.
        #expect(!"\(error) \(error.debugDescription)".isEmpty)
    }

    @Test(arguments: Sample.all) private func `Errors that bridge are cast back from NSError`(_ sample: Sample) {
        let error = sample.error
        let (dynamic, explicit) = (caught(error), error as NSError)
        #expect(isSame(error, dynamic))
        #expect(isSame(error, explicit))
        #expect(isSame(error, caught(dynamic)))
        let other: any BridgedError = error is MetadataError ? MediaLimitError(reason: "") : MetadataError(.limit, "")
        #expect(!isSame(other, dynamic))
    }

    @Test func `Errors that bridge are found as underlying errors`() throws {
        let limit = MediaLimitError(reason: "too large")
        let error = AVError(.outOfMemory, userInfo: [NSUnderlyingErrorKey: limit as NSError])
        #expect(error.underlying as? MediaLimitError == limit)
        #expect(caught(error).userInfo[NSUnderlyingErrorKey] as? MediaLimitError == limit)
        #expect(AVError(.outOfMemory).underlying == nil)
        let missing = AVError(.unknown, userInfo: [NSUnderlyingErrorKey: CocoaError(.fileReadNoSuchFile) as NSError])
        #expect((missing.underlying as? CocoaError)?.code == .fileReadNoSuchFile)
    }

    /// Every public type of `Sources` that is an error bridges, and is among the samples.
    @Test func `Errors that bridge are all that are public`() throws {
        let sources = Fixture.root.appendingPathComponent("Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var found: Set<String> = []
        for case let url as URL in files.allObjects where url.pathExtension == "swift" {
            let text = try String(contentsOf: url, encoding: .utf8)
            let types = /(?m)^ *(?:public (?:final )?(?:struct|enum|class|actor)|extension) ([\w.]+): ([^{\n]+)/
            for match in text.matches(of: types) {
                let parents = match.2.split(separator: ",").map { $0.drop { $0 == " " }.split(separator: " ")[0] }
                if parents.contains("BridgedError") { found.insert(String(match.1)) }
                let isPlain = parents.contains("Error") && !text.contains("extension \(match.1): BridgedError")
                #expect(!isPlain || match.0.contains("extension"), "\(match.1) in \(url.lastPathComponent)")
            }
        }
        let tried = Set(Sample.all.map { String(describing: type(of: $0.error)) })
        #expect(found.count >= 12)
        #expect(found.subtracting(tried).isEmpty, "\(found.subtracting(tried))")
    }
}

@Suite struct `AVError is a view of an NSError` {
    @Test func `An AVError equals one with the same code and text only`() {
        let error = AVError(.decodeFailed, reason: "no key")
        #expect(error == AVError(.decodeFailed, reason: "no key"))
        #expect(error != AVError(.decodeFailed, reason: "no reference"))
        #expect(error != AVError(.encodeFailed, reason: "no key"))
        // NSError's own hash fails for some of this.
        let rich = AVError(.unknown, userInfo: ["a": [1, "b"], NSUnderlyingErrorKey: error as NSError])
        #expect(Set([error, rich, rich, AVError(_nsError: error as NSError)]).count == 2)
    }

    @Test func `An AVError takes its code and user info from an NSError`() {
        let error = AVError(_nsError: NSError(domain: AVFoundationErrorDomain, code: -11829, userInfo: ["key": 5]))
        #expect(error.code == .fileFailedToParse && error.userInfo["key"] as? Int == 5)
        #expect(error.localizedDescription == "The file is damaged." && error.reason == "The file is damaged")
        #expect(AVError(_nsError: NSError(domain: AVFoundationErrorDomain, code: 7)).code == .unknown)
        #expect(NSError(domain: NSCocoaErrorDomain, code: -11829) as any Error as? AVError == nil)
        #expect(NSError(domain: AVFoundationErrorDomain, code: -11829) as any Error is AVError)
    }

    @Test func `An AVError gives the values of AVFoundation's keys`() {
        let error = AVError(
            .decodeFailed,
            userInfo: [
                AVErrorTimeKey: NSValue(time: CMTime(value: 1, timescale: 2)), AVErrorFileSizeKey: 12,
                AVErrorPersistentTrackIDKey: 3, AVErrorMediaTypeKey: "vide", AVErrorMediaSubTypeKey: [7],
                AVErrorFileTypeKey: "public.mpeg-4", AVErrorPIDKey: 9, AVErrorRecordingSuccessfullyFinishedKey: true,
                AVErrorPresentationTimeStampKey: CMTime(value: 1, timescale: 3),
            ])
        for error in [error, AVError(_nsError: error as NSError)] {
            #expect(error.time == CMTime(value: 1, timescale: 2) && error.fileSize == 12)
            #expect(error.persistentTrackID == 3 && error.mediaType == .video && error.mediaSubtypes == [7])
            #expect(error.fileType == .mp4 && error.processID == 9 && error.recordingSuccessfullyFinished == true)
            #expect(error.presentationTimeStamp == CMTime(value: 1, timescale: 3))
        }
        #expect(AVError(.unknown).time == nil && AVError(.unknown).fileType == nil)
    }

    /// Apple's numbers, a few of each range.
    @Test(arguments: [
        (AVError.unknown, -11800), (AVError.fileAlreadyExists, -11823), (AVError.fileFormatNotRecognized, -11828),
        (AVError.fileFailedToParse, -11829), (AVError.noImageAtTime, -11832), (AVError.mediaServicesWereReset, -11819),
        (AVError.operationNotSupportedForAsset, -11838), (AVError.mediaExtensionConflict, -11887),
        (AVError.sessionNotRunning, -11803), (AVError.airPlayReceiverRequiresInternet, -11857),
    ])
    func `An AVError has the codes of AVFoundation`(_ code: AVError.Code, _ number: Int) {
        #expect(code.rawValue == number)
    }

    @Test func `An AVError has a sentence for every code`() {
        let codes = (-12000 ... -11000).compactMap { AVError.Code(rawValue: $0) }
        #expect(codes.count == 84)
        for text in codes.map({ AVError($0).localizedDescription }) {
            #expect(text.wholeMatch(of: /[A-Z][^.\n]+\./) != nil, "\(text)")
        }
    }
}
