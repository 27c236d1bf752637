internal import CFFmpeg
internal import MediaContainers
internal import MediaIO

/// Tags that FFmpeg gets to see of a file that has very many.
///
/// It looks through all that it has of them for each that it reads: 20,000 would take seconds at every opening. Those
/// after the first ones are hidden from it, a run of them behind one header; our own readers read all of them. Pictures
/// stay, since they are tracks, but for those in ID3 tags of versions up to 2.3 with unsynchronised bytes, and for those
/// that thousands of other tags come before.
struct ManyTags {
    /// Tags that are not hidden.
    private static let visible = 512
    /// Runs that are hidden; each is a tag between pictures, or one on a level of its own.
    private static let maximumRuns = 256
    /// Tags whose lengths are looked at.
    private static let maximumWalked = 1 << 18
    /// ID3 tags in a row, chunks of a file, blocks of FLAC.
    private static let maximumParts = 64
    /// Bytes of a tag that has to be read whole to find its frames.
    private static let maximumUnsynchronized = 16 << 20
    /// Elements of Matroska's first level up to its media, and places that its index names.
    private static let maximumElements = 256

    private let file: RandomAccessFile
    private var patches: [oav_patch] = []
    private var runs = 0
    /// Tags so far, those that are hidden included, without pictures.
    private var seen = 0

    /// What makes a file's tags few, in its order.
    static func patches(in boxes: MovieBoxes) -> [oav_patch] {
        var tags = ManyTags(boxes.file)
        if boxes.all.isEmpty { tags.readTags() } else { tags.readMovie(boxes) }
        return tags.patches
    }

    private init(_ file: RandomAccessFile) { self.file = file }

    private mutating func readTags() {
        let head = file.read(at: 0, count: 12)
        if ["RIFF", "RF64", "BW64", "FORM"].contains(where: { head.starts(with: Array($0.utf8)) }) {
            // Tags of AVI are read by libavformat alone.
            guard ["WAVE", "AIFF", "AIFC"].contains(String(latin1: head.dropFirst(8))) else { return }
            return readChunks(isBigEndian: head[0] == UInt8(ascii: "F"))
        }
        let start = readID3(at: 0)
        let sign = file.read(at: start, count: 4)
        if sign == Array("fLaC".utf8) { readFLAC(at: start + 4) }
        if sign == OggPage.marker { readOgg(at: start) }
        if sign.bigEndian32(at: 0) == MatroskaID.ebml { readMatroska() }
    }

    // MARK: Hiding

    /// Puts bytes in place of a file's.
    private mutating func put(_ bytes: [UInt8], at position: UInt64) {
        let rest = bytes.count % 4 == 0 ? 0 : 4 - bytes.count % 4
        let whole = bytes + file.read(at: position + UInt64(bytes.count), count: rest)
        guard whole.count % 4 == 0, let offset = Int64(exactly: position) else { return }
        for place in stride(from: 0, to: whole.count, by: 4) {
            patches.append(
                oav_patch(
                    offset: offset + Int64(place),
                    bytes: (whole[place], whole[place + 1], whole[place + 2], whole[place + 3])))
        }
    }

    /// Hides those of a row of elements that come after the visible ones.
    ///
    /// - Parameters:
    ///   - next: Where the element at a place ends, and whether it stays in any case; `nil` for what is none.
    ///   - header: A header that skips so many bytes, itself among them; `nil` where there is none for them.
    private mutating func hide(
        in range: Range<UInt64>, next: (UInt64) -> (end: UInt64, stays: Bool)?, with header: (UInt64) -> [UInt8]?
    ) {
        var (position, count) = (range.lowerBound, 0)
        var start: UInt64?
        while let (end, stays) = next(position), end > position, end <= range.upperBound {
            count += 1
            if !stays { seen += 1 }
            if stays || seen <= Self.visible {
                if let start { hide(start..<position, with: header) }
                start = nil
            } else {
                start = start ?? position
            }
            position = end
            // What comes after that many is hidden unseen.
            if count >= Self.maximumWalked || runs >= Self.maximumRuns - 1 && start != nil {
                start = start ?? position
                position = range.upperBound
                break
            }
        }
        if let start, start < position { hide(start..<position, with: header) }
    }

