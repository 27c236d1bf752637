internal import FFmpegKit
internal import MediaCore
internal import MediaIO

extension AssetSource {
    /// Checks that pictures of a track can be right, where the file tells in
    /// advance that they cannot.
    ///
    /// - Throws: `AVError` that says what the file is.
    package func checkIsDecodable(_ track: TrackDescription) throws {
        guard !track.isEncrypted else {
            throw AVError(
                .contentIsProtected, reason: "the video is encrypted (DRM): without its key there are no pictures")
        }
        if let dolby = track.video?.dolbyVision, !dolby.hasCompatibleBaseLayer {
            throw AVError(
                .decoderNotFound,
                reason: "Dolby Vision profile \(dolby.profileText) is not supported: its colours would be wrong")
        }
        if track.codecType == .webP, let file, ForeignFormat.isAnimatedWebP(file.read(at: 0, count: 32)) {
            throw AVError(.decoderNotFound, reason: "an animated WebP picture: this is not supported")
        }
    }

    /// Whether there is a decoder for a track, and nothing tells in advance that what it gives cannot be right.
    func canDecode(_ track: TrackDescription) -> Bool {
        if let remote { return remote.canDecode(track) }
        if let composition { return composition.canDecode(track.trackID) }
        return track.hasDecoder && (try? checkIsDecodable(track)) != nil
    }

    /// Checks that a file whose samples could not be read is not encrypted, which looks like damage to readers that
    /// lack the key.
    ///
    /// - Throws: `AVError.contentIsProtected`.
    func checkIsClear(_ failure: FFmpegError) throws {
        guard failure.kind == .damaged, try describe().hasProtectedContent else { return }
        throw AVError(
            .contentIsProtected, reason: "the file is encrypted (DRM): without its key its samples cannot be read")
    }
}
