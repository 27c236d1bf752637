public import Foundation
public import MediaAsset
public import MediaCore
public import MediaEngine
package import MediaIO
public import MediaMetadata
internal import Synchronization

/// Makes a new file of an asset, by a preset: as it is, trimmed, encoded anew.
///
/// The new file appears under its name when it is complete, and not at all if
/// the export fails or is cancelled. A session is used once. Its properties are
/// set before it starts; what is changed afterwards has no effect.
///
/// ```swift
/// guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPreset1280x720) else { return }
/// session.timeRange = CMTimeRange(start: start, duration: duration)
/// try await session.export(to: url, as: .mp4)
/// ```
///
/// Without metadata of its own the new file has the asset's, in the key space
/// of its format; `result` says what that could not hold.
///
/// Memory does not grow with the film, but for tables of its samples.
///
/// - Note: AVFoundation's progress can be observed; here `states(updateInterval:)` tells it. This one is `Sendable`.
public final class AVAssetExportSession: NSObject, Sendable {
    /// Where a session stands.
    public enum Status: Int, Sendable {
        /// It was not started.
        case unknown = 0
        /// It was started and waits for others.
        case waiting = 1
        /// It is making the file.
        case exporting = 2
        /// The file is there.
        case completed = 3
        /// It has failed; `error` says why.
        case failed = 4
        /// It was cancelled.
        case cancelled = 5
    }

    /// The asset that is exported.
    public let asset: AVAsset
    /// The preset's name, as it was given.
    public let presetName: String
    /// What the preset says.
    ///
    /// Beyond AVFoundation.
    public let preset: ExportPreset

    let settings: Mutex<Settings>
    let run = ExportRun()

    /// What is set before the start.
    struct Settings: Sendable {
        var outputFileType: AVFileType?
        var outputURL: URL?
        var metadata: [AVMetadataItem]?
        var filter: AVMetadataItemFilter?
        var temporaryDirectory: URL?
        var audioTrackGroupHandling: AVAssetTrackGroupOutputHandling = []
        var allowsParallelizedExport = true
        var replacesExistingFile = false
        /// All else, as the export takes it.
        var options = ExportOptions()
    }

    /// Makes a session; touches no file.
    ///
    /// - Parameter presetName: One of the constants such as
    ///   `AVAssetExportPreset1280x720`, one of our own presets' names, or the path of a preset's document:
    ///   `ExportPresetCatalog.user` finds it.
    /// - Returns: `nil` if there is no such preset, or its document cannot be read.
    public convenience init?(asset: AVAsset, presetName: String) {
        guard let preset = try? ExportPresetCatalog.user.preset(presetName) else { return nil }
        self.init(asset: asset, preset: preset, name: presetName)
    }

    /// Makes a session for a preset of one's own; touches no file.
    ///
    /// Beyond AVFoundation.
    public convenience init(asset: AVAsset, preset: ExportPreset) {
        self.init(asset: asset, preset: preset, name: preset.name)
    }

    private init(asset: AVAsset, preset: ExportPreset, name: String) {
        (self.asset, self.preset, presetName) = (asset, preset, name)
        settings = Mutex(Settings())
        super.init()
    }

    // MARK: What to make

    /// Where the new file goes with `exportAsynchronously`; `nil` until set.
    ///
    /// Nothing may be there, unless `replacesExistingFile` is set.
    public var outputURL: URL? {
        get { settings.withLock { $0.outputURL } }
        set { settings.withLock { $0.outputURL = newValue } }
    }

    /// What kind of file `exportAsynchronously` makes; `nil` until set, and then that which `outputURL`'s extension
    /// stands for.
    ///
    /// - Note: AVFoundation raises an exception without a type, and if the preset does not support it; here the
    ///   export fails.
    public var outputFileType: AVFileType? {
        get { settings.withLock { $0.outputFileType } }
        set { settings.withLock { $0.outputFileType = newValue } }
    }

    /// Whether a player can begin before it has all of the file (fast start); false by default.
    ///
    /// Of movies and MP4. Costs no second pass: room is kept free in the file, or less than 32 MiB are copied once
    /// more.
    public var shouldOptimizeForNetworkUse: Bool {
        get { settings.withLock { $0.options.optimizesForNetwork } }
        set { settings.withLock { $0.options.optimizesForNetwork = newValue } }
    }

    /// Whether parts may be worked on at a time; true by default, and without effect, unlike AVFoundation's.
    public var allowsParallelizedExport: Bool {
        get { settings.withLock { $0.allowsParallelizedExport } }
        set { settings.withLock { $0.allowsParallelizedExport = newValue } }
    }

    /// What to export of the asset's timeline; by default all of it.
    ///
    /// The new file starts at zero. What lies beyond the asset's end is ignored, with a warning in the plan. An
    /// empty range, and one that lies outside, fail the export with `AVError.invalidSourceMedia`.
    public var timeRange: CMTimeRange {
        get { settings.withLock { $0.options.timeRange } }
        set { settings.withLock { $0.options.timeRange = newValue } }
    }

