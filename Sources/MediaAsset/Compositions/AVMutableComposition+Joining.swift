internal import Foundation
public import MediaCore
internal import MediaMetadata

extension AVMutableComposition {
    /// A part of an asset, to be put beside others; beyond AVFoundation.
    public struct Piece: Sendable {
        /// The asset.
        public var asset: AVAsset
        /// On the asset's timeline; one without end goes up to its end.
        public var timeRange: CMTimeRange

        /// Makes a piece; by default of all of the asset.
        public init(
            _ asset: AVAsset, in timeRange: CMTimeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        ) {
            (self.asset, self.timeRange) = (asset, timeRange)
        }
    }

    /// Makes one film of pieces of others, one after the other, as editing programs do.
    ///
    /// Beyond AVFoundation. Unlike a composition that is put together track by track, it has the metadata of the first
    /// piece's asset, chapters where the edit has moved them, and pictures that are upright in every piece. When it is
    /// exported, its tracks stay apart: the second track of sound is another language, not to be mixed with the first.
    ///
    /// - Throws: As `insertTimeRange(_:of:at:)`; `AVError.invalidCompositionTrackSegmentDuration` without pieces.
    /// - Complexity: Opens all assets.
    public convenience init(joining pieces: [Piece]) async throws {
        self.init()
        let composition = self
        try await BlockingWork.run { try composition.join(pieces) }
    }

    private func join(_ pieces: [Piece]) throws {
        guard let first = pieces.first else {
            throw AVError(.invalidCompositionTrackSegmentDuration, reason: "there is nothing to join")
        }
        for (index, piece) in pieces.enumerated() {
            do {
                try insert(
                    piece.timeRange, of: piece.asset, at: .invalid, tracks: piece.asset.makeTracksWithoutChapters())
            } catch let error as AVError where pieces.count > 1 {
                let film = (piece.asset as? AVURLAsset).map { ", \($0.url.lastPathComponent)" } ?? ""
                throw AVError(
                    error.code, reason: "piece \(index + 1)\(film): \(error.reason)",
                    information: error.userInfo.filter { $0.key == NSUnderlyingErrorKey })
            }
        }
        state.change { content in
            (content.metadataSource, content.keepsTracksApart) = (first.asset.source, true)
            for index in content.tracks.indices where content.tracks[index].mediaType == .video {
                content.tracks[index].turnUpright()
            }
        }
    }
}

extension AVAsset {
    /// The asset itself if it is a composition, else a composition of all of it: each track under its number, with the
    /// metadata of the file.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    package func composed() throws -> AVComposition {
        if let composition = self as? AVComposition { return composition }
        let whole = CMTimeRange(start: .zero, duration: .positiveInfinity)
        var content = CompositionContent()
        (content.metadataSource, content.keepsTracksApart) = (source, true)
        for track in try makeTracksWithoutChapters() {
            var new = CompositionContent.Track(trackID: track.trackID, mediaType: track.mediaType)
            new.take(labelsOf: track.track)
            new.timeline.insert(try CompositionEdit.segments(of: track, in: whole), at: .zero)
            content.tracks.append(new)
        }
        return AVComposition(content)
    }

    /// A composition of some of the asset's tracks, which are seen and heard together whether they are enabled or not.
    package func composed(ofTracks trackIDs: Set<CMPersistentTrackID>) throws -> AVComposition {
        var content = try composed().state.content
        content.keepsTracksApart = false
        content.tracks.removeAll { !trackIDs.contains($0.trackID) }
        for index in content.tracks.indices { content.tracks[index].isEnabled = true }
        return AVComposition(content)
    }

    /// The tracks but those that hold the chapters, which are told as such.
    fileprivate func makeTracksWithoutChapters() throws -> [AVAssetTrack] {
        let chapters = Set(try source.metadata().chapterLists.compactMap(\.trackID))
        return try makeTracks().filter { !chapters.contains($0.trackID) }
    }
}

extension CompositionContent.Track {
    /// Has each file's pictures turned by themselves where files differ.
    fileprivate mutating func turnUpright() {
        let turns = Set(timeline.segments.compactMap(\.media)).map { try? $0.track().video?.preferredTransform }
        guard turns.contains(where: { $0 != turns[0] }) else { return }
        (turnsMedia, preferredTransform) = (true, .identity)
    }
}
