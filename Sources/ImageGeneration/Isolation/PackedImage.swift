internal import MediaAsset
internal import MediaCore
internal import MediaIO
internal import MediaImage

/// What an image is but for its pixels, which lie in memory that two processes have.
struct ImageHeader: MessageValue {
    let size: PixelSize
    let bitsPerComponent: Int
    let hasAlpha: Bool
    let colorSpace: String

    /// Bytes of the pixels.
    var byteCount: Int { size.width * size.height * (hasAlpha ? 4 : 3) * bitsPerComponent / 8 }

    init(_ image: CGImage) {
        size = PixelSize(width: image.width, height: image.height)
        (bitsPerComponent, hasAlpha) = (image.bitsPerComponent, image.hasAlpha)
        colorSpace = image.colorSpace?.name ?? CGColorSpace.sRGB
    }

    func write(to message: inout MessageWriter) {
        message.put(size)
        message.put(bitsPerComponent)
        message.put(hasAlpha)
        message.put(colorSpace)
    }

    init(from message: inout MessageReader) throws(MessageError) {
        (size, bitsPerComponent) = (try message.value(), try message.integer())
        (hasAlpha, colorSpace) = (try message.flag(), try message.text())
        guard size.width > 0, size.height > 0, [8, 16].contains(bitsPerComponent) else { throw MessageError() }
    }
}

/// What a worker's pictures can be like, by what was asked for.
struct PictureBounds: Sendable {
    private let boxes: [PixelSize]
    private let fit: AVAssetImageGenerator.Fit
    /// Pixels of one picture where no box bounds it.
    private let mostPixels: Int
    /// libavutil refuses larger pictures.
    private static let largest = 1 << 28
    /// Pixels that are not square are stretched at most so much.
    private static let mostStretch = 16

    init(_ settings: StillSettings, _ limits: MediaLimits) {
        (boxes, fit) = (settings.boxes, settings.fit)
        mostPixels = min(Self.largest, Int(limits.pixels) * Self.mostStretch)
    }

    /// The most bytes of the pictures of one frame.
    var byteCount: Int { boxes.reduce(0) { $0 + 8 * area(of: $1) } }

    private func area(of box: PixelSize) -> Int {
        box.width > 0 && box.height > 0 ? min(Self.largest, box.width * box.height) : mostPixels
    }

    /// Whether pictures have the sizes that were asked for.
    func allow(_ images: [ImageHeader]) -> Bool {
        guard images.count == boxes.count else { return false }
        return zip(images, boxes).allSatisfy { image, box in
            let (pixels, overflow) = image.size.width.multipliedReportingOverflow(by: image.size.height)
            guard !overflow, pixels <= area(of: box) else { return false }
            if fit != .contain, box.width > 0, box.height > 0 { return image.size == box }
            return (box.width == 0 || image.size.width <= box.width)
                && (box.height == 0 || image.size.height <= box.height)
        }
    }
}

extension SealedMemory {
    /// The pixels of some images, one after the other.
    convenience init(_ images: [CGImage]) throws(ChannelError) { try self.init(images.map(\.pixels)) }

    /// The images whose pixels lie there, one after the other and nothing else.
    func images(_ headers: [ImageHeader]) throws -> [CGImage] {
        guard headers.reduce(0, { $0 + $1.byteCount }) == byteCount else { throw MessageError() }
        var start = 0
        return try headers.map { header in
            defer { start += header.byteCount }
            return try header.image(try read(start..<(start + header.byteCount)))
        }
    }
}

extension ImageHeader {
    /// The image with these pixels.
    func image(_ pixels: [UInt8]) throws -> CGImage {
        guard let space = CGColorSpace(name: colorSpace), !space.isGrey,
            let image = CGImage(
                width: size.width, height: size.height, hasAlpha: hasAlpha, pixels: pixels,
                bitsPerComponent: bitsPerComponent, colorSpace: space)
        else { throw MessageError() }
        return image
    }
}

extension CGImage {
    /// The images whose pixels lie one after the other in a record, and nothing else.
    static func images(_ headers: [ImageHeader], in bytes: ArraySlice<UInt8>) throws -> [CGImage] {
        var rest = bytes
        let images = try headers.map { header in
            let (area, overflow) = header.size.width.multipliedReportingOverflow(by: header.size.height)
            guard !overflow, area <= bytes.count, header.byteCount <= rest.count else { throw MessageError() }
            defer { rest = rest.dropFirst(header.byteCount) }
            return try header.image(Array(rest.prefix(header.byteCount)))
        }
        guard rest.isEmpty else { throw MessageError() }
        return images
    }
}

/// What became of one requested time, as a worker tells it; pixels lie in memory besides.
struct StillAnswer: MessageValue {
    enum Outcome: Sendable {
        case still(StillFacts, images: [ImageHeader])
        case failure(ErrorMessage)
    }

    /// The request's position in the caller's list.
    let index: Int
    let outcome: Outcome

    init(index: Int, _ outcome: Outcome) { (self.index, self.outcome) = (index, outcome) }

    func write(to message: inout MessageWriter) {
        message.put(index)
        switch outcome {
        case .still(let facts, let images):
            message.put(0)
            message.put(facts)
            message.put(images)
        case .failure(let error):
            message.put(1)
            message.put(error)
        }
    }

    init(from message: inout MessageReader) throws(MessageError) {
        index = try message.integer()
        switch try message.integer(Int.self) {
        case 0: outcome = .still(try message.value(), images: try message.values())
        case 1: outcome = .failure(try message.value())
        default: throw MessageError()
        }
    }
}

/// A still without its pictures.
struct StillFacts: MessageValue {
    let actualTime: CMTime
    let duration: CMTime
    let isSyncSample: Bool
    let isExact: Bool
    let damage: String?
    let choice: RepresentativeChoice?

    init(_ still: Still) {
        (actualTime, duration) = (still.actualTime, still.duration)
        (isSyncSample, isExact) = (still.isSyncSample, still.isExact)
        (damage, choice) = (still.damage, still.choice)
    }

    /// The still that was asked for.
    func still(for entry: StillPlan.Entry, images: [CGImage]) -> Still {
        Still(
            index: entry.index, requestedTime: entry.requestedTime, actualTime: actualTime, duration: duration,
            isSyncSample: isSyncSample, isExact: isExact, damage: damage, choice: choice, images: images)
    }

    func write(to message: inout MessageWriter) {
        message.put(actualTime)
        message.put(duration)
        message.put(isSyncSample)
        message.put(isExact)
        message.put(damage)
        message.put(choice)
    }

    init(from message: inout MessageReader) throws(MessageError) {
        (actualTime, duration) = (try message.value(), try message.value())
        (isSyncSample, isExact) = (try message.flag(), try message.flag())
        (damage, choice) = (try message.optionalText(), try message.optionalValue())
        guard actualTime.isNumeric else { throw MessageError() }
    }
}

/// A still that is about to go to another process, packed on the thread that decoded it.
struct PackedStill: Sendable {
    let answer: StillAnswer
    let memory: SealedMemory

    init(_ still: Still) throws {
        answer = StillAnswer(
            index: still.index, .still(StillFacts(still), images: still.images.map(ImageHeader.init)))
        memory = try SealedMemory(still.images)
    }
}