    private mutating func hide(_ run: Range<UInt64>, with header: (UInt64) -> [UInt8]?) {
        guard runs < Self.maximumRuns, let bytes = header(run.length), bytes.count <= run.length else { return }
        runs += 1
        put(bytes, at: run.lowerBound)
    }

    // MARK: ID3

    /// Hides frames of the tags in a row, and gives where they end.
    private mutating func readID3(at start: UInt64) -> UInt64 {
        var position = start
        for _ in 0..<Self.maximumParts {
            let head = file.read(at: position, count: 10)
            guard head.count == 10, head.starts(with: Array("ID3".utf8)), (2...4).contains(head[3]) else { break }
            let size = Self.number(head[6..<10], bits: 7)
            hideFrames(in: (position + 10)..<(position + 10 + size), version: head[3], flags: head[5])
            position += 10 + size + (head[5] & 0x10 != 0 && head[3] == 4 ? 10 : 0)
        }
        return position
    }

    private mutating func hideFrames(in range: Range<UInt64>, version: UInt8, flags: UInt8) {
        if flags & 0x80 != 0, version < 4 { return hideUnsynchronized(range, version: version, flags: flags) }
        let pictures = ["PIC", "APIC"].map { Array($0.utf8) }
        let file = file
        let frames = firstFrame(of: file, in: range, version: version, flags: flags)..<range.upperBound
        hide(in: frames) { position in
            Self.frame(of: file, at: position, end: range.upperBound, version: version).map { name, end in
                (end, pictures.contains { name.starts(with: $0) })
            }
        } with: { count in
            let size = count - (version == 2 ? 6 : 10)
            switch version {
            case 2:
                guard size < 1 << 24 else { return nil }
                return Array("XXX".utf8) + [16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
            case 3: return Array("XXXX".utf8) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + [0, 0]
            default:
                return Array("XXXX".utf8) + [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: size >> $0) & 0x7F } + [
                    0, 0,
                ]
            }
        }
    }

    /// Makes a tag padding whose lengths are those of bytes before others were put between them, if it is long.
    private mutating func hideUnsynchronized(_ range: Range<UInt64>, version: UInt8, flags: UInt8) {
        var isLong = range.length > Self.maximumUnsynchronized
        if !isLong {
            var plain: [UInt8] = []
            var isAfterAll = false
            for byte in file.read(at: range.lowerBound, count: Int(range.length)) {
                if !isAfterAll || byte != 0 { plain.append(byte) }
                isAfterAll = byte == 0xFF
            }
            let (bytes, end) = (RandomAccessFile(bytes: plain), UInt64(plain.count))
            var position = firstFrame(of: bytes, in: 0..<end, version: version, flags: flags)
            while seen <= Self.visible, let frame = Self.frame(of: bytes, at: position, end: end, version: version) {
                (position, seen) = (frame.end, seen + 1)
            }
            isLong = seen > Self.visible
        }
        guard isLong else { return }
        put([flags & ~0xC0], at: range.lowerBound - 5)
        put([0, 0, 0, 0], at: range.lowerBound)
    }

    private func firstFrame(
        of file: RandomAccessFile, in range: Range<UInt64>, version: UInt8, flags: UInt8
    ) -> UInt64 {
        guard flags & 0x40 != 0, version > 2 else { return range.lowerBound }
        let size = Self.number(file.read(at: range.lowerBound, count: 4)[...], bits: version == 4 ? 7 : 8)
        return min(range.upperBound, range.lowerBound + size + (version == 4 ? 0 : 4))
    }

    /// The name of the frame at a place, and where it ends; `nil` if it is none.
    private static func frame(
        of file: RandomAccessFile, at position: UInt64, end: UInt64, version: UInt8
    ) -> (name: ArraySlice<UInt8>, end: UInt64)? {
        let length = version == 2 ? 6 : 10
        guard position + UInt64(length) <= end else { return nil }
        let head = file.read(at: position, count: length)
        guard head.count == length, head[0] != 0 else { return nil }
        var size = number(version == 2 ? head[3..<6] : head[4..<8], bits: version == 4 ? 7 : 8)
        let start = position + UInt64(length)
        // Some programs write plain sizes.
        if version == 4, size > 0x7F, !isFrame(file, at: start + size, end: end) {
            let plain = number(head[4..<8], bits: 8)
            if isFrame(file, at: start + plain, end: end) { size = plain }
        }
        return size <= end - start ? (head[..<(version == 2 ? 3 : 4)], start + size) : nil
    }

