internal import Foundation
public import MediaAsset
internal import MediaCore

extension AVAssetExportSession {
    /// The kinds of files that the preset makes, the usual one first; the asset is not looked at.
    public var supportedFileTypes: [AVFileType] { preset.fileTypes }

    /// The kinds of files that can be made of this asset, the usual one first; empty if there are none, or the asset
    /// cannot be read.
    ///
    /// - Complexity: Opens the asset, and plans an export for each kind; encodes nothing. Cancelling the task has no
    ///   effect.
    public var compatibleFileTypes: [AVFileType] {
        get async {
            var result: [AVFileType] = []
            for fileType in supportedFileTypes where await canMake(fileType) { result.append(fileType) }
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
            return session.supportedFileTypes.contains { fileType in
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
