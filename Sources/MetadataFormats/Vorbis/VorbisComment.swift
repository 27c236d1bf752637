internal import MediaIO
internal import MediaMetadata

/// The content of a comment header: who made the stream, and the comments, all as bytes.
///
/// Source: Vorbis I, section 5; the same in FLAC, Opus, Speex and Theora.
struct VorbisComment {
    /// Why reading stopped.
    enum Ending: Hashable {
        case whole
        /// A length reaches past the end.
        case truncated
        /// There are more comments than are read.
        case tooMany
    }

    /// Each comment costs some hundred bytes of memory, even one without a character.
    static let maximumComments = 1 << 16

    var vendor: ArraySlice<UInt8>
    var comments: [ArraySlice<UInt8>]
    /// What follows the comments: a framing bit, padding.
    private(set) var tail: ArraySlice<UInt8>
    private(set) var ending: Ending

    /// An empty one.
    init(vendor: String) {
        self.vendor = Array(vendor.utf8)[...]
        (comments, tail, ending) = ([], [], .whole)
    }

    /// Reads one; it is empty and truncated if there is no vendor or no number of comments.
    init(parsing bytes: ArraySlice<UInt8>, limit: Int = maximumComments) {
        (vendor, comments, tail, ending) = ([], [], bytes, .truncated)
        var rest = bytes
        guard let vendor = Self.popText(from: &rest), let count = rest.littleEndian32(at: 0) else { return }
        rest = rest.dropFirst(4)
        self.vendor = vendor
        ending = .whole
        for _ in 0..<count {
            guard comments.count < limit else {
                ending = .tooMany
                break
            }
            guard let comment = Self.popText(from: &rest) else {
                ending = .truncated
                break
            }
            comments.append(comment)
        }
        tail = rest
    }

    private static func popText(from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = bytes.littleEndian32(at: 0), Int(count) <= bytes.count - 4 else { return nil }
        let text = bytes.dropFirst(4).prefix(Int(count))
        bytes = bytes.dropFirst(4 + Int(count))
        return text
    }

    /// Bytes of the vendor and the comments without what follows.
    var byteCount: Int { comments.reduce(8 + vendor.count) { $0 + 4 + $1.count } }

    /// The vendor and the comments without what follows.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: vendor.count))
        bytes += vendor
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: comments.count))
        for comment in comments {
            bytes.append(littleEndian: UInt32(truncatingIfNeeded: comment.count))
            bytes += comment
        }
        return bytes
    }
}

/// One comment, parted at its first equals sign.
struct CommentField {
    /// The key of comments that have no field name: it cannot be one.
    static let keyWithoutName = "="
    /// Names of comments that mean something are much shorter.
    private static let maximumKnownName = 64
    /// Comments that are not UTF-8 and longer than this are no text.
    private static let maximumOddText = 1 << 20

    /// `nil` if there is no equals sign or nothing before it.
    let name: ArraySlice<UInt8>?
    /// What follows the equals sign; everything if there is no name.
    let value: ArraySlice<UInt8>

    init(_ comment: ArraySlice<UInt8>) {
        guard let sign = comment.firstIndex(of: UInt8(ascii: "=")), sign > comment.startIndex else {
            (name, value) = (nil, comment)
            return
        }
        (name, value) = (comment[..<sign], comment[(sign + 1)...])
    }

    /// The name in capitals, `nil` if it is long or has other characters than field names can have.
    var upperName: String? {
        guard let name, name.count <= Self.maximumKnownName, name.allSatisfy(Self.isNameByte) else { return nil }
        return String(decoding: name, as: UTF8.self).uppercased()
    }

    /// The comment as an entry.
    var entry: MetadataEntry {
        let key = name.map { TextCoding.utf8OrLatin1($0.prefix(Self.maximumOddText)) } ?? Self.keyWithoutName
        if let text = String(validating: value, as: UTF8.self) {
            return MetadataEntry(.vorbisComment, .text(key), .text(text))
        }
        guard value.count <= Self.maximumOddText else {
            return MetadataEntry(.vorbisComment, .text(key), .data(Array(value)), dataType: MetadataDataType.raw)
        }
        return MetadataEntry(.vorbisComment, .text(key), .text(String(latin1: value)))
    }

    /// Whether field names can have a character: ASCII from space to `}` but for the equals sign.
    static func isNameByte(_ byte: UInt8) -> Bool { (0x20...0x7D).contains(byte) && byte != UInt8(ascii: "=") }
}

/// The comments of one header, sorted by what they mean.
struct CommentList {
    private enum Role: Hashable {
        /// The number of its entry.
        case entry(Int)
        case chapter
        /// A fact about the samples, which stays with them.
        case fact
        /// The MIME type of a picture, with that picture's place among the comments.
        case companion(of: Int)
    }

    /// One of the comments that are to be written.
    enum Wanted: Hashable {
        /// The comment of an entry that the list has.
        case old(entry: Int)
        case new([UInt8])
    }

    /// What the channels of FLAC mean (RFC 9639, section 8.6.2).
    private static let facts: Set<String> = ["WAVEFORMATEXTENSIBLE_CHANNEL_MASK"]

    let comments: [ArraySlice<UInt8>]
    private var roles: [Role] = []
    /// The place of each entry's comment.
    private var places: [Int] = []
    private(set) var entries: [MetadataEntry] = []
    private(set) var chapters: [Chapter] = []
    private(set) var problems: [String] = []