    /// Whether a frame, padding or the end of a tag is at a place.
    private static func isFrame(_ file: RandomAccessFile, at position: UInt64, end: UInt64) -> Bool {
        guard position < end else { return position == end }
        let name = file.read(at: position, count: 4)
        return name.allSatisfy { $0 == 0 }
            || name.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>, bits: UInt64) -> UInt64 {
        bytes.reduce(0) { $0 << bits | UInt64($1) & (1 << bits - 1) }
    }

    /// The ID3 tag and the list of texts among the chunks of a WAV or AIFF file.
    private mutating func readChunks(isBigEndian: Bool) {
        var position: UInt64 = 12
        for _ in 0..<Self.maximumParts {
            let head = file.read(at: position, count: 8)
            guard let size = isBigEndian ? head.bigEndian32(at: 4) : head.littleEndian32(at: 4) else { return }
            if ["id3 ", "ID3 "].contains(where: { head.starts(with: Array($0.utf8)) }) {
                _ = readID3(at: position + 8)
            }
            if !isBigEndian, size > 4, head.starts(with: Array("LIST".utf8)),
                file.read(at: position + 8, count: 4) == Array("INFO".utf8)
            {
                hideTexts(in: (position + 12)..<(position + 8 + UInt64(size)))
            }
            position += 8 + UInt64(size) + UInt64(size & 1)
        }
    }

    /// The texts of a list, each in a chunk.
    private mutating func hideTexts(in range: Range<UInt64>) {
        let file = file
        hide(in: range) { position in
            file.read(at: position, count: 8).littleEndian32(at: 4).map { size in
                (min(range.upperBound, position + 8 + UInt64(size) + UInt64(size & 1)), false)
            }
        } with: { count in
            // A chunk without a name is passed over.
            guard let size = UInt32(exactly: count - 8) else { return nil }
            var header: [UInt8] = [0, 0, 0, 0]
            header.append(littleEndian: size)
            return header
        }
    }

    // MARK: Vorbis comments

    private mutating func readFLAC(at start: UInt64) {
        var position = start
        for _ in 0..<Self.maximumParts {
            let head = file.read(at: position, count: 4)
            guard let size = head.bigEndian24(at: 1) else { return }
            let isComments = head[0] & 0x7F == 4
            if isComments, let list = comments(in: (position + 4)..<(position + 4 + UInt64(size))) {
                put(list.count, at: list.place)
            }
            guard head[0] & 0x80 == 0 else { return }
            position += 4 + UInt64(size)
        }
    }

    /// The second packets of streams: each begins a page.
    private mutating func readOgg(at start: UInt64) {
        var position = start
        var streamsOfFLAC: Set<UInt32> = []
        for _ in 0..<Self.maximumParts {
            guard let page = OggPage(file, at: position) else { return }
            position = page.end
            if page.flags.contains(.isFirst),
                file.read(at: page.start + UInt64(page.headerSize), count: 5) == [0x7F] + Array("FLAC".utf8)
            {
                streamsOfFLAC.insert(page.serial)
            }
            guard page.sequence == 1, page.flags.isDisjoint(with: [.isFirst, .isContinued]) else { continue }
            let body = (page.start + UInt64(page.headerSize))..<page.end
            let sign = file.read(at: body.lowerBound, count: 8)
            let length: UInt64
            switch sign {
            case Array("OpusTags".utf8): length = 8
            case _ where sign.dropFirst().starts(with: "vorbis".utf8) && sign.first == 3: length = 7
            case _ where sign.dropFirst().starts(with: "theora".utf8) && sign.first == 0x81: length = 7
            case _ where streamsOfFLAC.contains(page.serial) && sign.first.map { $0 & 0x7F } == 4: length = 4
            default: continue
            }
            guard let list = comments(in: body.dropping(length)) else { continue }
            var bytes = file.read(at: page.start, count: page.byteCount)
            guard page.isSound(bytes) else { continue }
            // Decoders of Vorbis look for a bit that ends the list.
            let changes = [(list.place, list.count), (list.end, [1, 0, 0, 0])]
            guard list.end + 4 <= page.end else { continue }
            for (place, change) in changes {
                let offset = Int(place - page.start)
                bytes.replaceSubrange(offset..<(offset + change.count), with: change)
            }
            OggPage.setChecksum(of: &bytes)
            put(Array(bytes[OggPage.checksumOffset..<(OggPage.checksumOffset + 4)]), at: page.start + 22)
            for (place, change) in changes { put(change, at: place) }
        }
    }

