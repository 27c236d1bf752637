internal import Foundation
public import MediaAsset
public import MediaEngine
internal import Synchronization

/// What is seen and heard of several tracks at a time.
extension AVAssetExportSession {
    /// How pictures are composed; `nil`, the default, to show them as they are.
    ///
    /// A copy is taken when it is set: what changes afterwards has no effect. Presets that keep coded pictures fail the
    /// export with `AVError.operationNotSupportedForPreset`, and compositions that contradict themselves or the asset with
    /// `AVError.invalidVideoComposition`. Colours are those of the first track that is drawn; HDR is kept if all are HDR,
    /// and the preset makes HDR. Text and other tracks beside pictures and sound are not kept; `plan(for:)` says so.
    public var videoComposition: AVVideoComposition? {
        get { settings.withLock { $0.rendering.composing?.composition } }
        set {
            let composing = newValue.map { VideoComposing($0) }
            settings.withLock { $0.rendering.composing = composing }
        }
    }

    /// The object that composes pictures, of the class that the video composition names; `nil` if it names none, or it
    /// asks for pixels that cannot be had.
    public var customVideoCompositor: (any AVVideoCompositing)? {
        try? settings.withLock { $0.rendering.composing }?.compositor()?.compositor
    }

    /// How loud the asset's tracks are; `nil`, the default, for as loud as they are.
    ///
    /// A copy is taken when it is set: what changes afterwards has no effect. Presets that keep coded sound fail the export
    /// with `AVError.operationNotSupportedForPreset`. Text and other tracks beside pictures and sound are not kept;
    /// `plan(for:)` says so.
    public var audioMix: AVAudioMix? {
        get { settings.withLock { $0.rendering.audioMix } }
        set {
            let copy = newValue.map { $0.copy() as? AVAudioMix ?? $0 }
            settings.withLock { $0.rendering.audioMix = copy }
        }
    }

    /// What is done to all pictures and all sound; by default nothing.
    ///
    /// Beyond AVFoundation.
    public var effects: ExportEffects {
        get { settings.withLock { $0.effects } }
        set { settings.withLock { $0.effects = newValue } }
    }

    /// How sound becomes faster or slower where a composition scales it, and its parameters do not say it; `spectral`
    /// by default.
    ///
    /// `varispeed` has the pitch change with the speed. All others keep it, in one and the same
    /// way.
    public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { settings.withLock { $0.rendering.timePitch } }
        set { settings.withLock { $0.rendering.timePitch = newValue } }
    }
}