    /// Sorts comments.
    ///
    /// - Parameter hasChapters: Whether comments for chapters are that and no entries.
    init(_ comments: [ArraySlice<UInt8>], hasChapters: Bool) {
        self.comments = comments
        let fields = comments.map(CommentField.init)
        var chapterComments: Set<Int> = []
        if hasChapters { (chapters, chapterComments) = ChapterComments.find(in: fields) }
        let names = fields.map(\.upperName)
        let coverArt = Self.coverArt(fields, names)
        for (index, field) in fields.enumerated() {
            if chapterComments.contains(index) {
                roles.append(.chapter)
            } else if names[index].map(Self.facts.contains) == true {
                roles.append(.fact)
            } else if let picture = coverArt.companions[index] {
                roles.append(.companion(of: picture))
            } else {
                roles.append(.entry(entries.count))
                places.append(index)
                entries.append(coverArt.pictures[index] ?? entry(field, name: names[index]))
            }
        }
    }

    private mutating func entry(_ field: CommentField, name: String?) -> MetadataEntry {
        guard name == FLACPicture.key else { return field.entry }
        guard let bytes = Base64.decoded(field.value), let picture = FLACPicture(parsing: bytes[...]) else {
            problems.append("a picture among the comments cannot be read")
            return field.entry
        }
        return picture.entry
    }

    /// Pictures in the older form, by the places of their comments, and whose
    /// MIME types other comments are: the first is the first picture's, and so on.
    private static func coverArt(
        _ fields: [CommentField], _ names: [String?]
    ) -> (pictures: [Int: MetadataEntry], companions: [Int: Int]) {
        var pictures: [Int: MetadataEntry] = [:]
        var companions: [Int: Int] = [:]
        var types = names.indices.filter { names[$0] == "COVERARTMIME" }[...]
        for index in names.indices where names[index] == "COVERART" {
            let type = types.popFirst()
            guard let bytes = Base64.decoded(fields[index].value), !bytes.isEmpty else { continue }
            let mimeType = type.map { TextCoding.utf8OrLatin1(fields[$0].value.prefix(1 << 16)) }
            pictures[index] = FLACPicture.entry(ofCoverArt: bytes, mimeType: mimeType)
            if let type { companions[type] = index }
        }
        return (pictures, companions)
    }

    /// The length of an entry's comment.
    func byteCount(ofEntry entry: Int) -> Int { comments[places[entry]].count }

    // MARK: Editing

    /// The comments with other entries and chapters.
    ///
    /// What is no entry stays before and after the entries that it was between.
    ///
    /// - Parameter newChapters: The comments for chapters, `nil` for those that there are.
    func comments(_ wanted: [Wanted], chapters newChapters: [[UInt8]]?) -> [ArraySlice<UInt8>] {
        let kept = Set(wanted.compactMap { if case .old(let entry) = $0 { entry } else { nil } })
        var result: [ArraySlice<UInt8>] = []
        var next = 0
        var chaptersToCome = newChapters
        func addOthers(before end: Int) {
            for index in next..<max(next, end) {
                switch roles[index] {
                case .entry: break
                case .fact: result.append(comments[index])
                case .companion(let picture):
                    if case .entry(let entry) = roles[picture], kept.contains(entry) { result.append(comments[index]) }
                case .chapter where newChapters == nil: result.append(comments[index])
                case .chapter:
                    result += (chaptersToCome ?? []).map { $0[...] }
                    chaptersToCome = nil
                }
            }
            next = max(next, end)
        }
        for item in wanted {
            switch item {
            case .new(let bytes): result.append(bytes[...])
            case .old(let entry):
                addOthers(before: places[entry])
                result.append(comments[places[entry]])
                next = max(next, places[entry] + 1)
            }
        }
        addOthers(before: comments.count)
        return result + (chaptersToCome ?? []).map { $0[...] }
    }
}

/// An entry as a comment.
enum EncodedComment {
    case bytes([UInt8])
    /// Why it cannot be one.
    case impossible(String)

    init(_ entry: MetadataEntry) {
        guard entry.keySpace == .vorbisComment else {
            self = .impossible("Vorbis comments hold no keys of other key spaces")
            return
        }
        guard !FLACPicture.isPicture(entry) else {
            self = .bytes(Array("\(FLACPicture.key)=".utf8) + Base64.encoded(FLACPicture(entry).encoded()))
            return
        }
        switch (entry.key, entry.value) {
        case (.code, _): self = .impossible("a field name is text")
        case (_, .data): self = .impossible("Vorbis comments hold text and pictures only")
        case (.text(let name), .text(let text)): self.init(name: name, text)
        case (.text(let name), .integer(let number)): self.init(name: name, String(number))
        case (.text(let name), .real(let number)): self.init(name: name, String(number))
        }
    }

    private init(name: String, _ text: String) {
        if name == CommentField.keyWithoutName {
            let sign = text.utf8.firstIndex(of: UInt8(ascii: "="))
            self =
                sign == nil || sign == text.startIndex
                ? .bytes(Array(text.utf8)) : .impossible("what stands before an equals sign is a field name")
        } else if name.isEmpty || !name.utf8.allSatisfy(CommentField.isNameByte) {
            self = .impossible("a field name has only ASCII characters from the space to }, but for =")
        } else {
            self = .bytes(Array("\(name)=\(text)".utf8))
        }
    }
}
