internal import CFFmpeg
internal import MediaContainers
internal import MediaCore
internal import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The boxes of a movie file, before FFmpeg sees them.
struct MovieBoxes {
    /// Boxes of the first level that are looked at; fragments that come later are not.
    private static let maximumBoxes = 1 << 10

    let reader: BoxReader
    /// Those of the first level; none if the file does not begin as movies do.
    let all: [Box]

    /// What movies begin with.
    private static let firstTypes: Set<FourCC> = [
        "ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "pnot", "sidx", "uuid",
    ]

    init(of file: RandomAccessFile) {
        reader = BoxReader(file: file)
        guard var box = reader.firstBox(in: 0..<file.byteCount), Self.firstTypes.contains(box.type) else {
            all = []
            return
        }
        var boxes = [box]
        while boxes.count < Self.maximumBoxes, let next = reader.firstBox(in: box.range.upperBound..<file.byteCount) {
            boxes.append(next)
            box = next
        }
        all = boxes
    }

    var file: RandomAccessFile { reader.file }

    /// The first movie box.
    var movie: Box? { all.first { $0.type == "moov" } }

    /// The boxes at the end of a path of types.
    func named(_ path: FourCC..., in box: Box) -> [Box] {
        path.reduce([box]) { found, type in
            found.flatMap { reader.boxes(in: $0.content).filter { $0.type == type } }
        }
    }

    /// The 32-bit number at a place in a box.
    func number(_ box: Box, _ offset: UInt64) -> UInt32? {
        guard box.content.length >= offset + 4 else { return nil }
        return file.read(at: box.content.lowerBound + offset, count: 4).bigEndian32(at: 0)
    }
}

/// Boxes of movies that FFmpeg stumbles over, in some versions, and that nothing here needs.
enum UnneededBoxes {
    /// More tracks than this are left as they are.
    private static let maximumCount = 256

    private static let emptyName: [UInt8] = Array("free".utf8)

    /// Names for such boxes that say that they hold nothing.
    static func patches(in boxes: MovieBoxes) -> [oav_patch] {
        let all = boxes.all
        guard all.first?.type == "ftyp", let movie = boxes.movie else { return [] }
        let tracks = boxes.named("trak", in: movie)
        let found =
            stillItems(all, beside: tracks, boxes) + tracks.prefix(maximumCount).flatMap { encryption($0, boxes) }
        return found.prefix(maximumCount).compactMap { oav_patch(at: $0.start + 4, emptyName) }
    }

    /// The still pictures that animated AVIF has for programs that play none.
    ///
    /// From version 7 on FFmpeg makes streams of them too, in front of the tracks and with numbers of theirs: the first
    /// picture would be taken for the film.
    private static func stillItems(
        _ all: [Box], beside tracks: [Box], _ boxes: MovieBoxes
    ) -> [Box] {
        guard !tracks.isEmpty, let items = all.first(where: { $0.type == "meta" }), boxes.handler(of: items) == "pict"
        else { return [] }
        return [items]
    }

    /// How the samples of a track are encrypted that has none outside of fragments.
    ///
    /// FFmpeg 7 takes an empty table for damage, and writes such tables itself.
    private static func encryption(_ track: Box, _ boxes: MovieBoxes) -> [Box] {
        boxes.named("mdia", "minf", "stbl", in: track).flatMap { table in
            let sizes = boxes.named("stsz", in: table).first
            guard sizes.flatMap({ boxes.number($0, 8) }) == 0 else { return [Box]() }
            return ["saiz", "saio", "senc"].flatMap { boxes.named($0, in: table) }
        }
    }
}

/// Last edits without a duration, which show the rest of the media: FFmpeg up to version 6 shows nothing of it.
///
/// Source: ISO/IEC 14496-12, "Edit List Box"; https://github.com/google/ExoPlayer/issues/1102.
enum OpenEdits {
    /// More tracks than this are left as they are.
    private static let maximumCount = 256

    /// Durations longer than any media for such edits.
    static func patches(in boxes: MovieBoxes) -> [oav_patch] {
        guard let movie = boxes.movie else { return [] }
        // In fragmented movies they are the rule, and known.
        guard boxes.named("mvex", in: movie).isEmpty else { return [] }
        return boxes.named("trak", "edts", "elst", in: movie).prefix(maximumCount).compactMap { patch($0, boxes) }
    }

