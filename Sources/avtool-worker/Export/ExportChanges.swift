internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// Which parts of a film an export keeps.
struct ExportCut: Sendable {
    private let written: [Written<TimeRangeExpression>]
    private let isInverted: Bool
    /// What another program says of it.
    private let list: CutListFile?
    /// Whether each part becomes a file.
    let isSplit: Bool

    /// One range, or all of the film.
    init(_ range: Written<TimeRangeExpression>? = nil) {
        (written, isInverted, isSplit, list) = (range.map { [$0] } ?? [], false, false, nil)
    }

    init(_ choice: ExportChoiceOptions) throws {
        (written, isInverted, isSplit) = (choice.range, choice.invert, choice.split)
        list = try choice.segments.map { CutListFile(name: $0, bytes: [UInt8](try InputDocument.read($0))) }
        if written.isEmpty, list == nil, isInverted || isSplit {
            throw Failure(.usage, "\(isInverted ? "--invert" : "--split") needs ranges: --range or --segments")
        }
    }

    /// Whether parts are put together, or taken apart, rather than one kept.
    var isEdit: Bool { written.count > 1 || list != nil || isInverted || isSplit }

    /// The parts that are kept, in order; empty for all of the film.
    ///
    /// - Throws: A failure for parts that overlap or reach beyond the end.
    func ranges(of asset: AVURLAsset) async throws -> [CMTimeRange] {
        guard isEdit else {
            guard let only = written.first else { return [] }
            return [try await asset.loadTimeRange(of: only.get())]
        }
        let description = try await asset.loadDescription()
        let duration = description.duration
        if let list { return try list.ranges(of: description, isInverted: isInverted) }
        var ranges: [CMTimeRange] = []
        for text in written {
            let range = try await asset.loadTimeRange(of: text.get())
            guard range.start < duration, range.end - duration <= Self.slack else {
                throw Failure(
                    .invalidTime, "\(text.text): lies beyond the end: the duration is \(duration.durationText()) s")
            }
            ranges.append(CMTimeRange(start: range.start, end: min(range.end, duration)))
        }
        if let (first, second) = ranges.firstOverlap {
            throw Failure(.usage, "--range \(written[first].text) and --range \(written[second].text) overlap")
        }
        guard isInverted else { return ranges }
        let rest = ranges.gaps(in: CMTimeRange(start: .zero, duration: duration))
        guard !rest.isEmpty else { throw Failure(.usage, "nothing is left of the film") }
        return rest
    }

    /// How far beyond the end a part may reach: a tick of a coarse timescale is no excess.
    private static let slack = CMTime(value: 1, timescale: 500)
}

/// A cut list of another program, not understood yet: how its frames are to be counted is up to the film.
struct CutListFile: Sendable {
    let name: String
    let bytes: [UInt8]

    /// The parts of a film that are kept.
    ///
    /// - Throws: A failure that names the line that is wrong.
    func ranges(of film: AssetDescription, isInverted: Bool) throws -> [CMTimeRange] {
        do {
            let list = try CutList(
                reading: bytes, fileName: (name as NSString).lastPathComponent, frames: film.timecodeScale)
            let ranges = try (isInverted ? list.inverted : list).kept(within: film.duration)
            if let overlap = ranges.firstOverlap {
                let line = list.segments.indices.contains(overlap.second) ? list.segments[overlap.second].line : nil
                throw CutListError(line: line, "overlaps another segment")
            }
            guard !ranges.isEmpty else { throw CutListError("nothing is left of the film") }
            return ranges
        } catch let error as CutListError {
            throw Failure(.usage, "\(name): \(error.description)")
        }
    }
}

extension ExportChangeOptions {
    /// The preset with the changes.
    ///
    /// - Throws: A failure that names the option.
    func applied(to preset: ExportPreset) throws -> ExportPreset {
        guard isGiven else { return preset }
        do {
            return try preset.applying(overrides)
        } catch {
            guard let error = error as? ExportPresetError, error.kind == .invalidOverride else { throw Failure(error) }
            let option = Self.options[error.keyPath] ?? error.keyPath
            throw Failure(.invalidOption, "--\(option): \(error.reason)")
        }
    }

    private var overrides: ExportOverrides {
        var overrides = ExportOverrides()
        (overrides.quality, overrides.bitRate, overrides.frameRate) = (quality, bitrate?.value, fps)
        overrides.size = size.map { .init(width: $0.width, height: $0.height) }
        (overrides.audioBitRate, overrides.crop, overrides.rotation) = (
            audioBitrate?.value, crop.map(ExportPreset.Crop.init), rotate
        )
        return overrides
    }

    private static let options = [
        "bitRate": "bitrate", "frameRate": "fps", "audioBitRate": "audio-bitrate", "rotation": "rotate",
    ]
}

