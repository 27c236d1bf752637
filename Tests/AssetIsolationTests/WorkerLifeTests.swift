import Foundation
import MediaCore
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

/// Starting, missing, ending and beginning anew.
@Suite(.timeLimit(.minutes(2)), .serialized) struct `The worker of a program` {
    private func failure(_ body: () async throws -> some Any) async throws -> AVError {
        do {
            let value = try await body()
            Issue.record("no error, but \(value)")
            return AVError(.unknown)
        } catch {
            return try #require(error as? AVError)
        }
    }

    @Test func `A worker that cannot be started is not replaced by reading in the program`() async throws {
        for executable in ["/nowhere/avtool-worker", "/bin/true", "/etc/passwd"] {
            let isolation = AssetIsolation(executable: executable)
            let asset = AVURLAsset(
                url: Fixture("movie.mp4").url, options: [AVURLAssetIsolationKey: isolation])
            let error = try await failure { try await asset.load(.duration) }
            #expect(error.code == .incorrectlyConfigured)
            #expect((error.underlying as? AssetIsolationError)?.kind == .unavailable)
            let still = try await failure { try await AVAssetImageGenerator(asset: asset).image(at: .zero) }
            #expect(still.code == .incorrectlyConfigured)
            let measures = try await failure { try await isolation.loadMeasures() }
            #expect(measures.code == .incorrectlyConfigured)
        }
    }

    @Test func `An isolation key of a wrong type is an error`() async throws {
        for value in ["worker" as Any, true, AssetIsolation.Level.worker] {
            let asset = AVURLAsset(url: Fixture("movie.mp4").url, options: [AVURLAssetIsolationKey: value])
            let error = try await failure { try await asset.load(.duration) }
            #expect(error.code == .incorrectlyConfigured)
            #expect(try await failure { try await asset.load(.metadata) }.code == .incorrectlyConfigured)
            let generator = AVAssetImageGenerator(asset: asset)
            #expect(try await failure { try await generator.image(at: .zero) }.code == .incorrectlyConfigured)
        }
    }

    @Test func `The standard isolation of a program applies to all its assets`() async throws {
        let before = AssetIsolation.standard
        defer { AssetIsolation.standard = before }
        AssetIsolation.standard = AssetIsolation(executable: "/nowhere/avtool-worker")
        let asset = Fixture("movie.mp4").asset
        let own = AVURLAsset(
            url: Fixture("movie.mp4").url, options: [AVURLAssetIsolationKey: AssetIsolation.none])
        AssetIsolation.standard = before
        #expect(try await failure { try await asset.load(.duration) }.code == .incorrectlyConfigured)
        #expect(try await own.load(.duration).isNumeric)
    }

    @Test func `A worker reports the restrictions that it runs under`() async throws {
        let names = try await AssetIsolation.tested.loadMeasures()
        #expect(Set(names).isSuperset(of: ["no-new-privileges", "resource-limits", "seccomp"]))
        #expect(try await AssetIsolation.none.loadMeasures().isEmpty)
        var strict = try AssetIsolation.tested
        strict.level = .restrictedWorker
        let all: Set = [
            "landlock-files", "landlock-network", "landlock-scopes", "no-new-privileges", "resource-limits", "seccomp",
        ]
        let asset = AVURLAsset(url: Fixture("movie.mp4").url, options: [AVURLAssetIsolationKey: strict])
        if Set(names) == all {
            #expect(try await asset.load(.duration).isNumeric)
        } else {
            let error = try await failure { try await asset.load(.duration) }
            #expect((error.underlying as? AssetIsolationError)?.kind == .incomplete)
        }
    }

    /// The processes that this one has started, and theirs, of a name.
    private func workers(_ name: String) throws -> [Int32] {
        let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
        func parent(_ process: Int32) -> Int32? {
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                text.contains("(\(name))")
            else { return nil }
            return text.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
        }
        return processes.filter { parent($0) == getpid() }
    }

    @Test func `A worker that was killed is started again`() async throws {
        // Under another name it is another worker, which reads nothing for other tests.
        let folder = try TemporaryFolder()
        let executable = folder.path("mortal-worker")
        try FileManager.default.createSymbolicLink(
            atPath: executable, withDestinationPath: try AssetIsolation.built("avtool-worker"))
        let options = [AVURLAssetIsolationKey: AssetIsolation(executable: executable)]
        let first = AVURLAsset(url: Fixture("movie.mp4").url, options: options)
        #expect(try await first.load(.duration).isNumeric)
        let processes = try workers("mortal-worker")
        #expect(processes.count == 1)
        for process in processes { kill(process, SIGKILL) }
        // What is asked for before anybody has noticed fails.
        for _ in 0..<500 where try !workers("mortal-worker").isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        // What was loaded stays; what was not is loaded by another worker.
        #expect(try await first.load(.duration).isNumeric)
        let second = AVURLAsset(url: Fixture("movie.mp4").url, options: options)
        #expect(try await second.load(.duration).isNumeric)
        #expect(try await AVAssetImageGenerator(asset: first).image(at: .zero).image.width > 0)
    }

    /// Three quarters of the memory that there is.
    @Test func `A worker has a limit on its memory`() async throws {
        let asset = try Fixture("movie.mp4").asset.isolated()
        #expect(try await asset.load(.duration).isNumeric)
        let copies = try workers("avtool-worker").flatMap { worker in
            let text = try String(contentsOfFile: "/proc/\(worker)/task/\(worker)/children", encoding: .utf8)
            return text.split(separator: " ").map(String.init)
        }
        #expect(!copies.isEmpty)
        let sizes = copies.compactMap { copy -> UInt64? in
            // Those of other tests may be gone.
            let limits = try? String(contentsOfFile: "/proc/\(copy)/limits", encoding: .utf8)
            let line = limits?.split(separator: "\n").first { $0.hasPrefix("Max data size") }
            return line.flatMap { $0.split(separator: " ").dropFirst(3).first.flatMap { UInt64($0) } }
        }
        #expect(sizes.contains { $0 > 0 && $0 <= ProcessInfo.processInfo.physicalMemory / 4 * 3 })
    }

    @Test func `A worker refuses exports, scenes and indexes`() async throws {
        let asset = try Fixture("movie.mp4").asset.isolated()
        let folder = try TemporaryFolder()
        let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
        let output = URL(fileURLWithPath: folder.path("new.mov"))
        let export = try await failure { try await session.export(to: output, as: .mov) }
        #expect(export.code == .operationNotSupportedForAsset)
        #expect(try await failure { try await session.plan(for: .mov) }.code == .operationNotSupportedForAsset)
        let scenes = try await failure { try await asset.detectScenes() }
        #expect(scenes.code == .operationNotSupportedForAsset)
        let index = try await failure { try await asset.makeFrameIndex() }
        #expect(index.code == .operationNotSupportedForAsset)
        let generator = AVAssetImageGenerator(asset: asset)
        #expect(try await failure { try await generator.verifyFrames() }.code == .operationNotSupportedForAsset)
        #expect(try folder.contents().isEmpty)
    }

    @Test func `A worker leaves no process behind`() async throws {
        do {
            let asset = try Fixture("movie.mp4").asset.isolated()
            _ = try await asset.load(.duration)
        }
        func copies() throws -> Int {
            let own = Set(try workers("avtool-worker"))
            return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter {
                guard let text = try? String(contentsOfFile: "/proc/\($0)/stat", encoding: .utf8),
                    let parent = text.split(separator: ")").last?.split(separator: " ").dropFirst().first
                else { return false }
                return Int32(parent).map(own.contains) ?? false
            }.count
        }
        for _ in 0..<100 where try copies() > 0 { try await Task.sleep(for: .milliseconds(100)) }
        // Other suites' assets may have theirs for a while; those of twenty assets that are gone have none.
        var before = try copies()
        for _ in 0..<20 { _ = try await Fixture("movie.mp4").asset.isolated().load(.duration) }
        for _ in 0..<100 where try copies() > before { try await Task.sleep(for: .milliseconds(100)) }
        before = max(before, 4)
        #expect(try copies() <= before)
    }
}