    /// The size in bytes that the new file is not to exceed, if above zero, which it is not by default.
    ///
    /// Encoders are told to keep below it; what cannot be made as small fails, with
    /// `AVError.maximumFileSizeReached`; a `MediaLimitError` is under it unless nothing is encoded at a bit rate. A limit
    /// of the preset's own holds too.
    ///
    /// - Note: AVFoundation's may be exceeded a little; this one never is.
    public var fileLengthLimit: Int64 {
        get { settings.withLock { $0.options.fileLengthLimit } }
        set { settings.withLock { $0.options.fileLengthLimit = newValue } }
    }

    // MARK: Metadata

    /// The items that the new file gets in place of the asset's own; `nil`, the
    /// default, for the asset's own.
    ///
    /// Items of other key spaces are brought to that of the new file as far as
    /// possible. An empty array makes a file without metadata. `metadataItemFilter` leaves these items alone.
    /// Where an item of a common key, or one that the asset does not have, says
    /// another value than one of the asset's own of the same meaning and
    /// language, it alone is written, and the other is among the losses.
    ///
    /// - Note: With every preset, passthrough included, and `result` says what the file could not hold; AVFoundation
    ///   promises neither.
    public var metadata: [AVMetadataItem]? {
        get { settings.withLock { $0.metadata } }
        set { settings.withLock { $0.metadata = newValue } }
    }

    /// Which of the asset's own items the new file gets; `nil`, the default, for all.
    ///
    /// With ``AVMetadataItemFilter/forSharing()`` more than items is left out.
    public var metadataItemFilter: AVMetadataItemFilter? {
        get { settings.withLock { $0.filter } }
        set { settings.withLock { $0.filter = newValue } }
    }

    /// Sets items of the new file by the names that people type: `title`, `track`, `itsk/%A9nam`.
    ///
    /// Beyond AVFoundation.
    ///
    /// Applied in the order of calls, after `metadata` and the filter. A value that the new file has no place for fails
    /// the export.
    ///
    /// - Parameters:
    ///   - name: A field that means the same in every format, or an identifier.
    ///   - value: The item's text; empty to remove the item.
    /// - Throws: `MetadataNameError` if the name means nothing.
    public func setMetadata(_ name: String, to value: String) throws {
        setMetadata(MetadataAssignment(try MetadataName(name), value))
    }

    package func setMetadata(_ assignment: MetadataAssignment) {
        settings.withLock { $0.options.metadata.assignments.append(assignment) }
    }

    /// Leaves items out of the new file, by the names that people type.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Throws: `MetadataNameError` if the name means nothing.
    public func removeMetadata(_ name: String) throws { try setMetadata(name, to: "") }

    /// The cover of the new file; `nil`, the default, for the asset's own.
    ///
    /// A kind of file that holds no pictures fails the export.
    ///
    /// Beyond AVFoundation.
    public var artwork: MediaItem.Artwork? {
        get { settings.withLock { $0.options.metadata.artwork } }
        set { settings.withLock { $0.options.metadata.artwork = newValue } }
    }

    // MARK: How to make it

    /// Whether encoding may take two passes, where the encoder gains from it; false by default.
    ///
    /// The pictures are analysed in a first pass. Constant quality gains nothing
    /// from that, and passthrough encodes nothing.
    public var canPerformMultiplePassesOverSourceMediaData: Bool {
        get { settings.withLock { $0.options.allowsMultiplePasses } }
        set { settings.withLock { $0.options.allowsMultiplePasses = newValue } }
    }

    /// Where temporary files go: a folder that exists; `nil`, the default, for a folder of the session's choice.
    ///
    /// They are gone when the session has ended, however it ends. The unfinished
    /// file itself lies in this folder only if that is of the output's file system.
    public var directoryForTemporaryFiles: URL? {
        get { settings.withLock { $0.temporaryDirectory } }
        set { settings.withLock { $0.temporaryDirectory = newValue } }
    }

    /// What becomes of tracks of sound that are alternatives to each other; by default (empty) all are encoded alike.
    public var audioTrackGroupHandling: AVAssetTrackGroupOutputHandling {
        get { settings.withLock { $0.audioTrackGroupHandling } }
        set { settings.withLock { $0.audioTrackGroupHandling = newValue } }
    }

    /// Whether a file of the output's name is replaced, whole and at the end; false by default.
    ///
    /// Beyond AVFoundation.
    public var replacesExistingFile: Bool {
        get { settings.withLock { $0.replacesExistingFile } }
        set { settings.withLock { $0.replacesExistingFile = newValue } }
    }

    /// Which of the asset's tracks the new file gets, as far as it can hold them; by default all.
    ///
    /// Beyond AVFoundation.
    public var trackSelection: ExportTrackSelection {
        get { settings.withLock { $0.options.trackSelection } }
        set { settings.withLock { $0.options.trackSelection = newValue } }
    }

