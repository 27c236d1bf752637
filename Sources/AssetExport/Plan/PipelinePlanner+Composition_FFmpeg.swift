internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
internal import SampleBuffers

/// What becomes of each track of a composition whose pictures and sound are encoded anew.
extension PipelinePlanner {
    mutating func addTracks(of composition: CompositionState) throws {
        if request.segmentLength != nil || request.makesPiece || request.pieces != nil {
            throw Self.refusalOfSegments("they are put together of pieces already")
        }
        let content = composition.content
        var encoder = CompositionEncoder(
            content, range: shownRange, to: format, request.rendering, turnsPixels: request.effects.overlay != nil)
        var isShown = try addComposedPictures(&encoder)
        let isComposed = request.rendering.composing != nil
        var isHeard = false
        for track in asset.tracks {
            guard let part = content.track(track.trackID) else { continue }
            guard part.firstMedia != nil else {
                lose(track, "there is nothing in it")
                continue
            }
            switch track.mediaType {
            case .video where isComposed: continue
            case .video where !content.keepsTracksApart && (isShown || !track.isEnabled):
                lose(track, track.isEnabled ? "the first track of pictures hides it" : "it is not enabled")
            case .video:
                isShown = try addPictures(track, part, &encoder) || isShown
            case .audio where !content.keepsTracksApart && isHeard: continue
            case .audio:
                isHeard = try addSound(track, content.tracks(heardWith: part), &encoder) || isHeard
            default: lose(track, "of compositions that are encoded, pictures and sound are kept only")
            }
        }
    }

    // MARK: Pictures

    /// - Returns: Whether there is such a track in the new file.
    private mutating func addPictures(
        _ track: TrackDescription, _ part: CompositionContent.Track, _ encoder: inout CompositionEncoder
    ) throws -> Bool {
        guard let encoding = preset.videoEncoding else {
            guard preset.video == .none else { throw refusalOfCopies() }
            lose(track, "the preset makes no pictures")
            return false
        }
        guard let encoded = try encoder.pictures(of: part, as: encoding) else { return false }
        append(track, encoded.conversion)
        for media in part.medias {
            let own = try media.track()
            guard let reason = try EncodedCaptions.reasonForLoss(of: own, encoded.conversion, media.source) else {
                continue
            }
            losses.append(
                ExportLoss(
                    .media, "captions in the pictures, \(track.nameForPeople)", reason: reason,
                    trackID: track.trackID, trait: .captions))
            break
        }
        return true
    }

    /// Adds the track of composed pictures, if the request says how they are composed.
    ///
    /// - Returns: Whether there is such a track in the new file.
    private mutating func addComposedPictures(_ encoder: inout CompositionEncoder) throws -> Bool {
        guard let composing = request.rendering.composing else { return false }
        let composition = composing.composition.configuration
        let tracks = asset.tracks.filter { $0.mediaType == .video }
        guard let encoding = preset.videoEncoding else {
            guard preset.video == .none else { throw Self.refusalOfRendering("pictures", by: preset) }
            for track in tracks { lose(track, "the preset makes no pictures") }
            return false
        }
        let drawn = composition.trackIDs(over: shownRange, among: Set(tracks.map(\.trackID)))
        guard let (track, encoded) = try encoder.composedPictures(of: tracks, by: composing, as: encoding) else {
            return false
        }
        for track in tracks where !drawn.contains(track.trackID) {
            lose(track, "no layer of the video composition shows it")
        }
        if case .video(let video) = encoded.conversion.encoding.encoder.media {
            losses += composition.colorLosses(of: video, track.trackID)
        }
        append(track, encoded.conversion)
        return true
    }

    // MARK: Sound

    private mutating func addSound(
        _ track: TrackDescription, _ parts: [CompositionContent.Track], _ encoder: inout CompositionEncoder
    ) throws -> Bool {
        guard let encoding = preset.audioEncoding else {
            guard preset.audio == .none else { throw refusalOfCopies() }
            lose(track, "the preset makes no sound")
            return false
        }
        guard let encoded = try encoder.sound(of: parts, as: encoding) else { return false }
        append(track, encoded.conversion)
        return true
    }

    /// What is exported of the composition.
    var shownRange: CMTimeRange { planner.shown(range) }

    func refusalOfCopies() -> AVError {
        AVError(
            .operationNotSupportedForPreset,
            reason: "pieces of a composition are all kept as they are or all encoded; presets such as passthrough, "
                + "high and hevc-high do that")
    }
}

extension AVVideoComposition.Configuration {
    /// The colours that are asked for and not made: those of the sources stay as they are.
    fileprivate func colorLosses(of video: VideoSettings, _ trackID: CMPersistentTrackID) -> [ExportLoss] {
        typealias Value = CMFormatDescription.Extensions.Value
        let facts = [
            ("primaries", colorPrimaries, Value.ColorPrimaries(video.color.primaries)?.rawValue as String?),
            (
                "transfer function", colorTransferFunction,
                Value.TransferFunction(video.color.transferFunction)?.rawValue as String?
            ),
            ("matrix", colorYCbCrMatrix, Value.YCbCrMatrix(video.color.yCbCrMatrix)?.rawValue as String?),
        ]
        return facts.compactMap { name, wanted, made in
            guard let wanted, let made, wanted != made else { return nil }
            return ExportLoss(
                .media, "the \(name) \(wanted) of the video composition",
                reason: "colours stay those of the sources, \(made)", effect: .changed, trackID: trackID, trait: .color)
        }
    }
}
