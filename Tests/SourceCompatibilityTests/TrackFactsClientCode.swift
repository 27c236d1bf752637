// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

// MARK: Sizes and directions, by synchronous facts

/// How a picked video is to be shown and compressed, as apps that compress videos compute it.
struct VideoGeometry: Equatable {
    enum Direction { case up, down, left, right }

    var renderSize: CGSize
    var direction: Direction
    var isPortrait: Bool
    var frameDuration: CMTime
    var targetBitRate: Int

    init?(asset: AVAsset, maximumSide: CGFloat, bitsPerPixel: CGFloat = 0.1) {
        guard let track = asset.tracks(withMediaType: AVMediaType.video).first else { return nil }
        let size = track.naturalSize.applying(track.preferredTransform)
        let upright = CGSize(width: abs(size.width), height: abs(size.height))
        let scale = min(1, maximumSide / max(upright.width, upright.height))
        renderSize = CGSize(
            width: (upright.width * scale / 2).rounded() * 2, height: (upright.height * scale / 2).rounded() * 2)
        direction = Self.direction(of: track.preferredTransform)
        isPortrait = direction == .left || direction == .right
        let rate = track.nominalFrameRate > 0 ? track.nominalFrameRate : 30
        frameDuration =
            track.minFrameDuration.isValid
            ? track.minFrameDuration : CMTimeMake(value: 1, timescale: CMTimeScale(rate))
        let wanted = renderSize.width * renderSize.height * CGFloat(rate) * bitsPerPixel
        targetBitRate = min(Int(track.estimatedDataRate), Int(wanted))
    }

    private static func direction(of transform: CGAffineTransform) -> Direction {
        switch (transform.a, transform.b, transform.c, transform.d) {
        case (0, 1, -1, 0): return .right
        case (0, -1, 1, 0): return .left
        case (-1, 0, 0, -1): return .down
        default: return .up
        }
    }
}

// MARK: A report of everything

/// What an inspector window lists of a track, by `load` with as many properties as there are.
struct TrackReport: Equatable {
    var id: CMPersistentTrackID
    var kind: String
    var codec: String
    var seconds: Double
    var bytes: Int64
    var bitRate: Int
    var isUsable: Bool

    static func all(of url: URL) async throws -> [TrackReport] {
        let asset = AVURLAsset(url: url)
        let (_, tracks, rate, volume, transform, isPlayable, isReadable, hasFragments) = try await asset.load(
            .duration, .tracks, .preferredRate, .preferredVolume, .preferredTransform, .isPlayable, .isReadable,
            .containsFragments)
        guard isPlayable, isReadable, rate == 1, volume == 1, transform.isIdentity else { return [] }
        var reports: [TrackReport] = []
        for track in tracks {
            let (descriptions, range, bytes, isDecodable, isTrackPlayable, isEnabled, isSelfContained) =
                try await track.load(
                    .formatDescriptions, .timeRange, .totalSampleDataLength, .isDecodable, .isPlayable, .isEnabled,
                    .isSelfContained)
            let code = descriptions.first.map { fourCharacters(CMFormatDescriptionGetMediaSubType($0)) } ?? "?"
            let seconds = range.duration.seconds
            reports.append(
                TrackReport(
                    id: track.trackID, kind: track.mediaType.rawValue, codec: code, seconds: seconds, bytes: bytes,
                    bitRate: hasFragments ? 0 : Int((Double(bytes) * 8 / seconds).rounded()),
                    isUsable: isDecodable && isTrackPlayable && isEnabled && isSelfContained))
        }
        return reports
    }

    private static func fourCharacters(_ code: FourCharCode) -> String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

// MARK: Languages

/// The menu of sound and subtitles that a player shows.
struct LanguageMenu: Equatable {
    struct Entry: Equatable {
        var title: String
        var trackID: CMPersistentTrackID
        var isSelected: Bool
    }

    var sound: [Entry] = []
    var subtitles: [Entry] = []
    var hasAlternatives = false
    var chapterTrack: CMPersistentTrackID?

    init(asset: AVAsset, locale: Locale = Locale(identifier: "en")) {
        for track in asset.tracks(withMediaCharacteristic: .audible) { sound.append(entry(of: track, locale)) }
        for track in asset.tracks(withMediaCharacteristic: .legible) { subtitles.append(entry(of: track, locale)) }
        let audible = Set(sound.map(\.trackID))
        hasAlternatives = asset.trackGroups.contains { group in
            audible.isSubset(of: group.trackIDs.map { $0.int32Value })
        }
        let video = asset.tracks(withMediaType: .video).first
        chapterTrack = video?.associatedTracks(ofType: .chapterList).first?.trackID
    }

    private func entry(of track: AVAssetTrack, _ locale: Locale) -> Entry {
        let tag = track.extendedLanguageTag ?? track.languageCode ?? "und"
        let code = Locale(identifier: tag).language.languageCode?.identifier ?? tag
        return Entry(
            title: locale.localizedString(forLanguageCode: code) ?? tag, trackID: track.trackID,
            isSelected: track.isEnabled)
    }
}

// MARK: Edit lists

/// Where the moments of a timeline lie in the media, as frame-accurate tools ask.
struct MediaClock {
    let track: AVAssetTrack

    var owner: AVAsset? { track.asset }

    /// Media times in seconds of moments on the timeline; `nil` in gaps and outside.
    func mediaSeconds(at seconds: [Double]) async throws -> [Double?] {
        var result: [Double?] = []
        for second in seconds {
            let time = CMTime(seconds: second, preferredTimescale: track.naturalTimeScale)
            let media = try await track.loadSamplePresentationTime(forTrackTime: time)
            result.append(media.isValid ? media.seconds : nil)
        }
        return result
    }

    /// How long something is shown, and how long nothing is.
    func shownAndEmpty() -> (shown: CMTime, empty: CMTime) {
        var shown = CMTime.zero
        var empty = CMTime.zero
        for segment: AVAssetTrackSegment in track.segments {
            let length = segment.timeMapping.target.duration
            if segment.isEmpty { empty = CMTimeAdd(empty, length) } else { shown = CMTimeAdd(shown, length) }
        }
        return (shown, empty)
    }

    func isGap(at time: CMTime) -> Bool { track.segment(forTrackTime: time)?.isEmpty ?? true }
}

// MARK: Uploads

/// Decides by type and content whether an upload is taken.
struct UploadGate {
    enum Verdict: Equatable {
        case accepted(naturalSize: CGSize)
        case unreadable(Int)
        case unknownType
        case protected
        case nothingToPlay
    }

    func accepts(mimeType: String) -> Bool {
        AVURLAsset.audiovisualMIMETypes().contains(mimeType) && AVURLAsset.isPlayableExtendedMIMEType(mimeType)
    }

    func verdict(on url: URL, mimeType: String) async -> Verdict {
        guard accepts(mimeType: mimeType) else { return .unknownType }
        let restrictions: AVAssetReferenceRestrictions = .forbidAll
        let asset = AVURLAsset(
            url: url, options: [AVURLAssetReferenceRestrictionsKey: NSNumber(value: restrictions.rawValue)])
        do {
            let (isProtected, isPlayable, isExportable, isComposable) = try await asset.load(
                .hasProtectedContent, .isPlayable, .isExportable, .isComposable)
            if isProtected { return .protected }
            guard isPlayable, isExportable, isComposable else { return .nothingToPlay }
        } catch {
            return .unreadable((error as NSError).code)
        }
        guard asset.referenceRestrictions.contains(restrictions) else { return .unknownType }
        return .accepted(naturalSize: asset.naturalSize)
    }
}
