internal import FFmpegKit
internal import MediaCore
internal import MediaIO

/// Decodes the images of one file, one after the other.
///
/// Images of animations are made of those before them: the reader goes on where it stands, and begins again for one
/// that lies before.
final class PictureReader {
    private let input: MediaInput
    private let policy = SafetyPolicy()
    private var demuxer: Demuxer?
    private var run: Run?
    private let converter = PixelConverter()

    init(_ input: MediaInput) { self.input = input }

    /// What is decoded of one stream, and the number of the picture that comes next.
    private final class Run {
        let decoder: Decoder
        var next = 0
        var hasEnded = false
        var number: Int64 = 0
        init(decoder: Decoder) { self.decoder = decoder }
    }

    /// What the file says of the picture without its being decoded.
    struct Facts {
        var width: Int, height: Int
        /// Bits of one component.
        var depth: Int
        var isGrey: Bool, isIndexed: Bool, hasAlpha: Bool
    }

    /// - Returns: `nil` if it is no file that can be read.
    func facts() -> Facts? {
        guard let demuxer = try? opened() else { return nil }
        let streams = Self.streams(of: demuxer)
        guard let index = streams.color, let video = demuxer.streams[index].video, video.width > 0, video.height > 0
        else { return nil }
        let format = video.pixelFormat.flatMap { PixelFormatFacts(named: $0) }
        return Facts(
            width: video.width, height: video.height, depth: format?.depth ?? 8, isGrey: format?.isGrey ?? false,
            isIndexed: video.pixelFormat == "pal8" || demuxer.streams[index].codec == .gif,
            hasAlpha: video.hasAlpha || format?.hasAlpha == true || streams.alpha != nil)
    }

    /// How many pictures the stream has; all of it is read.
    func packetCount(limit: Int) -> Int {
        guard let demuxer = try? open(), let index = Self.streams(of: demuxer).color else { return 0 }
        demuxer.select(streams: [index])
        var count = 0
        while count < limit, (try? demuxer.readPacket()) != nil { count += 1 }
        return count
    }

    /// An image, not turned; `nil` if it cannot be decoded undamaged.
    func image(at index: Int) -> CGImage? {
        guard index >= 0, let picture = try? frame(at: index) else { return nil }
        return try? image(of: picture.color, alpha: picture.alpha)
    }

    // MARK: Decoding

    private func open() throws -> Demuxer {
        let interrupt = Interrupt()
        let demuxer = try Demuxer.open(input, policy: policy, interrupt: interrupt)
        interrupt.setDeadline(after: policy.requestTimeout)
        return demuxer
    }

    private func opened() throws -> Demuxer {
        if let demuxer { return demuxer }
        let demuxer = try open()
        self.demuxer = demuxer
        return demuxer
    }

    /// The stream of the picture, and that of its alpha, where that is a picture of its own.
    private static func streams(of demuxer: Demuxer) -> (color: Int?, alpha: Int?) {
        let pictures = demuxer.streams.filter { $0.video != nil }
        guard let color = pictures.max(by: { area($0) < area($1) }) ?? pictures.first else { return (nil, nil) }
        let alpha = pictures.first {
            $0.index != color.index && area($0) == area(color) && isGrey($0) && demuxer.container.has(.isMovie)
        }
        return (color.index, alpha?.index)
    }

    private static func area(_ stream: StreamInfo) -> Int { stream.video.map { $0.width * $0.height } ?? 0 }

    private static func isGrey(_ stream: StreamInfo) -> Bool {
        stream.video.flatMap { $0.pixelFormat }.flatMap { PixelFormatFacts(named: $0) }?.isGrey == true
    }

    private func frame(at index: Int) throws -> (color: Frame, alpha: Frame?)? {
        if run == nil || (run?.next ?? 0) > index { try restart() }
        guard let demuxer, let run else { return nil }
        demuxer.interrupt.setDeadline(after: policy.requestTimeout)
        guard let color = try frame(at: index, run, demuxer) else {
            self.run = nil
            return nil
        }
        // A second stream is read again from its beginning: packets of both lie between one another.
        guard let alphaStream = Self.streams(of: demuxer).alpha else { return (color, nil) }
        let second = try open()
        let alphaRun = Run(decoder: try second.makeDecoder(stream: alphaStream))
        second.select(streams: [alphaStream])
        return (color, try frame(at: index, alphaRun, second))
    }

