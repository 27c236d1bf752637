internal import Foundation
public import MediaAsset
public import MediaCore

extension AVAssetExportSession {
    /// The kinds of files that the preset makes, the usual one first, without those that cannot hold what stays as it is.
    ///
    /// Of an asset that cannot be read, all that the preset makes.
    ///
    /// - Complexity: Opens the asset, and blocks meanwhile, where the preset keeps pictures or sound as they are.
    public var supportedFileTypes: [AVFileType] {
        guard preset.copiesTracks, let tracks = try? asset.source.describe().tracks else { return preset.fileTypes }
        return preset.fileTypes.filter { type in
            let kept = type.holdsSoundOnly ? tracks.filter { $0.mediaType != .video } : tracks
            return (kept.isEmpty == tracks.isEmpty) && preset.canCopy(kept.filter(asset.source.canDecode), into: type)
        }
    }

    /// The kinds of files that can be made of this asset, the usual one first; empty if there are none, or the asset
    /// cannot be read.
    ///
    /// - Complexity: Opens the asset, and plans an export for each kind; encodes nothing. Cancelling the task has no
    ///   effect.
    public var compatibleFileTypes: [AVFileType] {
        get async {
            var result: [AVFileType] = []
            for fileType in preset.fileTypes where await canMake(fileType) { result.append(fileType) }
            return result
        }
    }

    /// Whether a kind of file can be made of the asset; false also if the asset cannot be read.
    ///
    /// In a task of its own: that somebody's task is cancelled does not make a
    /// preset incompatible.
    private func canMake(_ fileType: AVFileType) async -> Bool {
        await Task { (try? await plan(for: fileType)) != nil }.value
    }

    /// Finds the kinds of files that can be made of this asset.
    ///
    /// - Parameter handler: Called once, from another thread, with `compatibleFileTypes`.
    public func determineCompatibleFileTypes(completionHandler handler: @escaping @Sendable ([AVFileType]) -> Void) {
        Task { handler(await compatibleFileTypes) }
    }

    /// The names of the presets that stand for AVFoundation's, without that for passthrough and those that are not
    /// available.
    public class func allExportPresets() -> [String] {
        AVFoundationPreset.availableNames.filter { $0 != AVAssetExportPresetPassthrough }
    }

    /// The names of the presets that can be used for an asset, without that for passthrough; blocks.
    ///
    /// - Complexity: Opens the asset, and plans an export for each preset.
    public class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
        allExportPresets().filter { name in
            guard let session = AVAssetExportSession(asset: asset, presetName: name) else { return false }
            return session.preset.fileTypes.contains { fileType in
                (try? ExportWork(asset: asset, request: session.request(for: fileType)).plan()) != nil
            }
        }
    }

    /// Whether a preset can make a kind of file of an asset.
    ///
    /// - Parameters:
    ///   - presetName: A constant of AVFoundation's or a name of our own.
    ///   - fileType: `nil` for any kind.
    /// - Returns: False also if there is no such preset, or the asset cannot be read.
    /// - Complexity: Opens the asset, and plans an export for each kind in question.
    public class func compatibility(
        ofExportPreset presetName: String, with asset: AVAsset, outputFileType fileType: AVFileType?
    ) async -> Bool {
        guard let session = AVAssetExportSession(asset: asset, presetName: presetName) else { return false }
        guard let fileType else { return await !session.compatibleFileTypes.isEmpty }
        return await session.canMake(fileType)
    }

    /// Finds whether a preset can make a kind of file of an asset.
    ///
    /// - Parameter handler: Called once, from another thread, with the answer of
    ///   `compatibility(ofExportPreset:with:outputFileType:)`.
    public class func determineCompatibility(
        ofExportPreset presetName: String, with asset: AVAsset, outputFileType fileType: AVFileType?,
        completionHandler handler: @escaping @Sendable (Bool) -> Void
    ) {
        Task {
            handler(await compatibility(ofExportPreset: presetName, with: asset, outputFileType: fileType))
        }
    }
}

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

    private var estimatedFileType: AVFileType? { outputFileType ?? preset.fileTypes.first }
}
