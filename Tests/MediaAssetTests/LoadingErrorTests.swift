import Foundation
import MediaAsset
import MediaCore
import MediaIO
import MediaTestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// What loading a file fails with.
private struct Refusal: Sendable, CustomStringConvertible {
    let name: String
    let code: AVError.Code
    let text: String
    var cause: String?
    let make: @Sendable (URL) throws -> Void

    var description: String { name }

    static let all = [
        Refusal("missing.mp4", .failedToLoadMediaData, "no such file", NSCocoaErrorDomain) { _ in },
        Refusal("folder.mp4", .failedToLoadMediaData, "is a directory", NSCocoaErrorDomain) {
            try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false)
        },
        Refusal("text.mp4", .fileFormatNotRecognized, "known format") {
            try Data("These are no pictures.".utf8).write(to: $0)
        },
        Refusal("empty.mov", .fileFormatNotRecognized, "empty") { try Data().write(to: $0) },
        Refusal("truncated.mp4", .fileFailedToParse, "moov") { try Self.head(of: "truncated-no-moov.mp4", to: $0) },
        Refusal("limit.mkv", .operationNotSupportedForAsset, " ", "OpenAVFoundation.MediaLimitError") {
            try Self.head(of: "huge-header.mkv", to: $0)
        },
        Refusal("list.mp4", .fileFormatNotRecognized, "not allowed", "FFmpegErrorDomain") {
            try Self.head(of: "hls-named.mp4", to: $0)
        },
    ]

    init(
        _ name: String, _ code: AVError.Code, _ text: String, _ cause: String? = nil,
        make: @escaping @Sendable (URL) throws -> Void
    ) {
        (self.name, self.code, self.text, self.cause, self.make) = (name, code, text, cause, make)
    }

    private static func head(of fixture: String, to url: URL) throws {
        try Data(contentsOf: Fixture(fixture).url).write(to: url)
    }
}

/// As clients write it: the compiler takes the clause to be exhaustive.
private func failure(_ body: () async throws -> Void) async -> NSError? {
    do {
        try await body()
    } catch let error as NSError {
        return error
    }
    return nil
}

@Suite struct `Files that cannot be loaded` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(_ error: NSError?, _ refusal: Refusal) {
        #expect(error?.domain == AVFoundationErrorDomain && error?.code == refusal.code.rawValue, "\(error as Any)")
        let text = error?.localizedDescription ?? ""
        #expect(text.wholeMatch(of: /[A-Z][^\n]*\./) != nil && text.contains(refusal.text), "\(text)")
        let underlying = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(underlying != nil && refusal.cause.map { $0 == underlying?.domain } ?? true, "\(underlying as Any)")
        #expect((error as (any Error)? as? AVError)?.code == refusal.code)
    }

    @Test(arguments: Refusal.all)
    private func `Files that cannot be loaded throw AVErrors in every form of loading`(
        _ refusal: Refusal
    ) async throws {
        let url = URL(fileURLWithPath: folder.path(refusal.name))
        try refusal.make(url)
        let asset = AVURLAsset(url: url)
        check(await failure { _ = try await asset.load(.duration) }, refusal)
        check(await failure { _ = try await AVURLAsset(url: url).load(.tracks, .isPlayable) }, refusal)
        check(await failure { _ = try await asset.loadTracks(withMediaType: .video) }, refusal)
        guard case .failed(let kept) = asset.status(of: .duration) else {
            Issue.record("not failed: \(asset.status(of: .duration))")
            return
        }
        check(kept, refusal)
        var error: NSError?
        #expect(asset.statusOfValue(forKey: "duration", error: &error) == .failed)
        check(error, refusal)
    }

    /// The superuser reads every file, so that the system's answer is asked for first.
    @Test func `Files without read permission throw an AVError that says so`() async throws {
        let path = folder.path("secret.mp4")
        try Data(contentsOf: Fixture("movie.mp4").url).write(to: URL(fileURLWithPath: path))
        chmod(path, 0)
        guard access(path, R_OK) != 0 else { return }
        let error = await failure { _ = try await AVURLAsset(url: URL(fileURLWithPath: path)).load(.duration) }
        #expect(error?.domain == AVFoundationErrorDomain && error?.code == AVError.failedToLoadMediaData.rawValue)
        #expect(error?.localizedDescription == "The media cannot be read: permission denied.")
        let underlying = (error as (any Error)? as? AVError)?.underlying as? CocoaError
        #expect(underlying?.code == .fileReadNoPermission)
    }

    @Test func `Loading in a cancelled task throws a CancellationError`() async throws {
        let asset = Fixture("movie.mov").asset
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await failure { _ = try await asset.load(.duration) }
        }
        task.cancel()
        let error = await task.value as (any Error)?
        #expect(error is CancellationError)
    }
}
