internal import Foundation
package import MediaAsset
public import MediaCore

extension AVAssetExportSession {
    /// About how many bytes the file will have; 0 if that cannot be told.
    ///
    /// It is of the kind `outputFileType`, or else of the preset's usual kind. Exact for a cut.
    ///
    /// - Throws: What the export would throw before it begins.
    /// - Complexity: Opens the asset and works the plan out; encodes nothing.
    public var estimatedOutputFileLengthInBytes: Int64 {
        get async throws {
            guard let fileType = estimatedFileType else { return 0 }
            return try await plan(for: fileType).estimatedByteCount ?? 0
        }
    }

    /// How much of the asset fits into a file of `fileLengthLimit` bytes; all
    /// that is to be exported without a limit.
    ///
    /// An export does not stop there: encoders make the file small enough instead. Invalid for a preset that
    /// makes no kind of file.
    ///
    /// - Throws: What the export would throw before it begins.
    /// - Complexity: As `estimatedOutputFileLengthInBytes`.
    public var estimatedMaximumDuration: CMTime {
        get async throws {
            guard let fileType = estimatedFileType else { return .invalid }
            var request = request(for: fileType)
            let limit = request.fileLengthLimit
            request.fileLengthLimit = 0
            let (asset, unlimited) = (asset, request)
            let plan = try await Self.planning { try ExportWork(asset: asset, request: unlimited).plan() }
            let duration = plan.requestedRange.duration
            guard limit > 0, let byteCount = plan.estimatedByteCount, byteCount > limit else { return duration }
            return CMTimeMultiplyByFloat64(duration, multiplier: Double(limit) / Double(byteCount))
        }
    }

    /// About how many bytes the file will have; 0 if that cannot be told, or the export would fail; blocks.
    public var estimatedOutputFileLength: Int64 {
        guard let fileType = estimatedFileType else { return 0 }
        let work = try? ExportWork(asset: asset, request: request(for: fileType))
        return (try? work?.plan().estimatedByteCount) ?? 0
    }

    /// How long the file can become: as long as what is to be exported; invalid if the export would fail; blocks.
    public var maxDuration: CMTime {
        guard let fileType = estimatedFileType else { return .invalid }
        let work = try? ExportWork(asset: asset, request: request(for: fileType))
        return (try? work?.plan().requestedRange.duration) ?? .invalid
    }

    /// Estimates how many bytes the file will have.
    ///
    /// - Parameter handler: Called once, from another thread; the number is 0 if there is an error.
    public func estimateOutputFileLength(completionHandler handler: @escaping @Sendable (Int64, (any Error)?) -> Void) {
        Task {
            do { handler(try await estimatedOutputFileLengthInBytes, nil) } catch { handler(0, error) }
        }
    }

    /// Estimates how much of the asset fits into the file.
    ///
    /// - Parameter handler: Called once, from another thread; the time is invalid if there is an error.
    public func estimateMaximumDuration(completionHandler handler: @escaping @Sendable (CMTime, (any Error)?) -> Void) {
        Task {
            do { handler(try await estimatedMaximumDuration, nil) } catch { handler(.invalid, error) }
        }
    }

    private var estimatedFileType: AVFileType? { outputFileType ?? supportedFileTypes.first }
}
