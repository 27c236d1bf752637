internal import MediaContainers
package import MediaIO
package import MediaMetadata

/// How the pictures of a Matroska track are to be turned and cropped to be seen.
///
/// FFmpeg 5.1 reads turns, and writes nothing of this.
///
/// Source: RFC 9559, 5.1.4.1.28: a roll turns flat pictures counterclockwise, a yaw of 180 degrees mirrors them
/// before that.
package struct MatroskaPictureShape: Hashable, Sendable {
    /// Rows and columns that are not to be seen.
    package struct Crop: Hashable, Sendable {
        package var left: Int
        package var top: Int
        package var right: Int
        package var bottom: Int

        package init(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) {
            (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
        }

        var isEmpty: Bool { self == Crop() }
    }

    /// Width and height in any unit.
    package struct Size: Hashable, Sendable {
        package var width: Int
        package var height: Int
    }

    /// Degrees counterclockwise, above -180 up to 180.
    package var roll: Double
    /// Whether left and right change places, before the turn.
    package var isMirrored: Bool
    package var crop: Crop
    /// Whether the file says how large the picture is shown once it is cropped.
    package private(set) var hasDisplaySize = false
    /// What that is, of pictures that are not stereo; `nil` if the file does not say.
    package private(set) var displayRatio: Size?

    package init(roll: Double = 0, isMirrored: Bool = false, crop: Crop = Crop()) {
        (self.roll, self.isMirrored, self.crop) = (roll, isMirrored, crop)
    }

    /// Whether pictures are seen as they are stored.
    package var isPlain: Bool { roll == 0 && !isMirrored && crop.isEmpty }

    // MARK: Files

    /// The shapes of a file's tracks in their order, `nil` for tracks of anything but pictures.
    ///
    /// - Returns: Nothing for what is no Matroska file, or cannot be read.
    package static func shapes(of file: RandomAccessFile) -> [MatroskaPictureShape?] {
        guard let segment = try? MatroskaSegment(file) else { return [] }
        let entries = MatroskaContent(segment).tracksElement.all(MatroskaID.trackEntry)
        return entries.map { entry in
            let fields = entry.children
            guard fields.first(MatroskaID.trackType)?.unsigned == 1, let video = fields.first(MatroskaID.video) else {
                return nil
            }
            return MatroskaPictureShape(video.children)
        }
    }

    /// The file with other shapes.
    ///
    /// - Parameter shapes: By the number of the track.
    package static func rewrite(
        _ file: RandomAccessFile, shapes: [Int64: MatroskaPictureShape]
    ) throws(MetadataError) -> FileRewrite {
        let segment = try MatroskaSegment(file)
        let content = MatroskaContent(segment)
        let isWebM = segment.docType == "webm"
        let children = content.tracksElement.filter { $0.id != MatroskaID.crc32 }.map { node -> [UInt8] in
            let number = node.id == MatroskaID.trackEntry ? node.children.first(MatroskaID.trackNumber)?.unsigned : nil
            guard let number = number.flatMap({ Int64(exactly: $0) }), let shape = shapes[number] else {
                return Array(node.bytes)
            }
            let fields = node.children.map { field in
                field.id == MatroskaID.video
                    ? EBMLWriter.element(MatroskaID.video, shape.applied(to: field.children, isWebM: isWebM))
                    : Array(field.bytes)
            }
            return EBMLWriter.element(MatroskaID.trackEntry, Array(fields.joined()))
        }
        let change = MatroskaChange(
            id: MatroskaID.tracks, old: Array(segment.all(MatroskaID.tracks).prefix(1)),
            content: [.bytes(Array(children.joined()))], hasChecksum: content.withChecksum.contains(MatroskaID.tracks))
        return try MatroskaPlan.rewrite(segment, changes: [change])
    }

    // MARK: Elements

    /// The shape that the elements of a track's video settings say.
    private init(_ video: [EBMLNode]) {
        self.init()
        hasDisplaySize = video.first(MatroskaID.displayWidth) != nil && video.first(MatroskaID.displayHeight) != nil
        if let display = Display(video), video.first(MatroskaID.stereoMode)?.unsigned ?? 0 == 0 {
            displayRatio = Size(width: Int(display.width), height: Int(display.height))
        }
        func rows(_ id: UInt32) -> Int { video.first(id)?.unsigned.flatMap { Int(exactly: min($0, 1 << 20)) } ?? 0 }
        crop = Crop(
            left: rows(MatroskaID.pixelCropLeft), top: rows(MatroskaID.pixelCropTop),
            right: rows(MatroskaID.pixelCropRight), bottom: rows(MatroskaID.pixelCropBottom))
        guard let pose = video.first(MatroskaID.projection)?.children,
            pose.first(MatroskaID.projectionType)?.unsigned ?? 0 == 0
        else { return }
        func degrees(_ id: UInt32) -> Double { pose.first(id)?.real.flatMap { $0.isFinite ? $0 : nil } ?? 0 }
        let (yaw, pitch) = (degrees(MatroskaID.projectionPoseYaw), degrees(MatroskaID.projectionPosePitch))
        guard [0, 180].contains(abs(yaw)), [0, 180].contains(abs(pitch)) else { return }
        // Upside down is mirrored and turned half round.
        isMirrored = (yaw != 0) != (pitch != 0)
        roll = Self.normalized(degrees(MatroskaID.projectionPoseRoll) + (pitch != 0 ? 180 : 0))
    }

    /// The elements of a track's video settings with this shape.
    private func applied(to video: [EBMLNode], isWebM: Bool) -> [UInt8] {
        let display = crop.isEmpty ? nil : Display(video)?.cropped(by: crop, of: video, isWebM: isWebM)
        var old = Set([
            MatroskaID.pixelCropLeft, MatroskaID.pixelCropTop, MatroskaID.pixelCropRight, MatroskaID.pixelCropBottom,
            MatroskaID.crc32, MatroskaID.void,
        ])
        if display != nil {
            old.formUnion([MatroskaID.displayWidth, MatroskaID.displayHeight, MatroskaID.displayUnit])
        }
        let replacesProjection = roll != 0 || isMirrored
        var elements = video.compactMap { node -> [UInt8]? in
            if old.contains(node.id) || replacesProjection && node.id == MatroskaID.projection { return nil }
            return Array(node.bytes)
        }
        if let display { elements.append(display.elements) }
        for (id, rows) in [
            (MatroskaID.pixelCropBottom, crop.bottom), (MatroskaID.pixelCropTop, crop.top),
            (MatroskaID.pixelCropLeft, crop.left), (MatroskaID.pixelCropRight, crop.right),
        ] where rows > 0 { elements.append(EBMLWriter.unsigned(id, UInt64(rows))) }
        if replacesProjection {
            elements.append(
                EBMLWriter.element(
                    MatroskaID.projection,
                    EBMLWriter.unsigned(MatroskaID.projectionType, 0)
                        + EBMLWriter.real(MatroskaID.projectionPoseYaw, isMirrored ? 180 : 0)
                        + EBMLWriter.real(MatroskaID.projectionPosePitch, 0)
                        + EBMLWriter.real(MatroskaID.projectionPoseRoll, roll)))
        }
        return Array(elements.joined())
    }

    /// An angle above -180 up to 180 degrees.
    package static func normalized(_ degrees: Double) -> Double {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        return rest > 180 ? rest - 360 : rest <= -180 ? rest + 360 : rest
    }
}

/// The size at which the pictures of a track are shown, which is that of what cropping leaves.
///
/// Source: RFC 9559, 5.1.4.1.28.13 to 5.1.4.1.28.15.
private struct Display {
    private static let ratio: UInt64 = 3
    private static let unknown: UInt64 = 4
    /// Beyond any picture, and small enough to multiply three of them.
    private static let limit: UInt64 = 1 << 20

    var width: UInt64
    var height: UInt64
    var unit: UInt64

    init?(_ video: [EBMLNode]) {
        unit = video.first(MatroskaID.displayUnit)?.unsigned ?? 0
        guard let width = video.first(MatroskaID.displayWidth)?.unsigned, (1..<Self.limit).contains(width),
            let height = video.first(MatroskaID.displayHeight)?.unsigned, (1..<Self.limit).contains(height),
            unit < Self.unknown
        else { return nil }
        (self.width, self.height) = (width, height)
    }

    /// The size of a part of pictures that have this one as a whole.
    func cropped(by crop: MatroskaPictureShape.Crop, of video: [EBMLNode], isWebM: Bool) -> Display? {
        guard let columns = video.first(MatroskaID.pixelWidth)?.unsigned, (1..<Self.limit).contains(columns),
            let rows = video.first(MatroskaID.pixelHeight)?.unsigned, (1..<Self.limit).contains(rows),
            let left = UInt64(exactly: Int(columns) - crop.left - crop.right), left > 0,
            let high = UInt64(exactly: Int(rows) - crop.top - crop.bottom), high > 0
        else { return nil }
        var part = self
        let isWhole = width * left % columns == 0 && height * high % rows == 0
        // WebM has pixels only.
        if unit != Self.ratio, isWhole || isWebM {
            part.width = max(1, (width * left + columns / 2) / columns)
            part.height = max(1, (height * high + rows / 2) / rows)
            return part
        }
        let (horizontal, vertical) = (width * left * rows, height * high * columns)
        var (divisor, rest) = (horizontal, vertical)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        (part.width, part.height, part.unit) = (horizontal / divisor, vertical / divisor, Self.ratio)
        return part
    }

    var elements: [UInt8] {
        EBMLWriter.unsigned(MatroskaID.displayWidth, width) + EBMLWriter.unsigned(MatroskaID.displayHeight, height)
            + (unit == 0 ? [] : EBMLWriter.unsigned(MatroskaID.displayUnit, unit))
    }
}

extension EBMLNode {
    /// The content as a number with a fraction, `nil` if it is none.
    fileprivate var real: Double? {
        switch content.count {
        case 0: 0
        case 4: unsigned.flatMap { UInt32(exactly: $0) }.map { Double(Float(bitPattern: $0)) }
        case 8: unsigned.map { Double(bitPattern: $0) }
        default: nil
        }
    }
}

extension EBMLWriter {
    /// An element that is a number with a fraction.
    fileprivate static func real(_ id: UInt32, _ value: Double) -> [UInt8] {
        element(id, number(value.bitPattern, width: 8))
    }
}
