package import MediaFile

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

    /// Degrees counterclockwise, above -180 up to 180.
    package var roll: Double
    /// Whether left and right change places, before the turn.
    package var isMirrored: Bool
    package var crop: Crop
    /// Whether the file says how large the picture is shown once it is cropped.
    package private(set) var hasDisplaySize = false

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
        let children = content.tracksElement.filter { $0.id != MatroskaID.crc32 }.map { node -> [UInt8] in
            let number = node.id == MatroskaID.trackEntry ? node.children.first(MatroskaID.trackNumber)?.unsigned : nil
            guard let number = number.flatMap({ Int64(exactly: $0) }), let shape = shapes[number] else {
                return Array(node.bytes)
            }
            let fields = node.children.map { field in
                field.id == MatroskaID.video
                    ? EBMLWriter.element(MatroskaID.video, shape.applied(to: field.children)) : Array(field.bytes)
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
    private func applied(to video: [EBMLNode]) -> [UInt8] {
        let old = Set([
            MatroskaID.pixelCropLeft, MatroskaID.pixelCropTop, MatroskaID.pixelCropRight, MatroskaID.pixelCropBottom,
            MatroskaID.crc32, MatroskaID.void,
        ])
        let replacesProjection = roll != 0 || isMirrored
        var elements = video.compactMap { node -> [UInt8]? in
            if old.contains(node.id) || replacesProjection && node.id == MatroskaID.projection { return nil }
            return display(node, video) ?? Array(node.bytes)
        }
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

    /// The size as shown, which is that of what is left after cropping; `nil` for other elements.
    private func display(_ node: EBMLNode, _ video: [EBMLNode]) -> [UInt8]? {
        func scaled(by total: UInt32, less rows: Int) -> [UInt8]? {
            guard !crop.isEmpty, let shown = node.unsigned, let all = video.first(total)?.unsigned, all > UInt64(rows),
                all < 1 << 24, shown < 1 << 32
            else { return nil }
            return EBMLWriter.unsigned(node.id, (shown * (all - UInt64(rows)) + all / 2) / all)
        }
        switch node.id {
        case MatroskaID.displayWidth: return scaled(by: MatroskaID.pixelWidth, less: crop.left + crop.right)
        case MatroskaID.displayHeight: return scaled(by: MatroskaID.pixelHeight, less: crop.top + crop.bottom)
        default: return nil
        }
    }

    /// An angle above -180 up to 180 degrees.
    package static func normalized(_ degrees: Double) -> Double {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        return rest > 180 ? rest - 360 : rest <= -180 ? rest + 360 : rest
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