extension ExportPreset.Crop {
    fileprivate init(_ crop: PictureCrop) { self.init(x: crop.x, y: crop.y, width: crop.width, height: crop.height) }
}

/// What is done to pictures and sound of an export, ready for use.
struct ExportEffectChanges: Sendable {
    /// The pixels of what is laid over pictures.
    private struct Overlay {
        let width: Int
        let height: Int
        let hasAlpha: Bool
        let pixels: [UInt8]
    }

    private var fadeIn: Written<Length>?
    private var fadeOut: Written<Length>?
    private var volume: VolumeChange?
    private var overlay: Overlay?
    private var place: OverlayPlace?
    private var relativeWidth: Double?
    private var opacity: Double?
    /// How much faster films are shown.
    let speed: SpeedFactor?

    /// Takes what options say, and reads the picture.
    init(_ options: ExportEffectOptions, _ limits: MediaLimits) async throws {
        (fadeIn, fadeOut, volume, speed) = (options.fadeIn, options.fadeOut, options.volume, options.speed)
        (place, relativeWidth) = (options.overlayAt, options.overlayWidth?.share)
        opacity = options.overlayOpacity?.share
        if relativeWidth == 0 { throw Failure(.usage, "--overlay-width 0: nothing would be seen") }
        guard let path = options.overlay else { return }
        let image = try await Self.image(path, limits)
        overlay = Overlay(width: image.width, height: image.height, hasAlpha: image.hasAlpha, pixels: image.pixels)
    }

    private static func image(_ path: String, _ limits: MediaLimits) async throws -> CGImage {
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw Failure(.noSuchInput, "\(path): cannot be read")
        }
        var source = MediaSource(file: path, limits: limits)
        source.limits.pixels = min(limits.pixels, limits.artworkPixels)
        let generator = AVAssetImageGenerator(asset: try source.asset())
        generator.appliesPreferredTrackTransform = true
        do {
            return try await generator.image(at: .zero).image
        } catch let error as AVError where error.underlying is MediaLimitError {
            throw error
        } catch {
            throw Failure(.notAPicture, "\(path): is no whole picture: \(Failure(error).message)")
        }
    }

    /// What a session is told.
    func effects() throws -> ExportEffects {
        var effects = ExportEffects()
        effects.fadeInDuration = try fadeIn?.time() ?? .zero
        effects.fadeOutDuration = try fadeOut?.time() ?? .zero
        switch volume {
        case .decibels(let decibels): effects.volume = .decibels(decibels)
        case .loudness(let loudness): effects.volume = .loudness(loudness)
        case nil: break
        }
        guard let overlay,
            let image = CGImage(
                width: overlay.width, height: overlay.height, hasAlpha: overlay.hasAlpha, pixels: overlay.pixels)
        else { return effects }
        var picture = PictureOverlay(image)
        (picture.relativeWidth, picture.opacity) = (relativeWidth, opacity ?? 1)
        switch place {
        case .share(let x, let y): picture.position = .share(x: x, y: y)
        case .offset(let x, let y): picture.position = .offset(x: x, y: y)
        case nil: break
        }
        effects.overlay = picture
        return effects
    }
}

extension AVMutableComposition {
    /// Shows all of the composition faster or slower.
    func change(speed: SpeedFactor) {
        let whole = CMTimeRange(start: .zero, duration: duration)
        let new = CMTimeMultiplyByRatio(
            duration, multiplier: Int32(clamping: speed.denominator), divisor: Int32(clamping: speed.numerator))
        scaleTimeRange(whole, toDuration: new)
    }
}

/// What becomes of metadata in an export, ready for use.
struct ExportMetadataChanges: Sendable {
    let assignments: [Written<MetadataAssignment>]
    let removals: [Written<MetadataName>]
    /// The bytes of the cover.
    let artwork: [UInt8]?
    let isShareSafe: Bool
    let dropsAll: Bool

    func apply(to session: AVAssetExportSession) throws {
        if dropsAll { session.metadata = [] }
        if isShareSafe { session.metadataItemFilter = .forSharing() }
        for name in removals { session.setMetadata(MetadataAssignment(try name.get(), "")) }
        for assignment in assignments { session.setMetadata(try assignment.get()) }
        session.artwork = artwork.map { MediaItem.Artwork(data: $0) }
    }
}

extension ExportMetadataOptions {
    /// The changes, with their pictures read.
    func changes(_ limits: MediaLimits) async throws -> ExportMetadataChanges {
        var picture: MediaItem.Artwork?
        if let artwork { picture = try await MediaItem.Artwork(picture: artwork, limits: limits) }
        return ExportMetadataChanges(
            assignments: assignments, removals: remove, artwork: picture?.data, isShareSafe: shareSafe,
            dropsAll: noMetadata)
    }
}
