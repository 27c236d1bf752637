internal import FFmpegKit
internal import Foundation
public import MediaAsset
internal import MediaCore
internal import MediaImage
internal import Synchronization

/// Makes the picture that a viewer sees of a decoded frame: one moment of it,
/// the clean aperture, square pixels, upright, within the wanted size, in
/// colours that an SDR screen shows unless HDR was asked for.
final class StillRenderer {
    private let video: VideoDescription
    private let settings: StillSettings
    private let converter = PixelConverter()
    private let alphaConverter = PixelConverter()
    private var toneMap: (key: ToneMapKey, map: ToneMap)?

    private struct ToneMapKey: Equatable {
        var transfer: HDRTransfer
        var primaries: UInt8
        var peak: Double?
    }

    init(video: VideoDescription, settings: StillSettings) {
        self.video = video
        self.settings = settings
    }

    /// A picture for each of the wanted boxes.
    ///
    /// - Parameter alpha: A grey picture of the same moment that is the frame's alpha.
    func render(_ decoded: Frame, alpha: Frame? = nil) throws -> [CGImage] {
        let frame = try oneMoment(of: decoded)
        let geometry = geometry(for: frame)
        guard let crop = settings.crop else {
            return try settings.boxes.map { box in
                let fitted = try settings.fit.scaled(geometry.shown, into: geometry.isTurned ? box.turned : box)
                return try settings.fitted(picture(of: frame, alpha, geometry, fitted), to: box)
            }
        }
        let part = try settings.part(crop, of: picture(of: frame, alpha, geometry, geometry.shown))
        return try settings.boxes.map { box in
            let size = try settings.fit.scaled(PixelSize(width: part.width, height: part.height), into: box)
            return try settings.fitted(part.scaled(width: size.width, height: size.height), to: box)
        }
    }

    /// The upright picture, of a size given as it is before it is turned.
    private func picture(of frame: Frame, _ alpha: Frame?, _ geometry: Geometry, _ size: PixelSize) throws -> CGImage {
        let needsPlanes = frame.hdrTransfer != nil || [.yCgCo, .iCtCp].contains(frame.yCbCrMatrix)
        let picture = try needsPlanes ? deepPicture(of: frame, geometry, size) : plainPicture(of: frame, geometry, size)
        guard
            var image = CGImage(
                width: size.width, height: size.height, hasAlpha: frame.hasAlpha, pixels: picture.pixels,
                bitsPerComponent: picture.bits, colorSpace: picture.space)
        else { throw AVError(.unknown, reason: "the picture has no pixels") }
        if let alpha, !image.hasAlpha { image = try image.with(alpha: samples(of: alpha, geometry, size)) ?? image }
        return image.oriented(orientation)
    }

    /// How the picture is laid out.
    private var orientation: ImageOrientation {
        guard settings.appliesTransform else { return CGAffineTransform.identity.orientation }
        return settings.orientation ?? video.preferredTransform.orientation
    }

    /// The samples of a grey picture.
    private func samples(of alpha: Frame, _ geometry: Geometry, _ size: PixelSize) throws -> [UInt8] {
        // An aperture is given for pictures of the colours' size.
        let isAlike = alpha.width == geometry.coded.width && alpha.height == geometry.coded.height
        let rgb = try alphaConverter.rgb(
            of: alpha, crop: isAlike ? geometry.crop : PixelConverter.Crop(left: 0, top: 0, right: 0, bottom: 0),
            width: size.width, height: size.height, keepsAlpha: false)
        return stride(from: 0, to: rgb.count, by: 3).map { rgb[$0] }
    }

    /// The frame without the comb of two fields.
    private func oneMoment(of frame: Frame) throws -> Frame {
        // Some codecs leave it to the container to say that there are fields.
        let containerSays = video.fields?.isInterlaced == true
        guard frame.isInterlaced || containerSays, frame.isCombed else { return frame }
        let isTopFirst = frame.isInterlaced ? frame.isTopFieldFirst : video.fields?.isTopFirst == true
        return try frame.deinterlaced(topFieldFirst: isTopFirst) ?? frame
    }

    private typealias Pixels = (pixels: [UInt8], bits: Int, space: CGColorSpace?)

    private func plainPicture(of frame: Frame, _ geometry: Geometry, _ size: PixelSize) throws -> Pixels {
        let pixels = try converter.rgb(
            of: frame, crop: geometry.crop, width: size.width, height: size.height, keepsAlpha: frame.hasAlpha)
        return (pixels, 8, sdrSpace(of: frame))
    }

    private func sdrSpace(of frame: Frame) -> CGColorSpace? {
        switch frame.widePrimaries {
        case .bt2020: CGColorSpace(name: CGColorSpace.itur_2020_sRGBGamma)
        case .displayP3: CGColorSpace(name: CGColorSpace.displayP3)
        case nil: CGColorSpace(name: CGColorSpace.sRGB)
        }
    }