    private func restart() throws {
        let demuxer = try open()
        self.demuxer = demuxer
        guard let index = Self.streams(of: demuxer).color else {
            run = nil
            return
        }
        demuxer.select(streams: [index])
        run = Run(decoder: try demuxer.makeDecoder(stream: index))
    }

    private func frame(at index: Int, _ run: Run, _ demuxer: Demuxer) throws -> Frame? {
        var packets = 0
        while packets < policy.maximumPackets {
            let (output, complaint) = try run.decoder.receive()
            switch output {
            case .frame(let frame):
                run.next += 1
                guard run.next > index else { continue }
                return complaint == nil && frame.damage == nil ? frame : nil
            case .end: return nil
            case .needsPacket:
                if complaint != nil { return nil }
                guard !run.hasEnded else { return nil }
                let packet = try demuxer.readPacket()
                run.hasEnded = packet == nil
                run.number += 1
                packets += 1
                if try run.decoder.send(packet, number: run.number) != nil { return nil }
            }
        }
        return nil
    }

    // MARK: Pixels

    private func image(of frame: Frame, alpha: Frame?) throws -> CGImage? {
        let facts = PixelFormatFacts(named: frame.pixelFormat)
        let none = PixelConverter.Crop(left: 0, top: 0, right: 0, bottom: 0)
        let (width, height) = (frame.width, frame.height)
        if let facts, facts.isRGB, facts.depth > 8 {
            let planes = try converter.planes(
                of: frame, crop: none, width: width, height: height, keepsAlpha: frame.hasAlpha)
            return CGImage(
                width: width, height: height, pixels: Self.packed(planes),
                format: .file(hasAlpha: frame.hasAlpha, bitsPerComponent: 16), colorSpace: frame.pictureSpace)
        }
        let pixels = try converter.rgb(
            of: frame, crop: none, width: width, height: height, keepsAlpha: frame.hasAlpha)
        if facts?.isGrey == true, !frame.hasAlpha, alpha == nil,
            let grey = PixelFormat(bitsPerComponent: 8, bitsPerPixel: 8, bitmapInfo: [], isGrey: true)
        {
            return CGImage(
                width: width, height: height, pixels: pixels, format: grey,
                colorSpace: CGColorSpace(name: CGColorSpace.genericGrayGamma2_2))
        }
        let image = CGImage(
            width: width, height: height, pixels: pixels,
            format: .file(hasAlpha: frame.hasAlpha, bitsPerComponent: 8), colorSpace: frame.pictureSpace)
        guard let alpha, let image else { return image }
        let samples = try PixelConverter().rgb(
            of: alpha, crop: none, width: width, height: height, keepsAlpha: false)
        let joined = image.with(alpha: stride(from: 0, to: samples.count, by: 3).map { samples[$0] })
        return joined.flatMap {
            CGImage(
                width: width, height: height, pixels: $0.pixels, format: .file(hasAlpha: true, bitsPerComponent: 8),
                colorSpace: frame.pictureSpace)
        }
    }

    /// Green, blue and red planes as packed pixels of 16 bits.
    private static func packed(_ planes: PixelConverter.Planes) -> [UInt8] {
        let area = planes.samples.count / planes.count
        return [UInt8](unsafeUninitializedCapacity: planes.samples.count * 2) { buffer, count in
            let target = UnsafeMutableRawBufferPointer(buffer)
            let order = [2, 0, 1, 3]
            var place = 0
            for pixel in 0..<area {
                for index in 0..<planes.count {
                    let code = planes.samples[order[index] * area + pixel]
                    target.storeBytes(of: code, toByteOffset: place, as: UInt16.self)
                    place += 2
                }
            }
            count = place
        }
    }
}

extension Frame {
    /// What the components mean once they are RGB.
    var pictureSpace: CGColorSpace? {
        let name: String =
            switch (widePrimaries, hdrTransfer) {
            case (.displayP3, nil): CGColorSpace.displayP3
            case (.bt2020, nil): CGColorSpace.itur_2020_sRGBGamma
            case (nil, nil): CGColorSpace.sRGB
            case (.displayP3, .pq): CGColorSpace.displayP3_PQ
            case (.displayP3, .hlg): CGColorSpace.displayP3_HLG
            case (.bt2020, .pq): CGColorSpace.itur_2100_PQ
            case (.bt2020, .hlg): CGColorSpace.itur_2100_HLG
            case (nil, .pq): CGColorSpace.itur_709_PQ
            case (nil, .hlg): CGColorSpace.itur_709_HLG
            }
        return CGColorSpace(name: name)
    }
}
