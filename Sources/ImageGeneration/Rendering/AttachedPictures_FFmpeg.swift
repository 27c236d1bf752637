internal import FFmpegKit
public import MediaAsset
internal import MediaCore
internal import Synchronization

extension AVAssetImageGenerator {
    /// The still pictures that come with the file, such as cover art, in the file's order, sized and cut as stills are.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Parameter trackID: The number of the only one wanted; all of them if `nil`.
    /// - Returns: At least one.
    /// - Throws: `AVError.noSourceTrack` if there is none, `AVError.decodeFailed` for one that cannot be decoded
    ///   undamaged; else what opening the file fails with, as `AVAsset` tells.
    /// - Complexity: Opens the file, unless the asset has it open, and decodes one picture each; all are held at once.
    public func attachedPictures(trackID: CMPersistentTrackID? = nil) async throws -> [AttachedPicture] {
        let (source, settings) = (asset.source, settings.withLock { $0 })
        return try await BlockingWork.run {
            do {
                if let remote = source.remote {
                    return try Self.attachedPictures(by: remote, of: source, trackID: trackID, settings)
                }
                return try Self.attachedPictures(of: source, trackID: trackID, settings)
            } catch let error as FFmpegError {
                throw publicError(for: error)
            }
        }
    }

    /// The pictures, decoded in this process.
    static func attachedPictures(
        of source: AssetSource, trackID: CMPersistentTrackID?, _ settings: StillSettings
    ) throws -> [AttachedPicture] {
        let known = try source.describe().attachedPictures
        guard !known.isEmpty else { throw AVError(.noSourceTrack, reason: "the file has no embedded picture") }
        let wanted = known.filter { trackID == nil || $0.trackID == trackID }
        guard !wanted.isEmpty else {
            let numbers = known.map { String($0.trackID) }.joined(separator: ", ")
            throw AVError(
                .noSourceTrack, reason: "there is no embedded picture \(trackID ?? 0); the numbers are \(numbers)")
        }
        let demuxer = try source.checkOut()
        defer { source.checkIn(demuxer) }
        return try wanted.map { track in
            let frame = try frame(of: track, demuxer, acceptsDamage: settings.allowsDamagedPictures)
            guard let video = track.video else { throw AVError(.decodeFailed, reason: "the picture has no size") }
            let images = try StillRenderer(video: video, settings: settings).render(frame)
            return AttachedPicture(trackID: track.trackID, images: images)
        }
    }

    private static func frame(of track: TrackDescription, _ demuxer: Demuxer, acceptsDamage: Bool) throws -> Frame {
        func failure(_ reason: String) -> AVError {
            AVError(.decodeFailed, reason: "the embedded picture \(track.trackID) cannot be had: \(reason)")
        }
        guard let packet = demuxer.attachedPicture(ofStream: track.streamIndex) else { throw failure("it is empty") }
        let decoder = try demuxer.makeDecoder(stream: track.streamIndex)
        var problem = try decoder.send(packet, number: 0)
        problem = try decoder.send(nil, number: 1) ?? problem
        let (output, complaint) = try decoder.receive()
        let said = (problem ?? complaint)?.reason
        guard case .frame(let frame) = output else { throw failure(said ?? "it is no picture") }
        if let damage = said ?? frame.damage, !acceptsDamage { throw failure(damage) }
        return frame
    }
}
