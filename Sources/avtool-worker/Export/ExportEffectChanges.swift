internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What is done to pictures and sound of an export, ready for use.
struct ExportEffectChanges: Codable, Sendable {
    /// The pixels of what is laid over pictures.
    private struct Overlay: Codable {
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