    /// Where the count of a list of comments is, what it is to be, and where the visible ones end; `nil` for lists that
    /// are not long.
    private func comments(in range: Range<UInt64>) -> (place: UInt64, count: [UInt8], end: UInt64)? {
        guard let vendor = file.read(at: range.lowerBound, count: 4).littleEndian32(at: 0) else { return nil }
        let place = range.lowerBound + 4 + UInt64(vendor)
        guard place + 4 <= range.upperBound, let count = file.read(at: place, count: 4).littleEndian32(at: 0),
            count > Self.visible
        else { return nil }
        var (position, number) = (place + 4, UInt32(0))
        var (last, kept) = (position, number)
        // Up to a picture that is not far from the beginning.
        while number < min(count, Self.maximumBeforePicture) {
            let head = file.read(at: position, count: 4 + Self.picture.count)
            guard let size = head.littleEndian32(at: 0) else { break }
            let end = position + 4 + UInt64(size)
            // Room for what ends the list.
            guard end + 4 <= range.upperBound else { break }
            (position, number) = (end, number + 1)
            let isPicture = String(latin1: head.dropFirst(4)).uppercased() == Self.picture
            if isPicture || number <= Self.visible { (last, kept) = (position, number) }
        }
        guard kept < count else { return nil }
        var bytes: [UInt8] = []
        bytes.append(littleEndian: kept)
        return (place, bytes, last)
    }

    private static let picture = "METADATA_BLOCK_PICTURE="
    /// Comments before a picture that stays.
    private static let maximumBeforePicture: UInt32 = 4096

    // MARK: Matroska

    private mutating func readMatroska() {
        let reader = EBMLReader(file: file)
        guard let header = reader.element(at: 0, limit: file.byteCount),
            let segment = reader.element(at: header.content.upperBound, limit: file.byteCount)
                ?? cutSegment(at: header.content.upperBound),
            segment.id == MatroskaID.segment
        else { return }
        var places: Set<UInt64> = []
        var position = segment.content.lowerBound
        for _ in 0..<Self.maximumElements {
            guard let element = reader.element(at: position, limit: segment.content.upperBound),
                element.id != MatroskaID.cluster
            else { break }
            if Self.listing.contains(element.id) { places.insert(element.start) }
            if element.id == MatroskaID.seekHead {
                places.formUnion(listPlaces(in: element, reader).map { segment.content.lowerBound &+ $0 })
            }
            position = element.content.upperBound
        }
        for place in places.sorted() {
            guard let list = reader.element(at: place, limit: segment.content.upperBound) else { continue }
            if list.id == MatroskaID.tags { hideTags(in: list, reader) }
            if list.id == MatroskaID.chapters { hideChapters(list, reader) }
        }
    }

    /// The elements that hold lists which libavformat looks through for each of their members.
    private static let listing: Set<UInt32> = [MatroskaID.tags, MatroskaID.chapters]

    /// Hides all chapters where there are many: they are read by our own reader.
    private mutating func hideChapters(_ chapters: EBMLElement, _ reader: EBMLReader) {
        var count = 0
        for edition in reader.elements(in: chapters.content, count: Self.visible)
        where edition.id == MatroskaID.editionEntry {
            count += reader.elements(in: edition.content, count: Self.visible + 1).count
            guard count <= Self.visible else {
                return hide(chapters.start..<chapters.content.upperBound) { Self.void($0) }
            }
        }
    }

