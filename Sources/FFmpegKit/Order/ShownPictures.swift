internal import MediaContainers
internal import MediaCore

/// Tells which packets of a video stream give a picture that is shown when the
/// stream is decoded from its beginning; nothing is decoded.
///
/// Not shown are pictures outside the edit list, hidden ones that others are
/// predicted from, what precedes the first picture at which decoding can start,
/// and leading pictures whose references are not there. Two fields in two
/// packets are one picture. A picture that is damaged counts.
package struct ShownPictures {
    private let codec: Codec
    private let classifier: EntryClassifier
    private let units: NALUnits
    private let parser: PictureParser?
    private var mpeg4: MPEG4PictureReader
    /// Whether a picture was found at which decoding can start.
    package private(set) var hasStarted = false
    /// Where decoding starts, in order of presentation.
    private var start: Int64?
    /// Whether pictures before it can be had.
    private var hasLeading = true
    /// The packets from there to the last one whose picture precedes the first
    /// one, where only decoding tells whether those pictures can be had.
    package private(set) var leading: [Packet] = []
    private var isLeading = false
    private var skipsLeading = false
    /// Pictures that others may be predicted from, in codecs where such pictures alone decide about leading ones.
    private var anchorCount = 0
    private var isBidirectional = false
    /// Whether a sequence of HEVC begins with the next entry point, as it does with the first.
    private var beginsSequence = true
    /// The field whose other one is still to come.
    private var openField: PictureParser.Picture.Structure?

    init(_ stream: StreamInfo, parser: PictureParser?) {
        codec = stream.codec
        classifier = EntryClassifier(
            codec: codec, extradata: stream.extradata, isIntraOnly: stream.video?.isIntraOnly ?? false)
        units = NALUnits(codec: codec, extradata: stream.extradata)
        self.parser = codec == .h264 && stream.video?.fieldOrder != .progressive ? parser : nil
        mpeg4 = MPEG4PictureReader(extradata: codec == .mpeg4 ? stream.extradata : [])
    }

    /// Takes the stream's next packet, in decoding order.
    ///
    /// - Returns: Whether a picture is shown that begins with this packet.
    package mutating func shows(_ packet: Packet) -> Bool {
        // Each look at a packet is taken whatever the others say: they keep what later ones need.
        let isPicture = packet.withBytes { givesPicture($0) }
        let isSecondField = isSecondField(packet)
        let isReachable = isReachable(packet)
        return isPicture && !isSecondField && isReachable && !packet.isDiscarded
    }

    // MARK: Whether there is a picture

    private mutating func givesPicture(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch codec {
        case .vp8: return bytes.first.map { $0 & 0x10 != 0 } ?? false
        case .vp9: return VP9Frames.isShown(in: bytes)
        case .mpeg4:
            let picture = mpeg4.next(bytes)
            isBidirectional = picture?.isBidirectional ?? false
            return picture != nil
        case .mpeg1Video, .mpeg2Video:
            isBidirectional = CodedPicture.mpegVideo(bytes)?.isBidirectional ?? false
            return true
        default: return true
        }
    }

    private mutating func isSecondField(_ packet: Packet) -> Bool {
        guard let parser else { return false }
        let structure = parser.parse(packet).structure
        guard structure == .topField || structure == .bottomField, fieldCount(of: packet) == 1 else {
            openField = nil
            return false
        }
        if let first = openField, first != structure {
            openField = nil
            return true
        }
        openField = structure
        return false
    }

    /// Coded pictures of H.264 in a packet: slices that begin with the first macroblock.
    private func fieldCount(of packet: Packet) -> Int {
        var count = 0
        packet.withBytes { bytes in
            units.forEach(in: bytes) { unit in
                let type = unit[unit.startIndex] & 0x1f
                if type == 1 || type == 5, unit.count > 1, unit[unit.startIndex + 1] & 0x80 != 0 { count += 1 }
                return true
            }
        }
        return count
    }

    // MARK: Whether decoding reaches it

    private mutating func isReachable(_ packet: Packet) -> Bool {
        guard EntryClassifier.readsPictures(of: codec) else { return true }
        let ticks = packet.presentationTicks ?? packet.decodeTicks
        if !hasStarted {
            let entry = classifier.classify(packet)
            guard entry != .none else { return false }
            hasStarted = true
            start = ticks
            hasLeading = hasClosedStart(packet, entry)
            anchorCount = 1
            isLeading = codec == .h264 && entry != .clean
            if isLeading { leading.append(packet) }
            if codec == .hevc { return isReachableHEVC(packet) }
            return true
        }
        if codec == .hevc { return isReachableHEVC(packet) }
        if codec.has(.isOrderedByAnchors) { return isReachableByAnchors() }
        guard let start, !hasLeading, let ticks else { return true }
        if isLeading { followLeading(packet, ticks, start: start) }
        return ticks >= start
    }

    /// Pictures between the first two anchors in decoding order are predicted from one before the first, whatever
    /// times a copy has given them.
    private mutating func isReachableByAnchors() -> Bool {
        if !isBidirectional { anchorCount = min(2, anchorCount + 1) }
        return anchorCount > 1 || hasLeading
    }

    /// The most packets from an entry point to the last of its leading pictures.
    private static let leadingLimit = 64

    private mutating func followLeading(_ packet: Packet, _ ticks: Int64, start: Int64) {
        isLeading = leading.count < Self.leadingLimit && packet.decodeTicks.map { $0 < start } ?? false
        if isLeading { leading.append(packet) }
    }

    /// Whether a packet's picture precedes the one at which decoding starts.
    package func isLeading(ticks: Int64) -> Bool { start.map { ticks < $0 } ?? false }

    /// Whether pictures that precede the first one can be decoded without what came before it.
    private func hasClosedStart(_ packet: Packet, _ entry: EntryClassifier.Entry) -> Bool {
        switch codec {
        case .mpeg1Video, .mpeg2Video: packet.withBytes { MPEGVideoGroup.isClosed(in: $0) }
        // Pictures may precede an IDR picture in presentation; they refer to nothing before it.
        case .h264: entry == .clean
        case .mpeg4: false
        default: true
        }
    }

    /// Leading pictures of HEVC that refer to what lies before their entry point
    /// (RASL) are not decoded where decoding starts there (ITU-T H.265, 8.1.3).
    private mutating func isReachableHEVC(_ packet: Packet) -> Bool {
        let types = sliceTypes(of: packet)
        if types.contains(where: { $0 == 36 || $0 == 37 }) { beginsSequence = true }
        guard let slice = types.first(where: { $0 < 32 }) else { return true }
        if (16...21).contains(slice) {
            skipsLeading = slice <= 18 || slice == 21 && beginsSequence
            beginsSequence = false
        }
        return !(skipsLeading && (slice == 8 || slice == 9))
    }

    private func sliceTypes(of packet: Packet) -> [UInt8] {
        var types: [UInt8] = []
        packet.withBytes { bytes in
            units.forEach(in: bytes) { unit in
                types.append(unit[unit.startIndex] >> 1 & 0x3f)
                return types.count < 64
            }
        }
        return types
    }
}

