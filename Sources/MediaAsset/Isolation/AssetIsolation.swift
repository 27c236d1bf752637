public import Foundation
public import MediaCore
package import MediaIO
internal import Synchronization

/// Where a file is read: in the program's own process, or in a worker that gets the open file and nothing else.
///
/// A library cannot restrict its host. A worker can be restricted: it opens no other file, connects to nothing, and
/// executes nothing, as far as the kernel has the means (Landlock, seccomp). What demuxes, decodes and reads boxes and
/// tags is there; the program gets values and pixels, which it checks. A file that makes a decoder crash ends its worker, and
/// the asset fails with `AVError.mediaServicesWereReset`.
///
/// What an isolated asset has is what any asset has: its properties and those of its tracks, metadata, chapters,
/// selection, sample cursors, stills and covers. Exports, scenes, the comparison of frames and what changes metadata are not done
/// for it; they throw `AVError.operationNotSupportedForAsset`, and never read the file in the program instead.
///
/// ```swift
/// AssetIsolation.standard = .worker
/// let asset = AVURLAsset(url: upload, options: [AVURLAssetIsolationKey: AssetIsolation.restrictedWorker])
/// ```
///
/// Beyond AVFoundation, which reads media in processes of its own anyway.
public struct AssetIsolation: Sendable, Hashable {
    /// How much is asked for.
    public enum Level: Sendable, Hashable, CaseIterable {
        /// The program reads the file itself.
        case none
        /// A worker reads it, restricted as far as the kernel has the means.
        case worker
        /// A worker reads it that is restricted by all means; without them nothing is read.
        case restrictedWorker
    }

    /// How much is asked for.
    public var level: Level
    /// The path of the worker's executable, `avtool-worker`; `nil` for the one beside the program's executable, in
    /// `../libexec/avtool`, or in that folder of `/usr/local` and `/usr`.
    public var executable: String?

    /// Makes a kind of isolation.
    public init(level: Level = .worker, executable: String? = nil) {
        (self.level, self.executable) = (level, executable)
    }

    /// The program reads the file itself.
    public static let none = AssetIsolation(level: .none)
    /// A worker reads it.
    public static let worker = AssetIsolation(level: .worker)
    /// A worker reads it that is restricted by all means.
    public static let restrictedWorker = AssetIsolation(level: .restrictedWorker)

    private static let shared = Mutex(AssetIsolation.none)

    /// What assets have that are made without `AVURLAssetIsolationKey`: ``none`` until it is set.
    ///
    /// Assets that were made already stay as they are.
    public static var standard: AssetIsolation {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// What the kernel does for the worker, by the names that `avtool info --json` has: `landlock-files`,
    /// `landlock-network`, `landlock-scopes`, `no-new-privileges`, `resource-limits`, `seccomp`.
    ///
    /// Starts the worker if it does not run.
    ///
    /// - Returns: Empty for ``Level/none``.
    /// - Throws: `AVError.incorrectlyConfigured` with an ``AssetIsolationError`` under it if there is no worker, or it is
    ///   not restricted as it has to be.
    public func loadMeasures() async throws -> [String] {
        guard level != .none else { return [] }
        let settings = serviceSettings
        return try await BlockingWork.run {
            do {
                return try WorkerService.with(settings).isolation().names.sorted()
            } catch let loss as WorkerLoss {
                throw publicError(for: loss)
            }
        }
    }

    var serviceSettings: WorkerService.Settings {
        var settings = WorkerService.Settings()
        settings.executable = executable
        settings.requiresAll = level == .restrictedWorker
        return settings
    }
}

/// Why a worker did not read a file; it lies under an `AVError`.
///
/// Beyond AVFoundation.
public struct AssetIsolationError: BridgedError, LocalizedError, Hashable {
    /// What happened to the worker.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// There is none, it cannot be started, or it belongs to another version of the library.
        case unavailable
        /// The kernel lacks a means that ``AssetIsolation/Level/restrictedWorker`` asks for.
        case incomplete
        /// The file made it crash, or it said what makes no sense.
        case crashed
        /// The system ended it for want of memory.
        case outOfMemory
        /// It did nothing for an hour, and was ended.
        case stuck
        /// It ended without a word.
        case vanished
    }

    /// What happened.
    public let kind: Kind
    /// The cause, in one line.
    public let reason: String

    init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

    /// The cause.
    public var errorDescription: String? { reason }
}

extension AssetIsolationError {
    init(_ loss: WorkerLoss) {
        let kind: Kind =
            switch loss.kind {
            case .unavailable: .unavailable
            case .incomplete: .incomplete
            case .failed(.crashed), .failed(.excessive): .crashed
            case .failed(.outOfMemory): .outOfMemory
            case .failed(.stuck): .stuck
            case .failed(.vanished), .failed(.ended): .vanished
            }
        self.init(kind, loss.reason)
    }
}

/// The error for a worker that does not work, in the shape that callers know.
package func publicError(for loss: WorkerLoss) -> any Error {
    let error = AssetIsolationError(loss)
    let code: AVError.Code =
        switch error.kind {
        case .unavailable, .incomplete: .incorrectlyConfigured
        case .crashed, .vanished: .mediaServicesWereReset
        case .outOfMemory: .outOfMemory
        case .stuck: .operationInterrupted
        }
    return AVError(code, reason: error.reason, underlying: error)
}
