internal import CoreFoundationNames
internal import FFmpegKit
internal import FormatDescriptions
internal import Foundation
internal import MediaAsset
internal import MediaConcurrency
internal import MediaExport
internal import MediaLoading
internal import MediaTime
internal import PixelBuffers

/// A request for the pictures of an asset.
struct FrameRequest: Sendable {
    let source: AssetSource
    let trackID: CMPersistentTrackID?
    let timeRange: CMTimeRange?
    let interval: CMTime?
    let width: Int?
    let height: Int?
    let pixelFormat: OSType?
    let isStored: Bool
    let allowsDamage: Bool

    /// Opens the film.
    ///
    /// - Returns: What gives its pictures.
    func open(_ cancellation: Cancellation) throws -> () throws -> AssetFrame? {
        do {
            return try openFeed(cancellation)
        } catch {
            throw readerError(for: error)
        }
    }

    private func openFeed(_ cancellation: Cancellation) throws -> () throws -> AssetFrame? {
        try source.checkFilesAreOwn()
        if let interval, !interval.isNumeric || interval <= .zero {
            throw AVError(
                .incorrectlyConfigured, reason: "pictures are wanted at a distance above zero, not \(interval)")
        }
        let samples = try pixelFormat.map { code throws in
            guard let samples = PixelSamples(code) else {
                throw AVError(
                    .incorrectlyConfigured, reason: "pictures cannot be had in the pixel format \(fourCharacters(code))"
                )
            }
            return samples
        }
        let track = try source.pictureTrack(trackID)
        let stored = try PictureFeed(
            track, of: source, range: timeRange, allowsDamage: allowsDamage, cancellation: cancellation)
        let feed: any PictureFeeding =
            isStored
            ? stored
            : try ShownPictureFeed(
                stored, ShownForm(width: width, height: height, pixelFormat: samples?.filterName))
        let buffers = PictureBuffers(
            .init(
                samples: samples.map { [$0] } ?? [], width: isStored ? width : nil, height: isStored ? height : nil))
        let attachments = PictureAttachments(CMFormatDescription(track: track))
        var spacing = FrameSpacing(interval, from: timeRange?.start)
        var waiting: [AssetFrame] = []
        return {
            do {
                while waiting.isEmpty {
                    guard let picture = try feed.next() else { return nil }
                    let times = spacing.times(in: picture.timeRange)
                    for time in times {
                        let buffer = try buffers.buffer(of: picture.frame)
                        attachments.attach(to: buffer, of: picture.frame)
                        waiting.append(
                            AssetFrame(
                                pixelBuffer: buffer, time: time, presentationTime: picture.timeRange.start,
                                duration: picture.timeRange.duration))
                    }
                }
                return waiting.removeFirst()
            } catch {
                throw readerError(for: error)
            }
        }
    }
}

extension PixelSamples {
    /// A layout that filters give, from which this one is made without loss.
    fileprivate var filterName: String {
        switch name {
        case "nv12": "yuv420p"
        case "nv16", "uyvy422", "yuyv422": "yuv422p"
        case "nv24": "yuv444p"
        case "p010le": "yuv420p10le"
        case "p210le": "yuv422p10le"
        case "p410le": "yuv444p10le"
        default: name
        }
    }
}

extension AssetSource {
    /// The track of pictures that is meant.
    ///
    /// - Parameter trackID: Its number; `nil` for the one that players show.
    func pictureTrack(_ trackID: CMPersistentTrackID?) throws -> TrackDescription {
        try track(trackID, of: .video, "pictures")
    }

    /// The track of sound that is meant.
    ///
    /// - Parameter trackID: Its number; `nil` for the one that players play.
    func soundTrack(_ trackID: CMPersistentTrackID?) throws -> TrackDescription {
        try track(trackID, of: .audio, "sound")
    }

    private func track(
        _ trackID: CMPersistentTrackID?, of mediaType: AVMediaType, _ what: String
    ) throws -> TrackDescription {
        let description = try describe()
        guard composition == nil else {
            throw AVError(.operationNotSupportedForAsset, reason: "a composition is read once it was exported")
        }
        let tracks = description.tracks.filter { $0.mediaType == mediaType }
        let usual = mediaType == .video ? description.videoTrack : tracks.first(where: \.isEnabled) ?? tracks.first
        guard let track = trackID.map({ id in tracks.first { $0.trackID == id } }) ?? usual else {
            throw AVError(
                .noSourceTrack,
                reason: trackID.map { "there is no track \($0) of \(what)" } ?? "there is no track of \(what)")
        }
        return track
    }
}

/// Tells for which times a picture is wanted.
struct FrameSpacing {
    private let interval: CMTime?
    /// The start of the times at even distances; `nil` for where the first picture begins.
    private var start: CMTime?
    private var count: Int32 = 0

    init(_ interval: CMTime?, from start: CMTime?) { (self.interval, self.start) = (interval, start) }

    /// The times that a picture is wanted for, of those at which it is shown.
    mutating func times(in range: CMTimeRange) -> [CMTime] {
        guard let interval else { return [max(range.start, start ?? range.start)] }
        let start = start ?? range.start
        self.start = start
        var times: [CMTime] = []
        while true {
            let due = start + CMTimeMultiply(interval, multiplier: count)
            guard due.isNumeric, due < range.end, count < .max else { return times }
            times.append(due)
            count += 1
        }
    }
}