    /// A segment that ends after the file does.
    private func cutSegment(at position: UInt64) -> EBMLElement? {
        guard let header = EBMLHeader(file.read(at: position, count: EBMLHeader.maximumByteCount)) else { return nil }
        let start = position + UInt64(header.byteCount)
        guard start <= file.byteCount else { return nil }
        return EBMLElement(id: header.id, start: position, content: start..<file.byteCount, isUnknownSize: true)
    }

    private func listPlaces(in index: EBMLElement, _ reader: EBMLReader) -> [UInt64] {
        reader.elements(in: index.content, count: Self.maximumElements).compactMap { seek in
            let fields = reader.elements(in: seek.content, count: 8)
            func number(_ id: UInt32) -> UInt64? {
                fields.first { $0.id == id }.flatMap { field in
                    guard field.content.length <= 8 else { return nil }
                    return file.read(at: field.content.lowerBound, count: Int(field.content.length))
                        .reduce(0) { $0 << 8 | UInt64($1) }
                }
            }
            let isListing = number(MatroskaID.seekID).flatMap { UInt32(exactly: $0) }.map(Self.listing.contains)
            return isListing == true ? number(MatroskaID.seekPosition) : nil
        }
    }

    private mutating func hideTags(in tags: EBMLElement, _ reader: EBMLReader) {
        var position = tags.content.lowerBound
        for _ in 0..<Self.visible where seen <= Self.visible {
            guard let tag = reader.element(at: position, limit: tags.content.upperBound) else { return }
            hideSimpleTags(in: tag.content, reader, depth: 0)
            position = tag.content.upperBound
        }
        guard position < tags.content.upperBound else { return }
        hide(position..<tags.content.upperBound) { Self.void($0) }
    }

    /// Simple tags of a tag, and those in them.
    private mutating func hideSimpleTags(in range: Range<UInt64>, _ reader: EBMLReader, depth: Int) {
        hide(in: range) { position in
            reader.element(at: position, limit: range.upperBound).map {
                ($0.content.upperBound, $0.id != MatroskaID.simpleTag)
            }
        } with: {
            Self.void($0)
        }
        guard depth < Self.maximumDepth else { return }
        let fields = reader.elements(in: range, count: Self.visible)
        for field in fields where field.id == MatroskaID.simpleTag && seen <= Self.visible {
            hideSimpleTags(in: field.content, reader, depth: depth + 1)
        }
    }

    private static func void(_ count: UInt64) -> [UInt8]? {
        count > 1 ? EBMLWriter.voidHeader(byteCount: count) : nil
    }

    /// Simple tags within others that are looked into.
    private static let maximumDepth = 4

    // MARK: Movies

    private mutating func readMovie(_ boxes: MovieBoxes) {
        guard let movie = boxes.movie else { return }
        let holders = boxes.named("udta", "meta", in: movie) + boxes.named("meta", in: movie)
        for meta in holders.prefix(Self.maximumParts) {
            // Version and flags come first but in QuickTime's.
            for start in [meta.content.lowerBound, meta.content.lowerBound + 4] {
                var position = min(start, meta.content.upperBound)
                for _ in 0..<Self.maximumParts {
                    guard let box = boxes.reader.firstBox(in: position..<meta.content.upperBound) else { break }
                    if box.type == "ilst" { hideItems(in: box, boxes) }
                    position = box.content.upperBound
                }
            }
        }
    }

    private mutating func hideItems(in list: Box, _ boxes: MovieBoxes) {
        hide(in: list.content) { position in
            guard position <= list.content.upperBound else { return nil }
            return boxes.reader.firstBox(in: position..<list.content.upperBound).map { box in
                (box.content.upperBound, box.type == "covr" || box.type == "----" && Self.tellsPriming(box, boxes))
            }
        } with: { count in
            UInt32(exactly: count).map { size in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array("free".utf8)
            }
        }
    }

    /// Whether an item says how much decoders leave out of the sound, as iTunes has it.
    private static func tellsPriming(_ item: Box, _ boxes: MovieBoxes) -> Bool {
        let head = boxes.file.read(at: item.content.lowerBound, count: Int(min(item.content.length, 128)))
        return String(latin1: head).contains("iTunSMPB")
    }
}