    private static func patch(_ list: Box, _ boxes: MovieBoxes) -> oav_patch? {
        guard let version = boxes.number(list, 0).map({ $0 >> 24 }), version < 2,
            let count = boxes.number(list, 4), count > 0
        else { return nil }
        let size: UInt64 = version == 1 ? 20 : 12
        // FFmpeg counts rows by the length of the box.
        guard list.content.length == 8 + UInt64(count) * size else { return nil }
        let row = 8 + (UInt64(count) - 1) * size
        let halves = version == 1 ? [row, row + 4] : [row]
        guard halves.allSatisfy({ boxes.number(list, $0) == 0 }),
            let mediaTime = boxes.number(list, row + (version == 1 ? 8 : 4)), mediaTime >> 31 == 0
        else { return nil }
        // Of 64 bits, some are left for products with a timescale.
        let longest: [UInt8] = version == 1 ? [0, 0, 0x0F, 0xFF] : [0xFF, 0xFF, 0xFF, 0xFF]
        return oav_patch(at: list.content.lowerBound + row, longest)
    }
}

extension oav_patch {
    /// - Parameter bytes: Four.
    fileprivate init?(at offset: UInt64, _ bytes: [UInt8]) {
        guard let offset = Int64(exactly: offset), bytes.count == 4 else { return nil }
        self.init(offset: offset, bytes: (bytes[0], bytes[1], bytes[2], bytes[3]))
    }
}

extension MovieBoxes {
    /// What a `meta` box says that it is about.
    fileprivate func handler(of meta: Box) -> String? {
        // Version and flags come first, in the handler too, and there a field without meaning.
        let first = reader.firstBox(
            in: min(meta.content.lowerBound + 4, meta.content.upperBound)..<meta.content.upperBound)
        guard let first, first.type == "hdlr", first.content.length >= 12 else { return nil }
        return String(latin1: file.read(at: first.content.lowerBound + 8, count: 4))
    }
}

/// What a playlist may open, and what it tried to open in vain.
///
/// Only for files that say at their beginning that they are playlists, and only
/// where their format was allowed: a playlist's folder and what lies below it,
/// and http(s) addresses where the network is allowed.
final class NestedFiles {
    let pointer: OpaquePointer
    /// What the names in the playlist are relative to: its own absolute path, or its address.
    let address: String

    /// Opens files for the playlist.
    private let access: FileAccess

    /// `nil` for an input that opens nothing else.
    init?(for input: MediaInput, _ content: MediaInput.Content, policy: SafetyPolicy, interrupt: Interrupt) {
        guard policy.allowsNesting else { return nil }
        access = input.access
        switch content {
        case .file(let file):
            // What came through a pipe has nothing beside it.
            let path = input.pipe == nil ? input.path : "/proc/self/fd/0"
            guard let folder = realPath(path.parentFolder),
                file.read(at: 0, count: PlaylistFiles.firstBytes.count) == PlaylistFiles.firstBytes,
                let pointer = folder.withPathBytes({ oav_nested_create($0, policy.allowsNetwork ? 1 : 0) })
            else { return nil }
            self.pointer = pointer
            address = (folder == "/" ? "" : folder) + "/" + path.lastName
            if access.isBrokered { setOpener(interrupt) }
        case .address(let address):
            guard let pointer = oav_nested_create(nil, 1) else { return nil }
            (self.pointer, self.address) = (pointer, address)
        case .pipe: return nil
        }
    }

    deinit { oav_nested_free(pointer) }

    /// Has files opened by the broker; the object has to stay as long as they are.
    private func setOpener(_ interrupt: Interrupt) {
        let opener: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Int32 = { opaque, path in
            guard let opaque, let path else { return -EINVAL }
            let bytes = UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
            let nested = Unmanaged<NestedFiles>.fromOpaque(opaque).takeUnretainedValue()
            let descriptor = nested.access.open(String(pathBytes: bytes), O_RDONLY | O_CLOEXEC)
            return descriptor < 0 ? -errno : descriptor
        }
        oav_nested_set_opener(pointer, opener, Unmanaged.passUnretained(self).toOpaque(), interrupt.pointer)
    }

    /// The first address that was not opened, and why.
    var refusal: String? {
        oav_nested_refusal(pointer).map { text in
            let bytes = UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
            return String(pathBytes: bytes).withVisiblePathBytes
        }
    }
}

extension String {
    fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? "" }
}