/// The header of a group of pictures of MPEG-1 and MPEG-2 (ISO/IEC 13818-2, 6.2.2.6).
enum MPEGVideoGroup {
    /// Whether the first group in a packet needs nothing from before it.
    static func isClosed(in bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while let start = NALUnits.startCode(in: bytes, from: position) {
            guard start + 4 < bytes.count else { return false }
            if bytes[start] == 0xb8 { return bytes[start + 4] & 0x40 != 0 }
            position = start
        }
        return false
    }
}

/// The frames of a packet of VP9 (VP9 bitstream specification, 6.2 and annex B).
enum VP9Frames {
    /// Whether one of them is shown.
    static func isShown(in bytes: UnsafeRawBufferPointer) -> Bool {
        guard let sizes = superframe(in: bytes) else { return isShown(frame: bytes) }
        var position = 0
        for size in sizes {
            guard size > 0, position + size <= bytes.count else { return true }
            if isShown(frame: UnsafeRawBufferPointer(rebasing: bytes[position..<(position + size)])) { return true }
            position += size
        }
        return false
    }

    private static func isShown(frame bytes: UnsafeRawBufferPointer) -> Bool {
        var bits = BitReader(bytes: bytes)
        guard bits.read(2) == 2, let low = bits.read(1), let high = bits.read(1) else { return true }
        if low == 1, high == 1 { _ = bits.read(1) }
        if bits.readFlag() == true { return true }
        guard bits.read(1) != nil, let isShown = bits.readFlag() else { return true }
        return isShown
    }

    private static func superframe(in bytes: UnsafeRawBufferPointer) -> [Int]? {
        guard let marker = bytes.last, marker & 0xe0 == 0xc0 else { return nil }
        let (count, width) = (Int(marker & 7) + 1, Int(marker >> 3 & 3) + 1)
        let length = 2 + count * width
        guard bytes.count > length, bytes[bytes.count - length] == marker else { return nil }
        let index = bytes[(bytes.count - length + 1)..<(bytes.count - 1)]
        return (0..<count).map { frame in
            (0..<width).reduce(0) { $0 | Int(index[index.startIndex + frame * width + $1]) << (8 * $1) }
        }
    }
}