    // MARK: What a matrix alone cannot do

    private func deepPicture(of frame: Frame, _ geometry: Geometry, _ size: PixelSize) throws -> Pixels {
        let planes = try converter.planes(
            of: frame, crop: geometry.crop, width: size.width, height: size.height, keepsAlpha: frame.hasAlpha)
        guard let matrix = ComponentMatrix(matrix: planes.matrix, isFullRange: planes.isFullRange) else {
            throw AVError(.operationNotSupportedForAsset, reason: "pictures in ICtCp are not supported")
        }
        guard let transfer = frame.hdrTransfer else {
            return (Self.packed(planes, matrix) { $0 * 255 }, 8, sdrSpace(of: frame))
        }
        if settings.dynamicRange == .matchSource {
            return (Self.packedDeep(planes, matrix), 16, hdrSpace(of: frame, transfer))
        }
        let map = toneMap(for: frame, transfer)
        return (Self.packed(planes, matrix) { map.sRGB($0) }, 8, CGColorSpace(name: CGColorSpace.sRGB))
    }

    private func hdrSpace(of frame: Frame, _ transfer: HDRTransfer) -> CGColorSpace? {
        switch (frame.widePrimaries, transfer) {
        case (.displayP3, .pq): CGColorSpace(name: CGColorSpace.displayP3_PQ)
        case (.displayP3, .hlg): CGColorSpace(name: CGColorSpace.displayP3_HLG)
        case (.bt2020, .pq): CGColorSpace(name: CGColorSpace.itur_2100_PQ)
        case (.bt2020, .hlg): CGColorSpace(name: CGColorSpace.itur_2100_HLG)
        case (nil, _) where frame.color.primaries == nil:
            CGColorSpace(name: transfer == .pq ? CGColorSpace.itur_2100_PQ : CGColorSpace.itur_2100_HLG)
        case (nil, .pq): CGColorSpace(name: CGColorSpace.itur_709_PQ)
        case (nil, .hlg): CGColorSpace(name: CGColorSpace.itur_709_HLG)
        }
    }

    private func toneMap(for frame: Frame, _ transfer: HDRTransfer) -> ToneMap {
        let code = hdrSpace(of: frame, transfer)?.primariesCode ?? 9
        let key = ToneMapKey(transfer: transfer, primaries: code, peak: frame.peakLuminance ?? video.peakLuminance)
        if let toneMap, toneMap.key == key { return toneMap.map }
        let primaries: Chromaticities = code == 1 ? .bt709 : code == 12 ? .displayP3 : .bt2020
        let map = ToneMap(transfer: transfer, primaries: primaries, peakLuminance: key.peak)
        toneMap = (key, map)
        return map
    }

    /// Pixels of 8 bits for each component.
    private static func packed(
        _ planes: PixelConverter.Planes, _ matrix: ComponentMatrix, _ codes: (SIMD3<Float>) -> SIMD3<Float>
    ) -> [UInt8] {
        let (channels, area) = (planes.count, planes.samples.count / planes.count)
        return [UInt8](unsafeUninitializedCapacity: area * channels) { buffer, count in
            matrix.forEachPixel(of: planes) { pixel, rgb in
                let rounded = codes(rgb) + SIMD3(repeating: 0.5)
                buffer[pixel * channels] = UInt8(rounded.x)
                buffer[pixel * channels + 1] = UInt8(rounded.y)
                buffer[pixel * channels + 2] = UInt8(rounded.z)
                if channels == 4 { buffer[pixel * 4 + 3] = UInt8(planes.samples[3 * area + pixel] >> 8) }
            }
            count = area * channels
        }
    }

    /// Pixels of 16 bits for each component, in the machine's byte order.
    private static func packedDeep(_ planes: PixelConverter.Planes, _ matrix: ComponentMatrix) -> [UInt8] {
        let (channels, area) = (planes.count, planes.samples.count / planes.count)
        return [UInt8](unsafeUninitializedCapacity: area * channels * 2) { buffer, count in
            let samples = UnsafeMutableRawBufferPointer(buffer)
            matrix.forEachPixel(of: planes) { pixel, rgb in
                let start = pixel * channels * 2
                for component in 0..<3 {
                    let code = UInt16(rgb[component] * 65535 + 0.5)
                    samples.storeBytes(of: code, toByteOffset: start + 2 * component, as: UInt16.self)
                }
                if channels == 4 {
                    samples.storeBytes(of: planes.samples[3 * area + pixel], toByteOffset: start + 6, as: UInt16.self)
                }
            }
            count = area * channels * 2
        }
    }

    // MARK: Shape

    private struct Geometry {
        var coded: PixelSize
        var crop: PixelConverter.Crop
        /// The size in square pixels, before the picture is turned.
        var shown: PixelSize
        /// Whether width and height change places then.
        var isTurned: Bool
    }

