internal import MediaCore
internal import SampleBuffers

/// What a client asks of decoded sound, by the keys of AVFoundation.
struct SoundOutputSettings {
    let layout: PCMLayout

    /// - Throws: `AVError.incorrectlyConfigured` for values that make no sense and for coded sound.
    init(_ settings: [String: Any]) throws(AVError) {
        do {
            layout = try PCMLayout(settings: settings)
        } catch {
            throw AVError(.incorrectlyConfigured, reason: error.description)
        }
    }
}
