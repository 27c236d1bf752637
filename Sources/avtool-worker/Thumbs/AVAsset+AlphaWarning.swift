internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension AVAsset {
    /// What is to be said where pictures are to be clear in parts and come out opaque.
    func loadAlphaWarning() async throws -> String? {
        guard try await loadDescription().videoTrack?.video?.hasUndecodedAlpha == true else { return nil }
        return "the alpha of HEVC cannot be decoded; the pictures are opaque"
    }
}