    /// What part of the frame is shown, and how large.
    private func geometry(for frame: Frame) -> Geometry {
        let size = PixelSize(width: frame.width, height: frame.height)
        var part = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        // An aperture is given for the track's size; a stream may change its own.
        if (settings.aperture ?? .cleanAperture) == .cleanAperture, size == video.codedSize {
            part = video.cleanAperture
        }
        var ratio = video.sampleAspectRatio
        // What the stream says anew goes for the frames behind it.
        if let own = frame.changedAspectRatio {
            ratio = AspectRatio(horizontal: Int(own.numerator), vertical: Int(own.denominator))
        }
        if settings.aperture == .encodedPixels { ratio = AspectRatio(horizontal: 1, vertical: 1) }
        let shown = VideoDescription.displaySize(
            of: PixelSize(width: part.width, height: part.height), sampleAspectRatio: ratio, transform: .identity)
        let crop = PixelConverter.Crop(
            left: part.x, top: part.y, right: size.width - part.x - part.width,
            bottom: size.height - part.y - part.height)
        return Geometry(
            coded: size, crop: crop, shown: shown,
            isTurned: orientation.swapsAxes)
    }
}

extension CGAffineTransform {
    /// The nearest of the eight ways to lay the picture onto its grid.
    var orientation: ImageOrientation {
        swapsAxes
            ? ImageOrientation(swapsAxes: true, flipsHorizontally: c < 0, flipsVertically: b < 0)
            : ImageOrientation(swapsAxes: false, flipsHorizontally: a < 0, flipsVertically: d < 0)
    }
}

/// From codes of 16 bits to RGB with its curve still on it, 0 to 1: a matrix
/// and an offset.
struct ComponentMatrix: Sendable {
    /// Rows for R, G and B, each with the factors of the three planes and the offset.
    let rows: [SIMD4<Float>]

    /// - Returns: `nil` for a matrix that is not known here.
    init?(matrix: YCbCrMatrix, isFullRange: Bool) {
        let weights: (red: Double, blue: Double)
        switch matrix {
        case .identity:
            // Planes come as G, B, R.
            let one = 1 / 65535.0
            rows = Self.single([[0, 0, one, 0], [one, 0, 0, 0], [0, one, 0, 0]])
            return
        case .yCgCo:
            // RGB is quantised before this matrix, so chroma has the range of luma.
            rows = Self.rows(isFullRange, chromaSteps: 219, [[1, -1, 1], [1, 1, 0], [1, -1, -1]])
            return
        case .iCtCp: return nil
        case .bt601: weights = (0.299, 0.114)
        case .bt709: weights = (0.2126, 0.0722)
        case .bt2020: weights = (0.2627, 0.0593)
        case .fcc: weights = (0.30, 0.11)
        case .smpte240M: weights = (0.212, 0.087)
        }
        let green = 1 - weights.red - weights.blue
        let (red, blue) = (2 * (1 - weights.red), 2 * (1 - weights.blue))
        rows = Self.rows(
            isFullRange, chromaSteps: 224,
            [[1, 0, red], [1, -weights.blue * blue / green, -weights.red * red / green], [1, blue, 0]])
    }

    /// Puts the scaling of codes in front of a matrix over Y from 0 to 1 and chroma from -0.5 to 0.5.
    private static func rows(_ isFullRange: Bool, chromaSteps: Double, _ matrix: [[Double]]) -> [SIMD4<Float>] {
        let luma = isFullRange ? 1 / 65535.0 : 1 / (219 * 256.0)
        let chroma = isFullRange ? 1 / 65535.0 : 1 / (chromaSteps * 256)
        let black = isFullRange ? 0 : 16 * 256.0
        return single(
            matrix.map { row in
                let factors = [row[0] * luma, row[1] * chroma, row[2] * chroma]
                return factors + [-factors[0] * black - (factors[1] + factors[2]) * 32768]
            })
    }

    private static func single(_ rows: [[Double]]) -> [SIMD4<Float>] {
        rows.map { SIMD4(Float($0[0]), Float($0[1]), Float($0[2]), Float($0[3])) }
    }

    /// Calls `body` with each pixel's number and its R, G and B, within 0 to 1.
    func forEachPixel(of planes: PixelConverter.Planes, _ body: (Int, SIMD3<Float>) -> Void) {
        let area = planes.samples.count / planes.count
        planes.samples.withUnsafeBufferPointer { samples in
            for pixel in 0..<area {
                let codes = SIMD4<Float>(
                    Float(samples[pixel]), Float(samples[area + pixel]), Float(samples[2 * area + pixel]), 1)
                let rgb = SIMD3(
                    (rows[0] * codes).sum(), (rows[1] * codes).sum(), (rows[2] * codes).sum())
                body(pixel, rgb.clamped(lowerBound: .zero, upperBound: .one))
            }
        }
    }
}

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