    /// Whether pictures and sound that cannot be decoded without errors, and a
    /// source that ends too early, are let through; false by default.
    ///
    /// `result` tells of them. Beyond AVFoundation.
    public var allowsDamagedMedia: Bool {
        get { settings.withLock { $0.options.allowsDamagedMedia } }
        set { settings.withLock { $0.options.allowsDamagedMedia = newValue } }
    }

    /// How much of the finished file is read to find what it lost and the plan did not tell; by default headers and
    /// sample tables.
    ///
    /// What is found is among `result`'s losses, with `ExportLoss.isForeseen` false. A finished file that cannot be
    /// opened fails the export.
    ///
    /// Beyond AVFoundation.
    public var auditDepth: ExportAuditDepth {
        get { settings.withLock { $0.options.auditDepth } }
        set { settings.withLock { $0.options.auditDepth = newValue } }
    }

    /// Whether the export fails if it cannot keep `timeRange` just as it is: where the
    /// asset ends before it does, or where coded pictures can begin with a sync
    /// sample only; false by default.
    ///
    /// Beyond AVFoundation, which keeps what there is. An infinite end is the asset's.
    public var requiresExactTimeRange: Bool {
        get { settings.withLock { $0.options.requiresExactRange } }
        set { settings.withLock { $0.options.requiresExactRange = newValue } }
    }

    /// How long the segments are at least in which pictures are encoded, each apart from the others; `nil`, the default,
    /// for segments only where an encoder would leave cores idle.
    ///
    /// Segments have whole distances between keyframes, as far as the preset says these, and the last one has what remains.
    /// What comes out is the same however many cores there are. Only constant quality can be divided so, of one track,
    /// in a file that can be read at any place; the export fails if it cannot. A numeric time above zero.
    ///
    /// Beyond AVFoundation.
    public var pictureSegmentLength: CMTime? {
        get { settings.withLock { $0.options.segmentLength } }
        set { settings.withLock { $0.options.segmentLength = newValue } }
    }

    /// What other processes have encoded of the pictures; `nil` if all is done here.
    package var pieces: PieceSet? {
        get { settings.withLock { $0.options.pieces } }
        set { settings.withLock { $0.options.pieces = newValue } }
    }
}

/// How tracks that are alternatives to each other get into a new file.
public struct AVAssetTrackGroupOutputHandling: OptionSet, Hashable, Sendable {
    /// The options' bits.
    public let rawValue: UInt
    /// Makes options of their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Alternatives to the first track of sound are kept as they are, not encoded anew.
    public static let preserveAlternateTracks = AVAssetTrackGroupOutputHandling(rawValue: 1)
}

/// What is seen and heard of several tracks at a time.
extension AVAssetExportSession {
    /// How pictures are composed; `nil`, the default, to show them as they are.
    ///
    /// A copy is taken when it is set: what changes afterwards has no effect. Presets that keep coded pictures fail the
    /// export with `AVError.operationNotSupportedForPreset`, and compositions that contradict themselves or the asset with
    /// `AVError.invalidVideoComposition`. Colours are those of the first track that is drawn; HDR is kept if all are HDR,
    /// and the preset makes HDR. Text and other tracks beside pictures and sound are not kept; `plan(for:)` says so.
    public var videoComposition: AVVideoComposition? {
        get { settings.withLock { $0.options.rendering.composing?.composition } }
        set {
            let composing = newValue.map { VideoComposing($0) }
            settings.withLock { $0.options.rendering.composing = composing }
        }
    }

    /// The object that composes pictures, of the class that the video composition names; `nil` if it names none, or it
    /// asks for pixels that cannot be had.
    public var customVideoCompositor: (any AVVideoCompositing)? {
        try? settings.withLock { $0.options.rendering.composing }?.compositor()?.compositor
    }

    /// How loud the asset's tracks are; `nil`, the default, for as loud as they are.
    ///
    /// A copy is taken when it is set: what changes afterwards has no effect. Presets that keep coded sound fail the export
    /// with `AVError.operationNotSupportedForPreset`. Text and other tracks beside pictures and sound are not kept;
    /// `plan(for:)` says so.
    public var audioMix: AVAudioMix? {
        get { settings.withLock { $0.options.rendering.audioMix } }
        set {
            let copy = newValue.map { $0.copy() as? AVAudioMix ?? $0 }
            settings.withLock { $0.options.rendering.audioMix = copy }
        }
    }

    /// What is done to all pictures and all sound; by default nothing.
    ///
    /// Beyond AVFoundation.
    public var effects: ExportEffects {
        get { settings.withLock { $0.options.effects } }
        set { settings.withLock { $0.options.effects = newValue } }
    }

    /// How sound becomes faster or slower where a composition scales it, and its parameters do not say it; `spectral`
    /// by default.
    ///
    /// `varispeed` has the pitch change with the speed. All others keep it, in one and the same
    /// way.
    public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { settings.withLock { $0.options.rendering.timePitch } }
        set { settings.withLock { $0.options.rendering.timePitch = newValue } }
    }
}
