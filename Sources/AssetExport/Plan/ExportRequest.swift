package import MediaAsset
package import MediaCore
package import MediaEngine
package import MediaIO

/// Everything that is asked of an export but where the file goes.
package struct ExportRequest: Sendable {
    package var preset: ExportPreset
    package var fileType: AVFileType
    /// On the asset's timeline; what lies beyond the asset is ignored.
    package var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
    package var metadata = ExportMetadata()
    package var optimizesForNetwork = false
    /// In bytes; zero for none.
    package var fileLengthLimit: Int64 = 0
    /// What rates are chosen by in place of the limit, after encoders that were told it made more; `nil` at first.
    var byteBudget: Int64?
    package var allowsMultiplePasses = false
    package var temporaryDirectory: String?
    package var preservesAlternateTracks = false
    package var allowsDamagedMedia = false
    package var auditDepth = ExportAuditDepth.index
    /// Whether a range that cannot be kept just as asked for is an error.
    package var requiresExactRange = false
    package var trackSelection = ExportTrackSelection()
    /// How tracks become one picture and one sound.
    package var rendering = ExportRendering()
    /// What is done to pictures and sound.
    package var effects = ExportEffects()
    /// How long segments are at least in which pictures are encoded apart; `nil` for segments where they are of use.
    package var segmentLength: CMTime?
    /// What other processes have encoded of the pictures; `nil` if all is done here.
    package var pieces: PieceSet?
    /// Whether a share of the pictures is to be encoded for another process.
    package var makesPiece = false

    package init(preset: ExportPreset, fileType: AVFileType) { (self.preset, self.fileType) = (preset, fileType) }
}

extension ExportRequest {
    /// The preset's limit or one's own, whichever is lower; `nil` for none.
    var effectiveFileLengthLimit: Int64? {
        [fileLengthLimit, preset.fileLengthLimit ?? 0].filter { $0 > 0 }.min()
    }

    /// Fails if samples that stay as they are need more bytes than the file may have.
    func checkLength(_ byteCount: Int64?) throws {
        guard let limit = effectiveFileLengthLimit, let byteCount, byteCount > limit else { return }
        throw AVError(
            .maximumFileSizeReached,
            reason: "coded samples that stay as they are need \(byteCount) bytes, more than \(limit); a preset that "
                + "encodes anew can make the file smaller")
    }
}
