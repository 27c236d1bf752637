internal import MediaContainers
package import MediaCore
internal import MediaIO
package import MediaMetadata

extension ISOChapters {
    /// Ticks of 100 nanoseconds.
    private static let neroTimescale: CMTimeScale = 10_000_000
    /// The most that one byte can count: chapters as well as the bytes of a title.
    private static let neroMaximum = 255

    /// Reads the content of a `chpl` box.
    ///
    /// After the version, version 1 has a reserved byte and a count of 32 bits,
    /// which for some readers are four reserved bytes and a count of one; up to
    /// 255 chapters that is the same. Version 0 counts with one byte.
    static func nero(_ bytes: [UInt8], problems: inout [String]) -> ChapterList {
        var list = ChapterList(form: .nero, chapters: [])
        guard let version = bytes.first, bytes.count >= 5 else {
            problems.append("chpl: the box is too short")
            return list
        }
        var offset = version == 0 ? 5 : 9
        let count = version == 0 ? UInt32(bytes[4]) : bytes.bigEndian32(at: 5) ?? 0
        while list.chapters.count < count {
            guard let start = bytes.bigEndian64(at: offset).flatMap(Int64.init(exactly:)), offset + 8 < bytes.count,
                case let size = Int(bytes[offset + 8]), bytes.count - offset - 9 >= size
            else {
                problems.append("chpl: \(list.chapters.count) of \(count) chapters can be read")
                break
            }
            let title = TextCoding.utf8OrLatin1(bytes[(offset + 9)..<(offset + 9 + size)])
            list.chapters.append(
                Chapter(
                    start: CMTime(value: start, timescale: neroTimescale),
                    titles: title.isEmpty ? [] : [Chapter.Title(title)]))
            offset += 9 + size
        }
        return list
    }

    /// A `chpl` box.
    ///
    /// Times are rounded to the box's 100 nanoseconds, which is no loss that is
    /// told. Ends are not stored. Not more than 255 chapters are, and not more
    /// than 255 bytes of a title.
    ///
    /// - Parameters:
    ///   - movieDuration: Chapters from there on are left out; not numeric if it is not known.
    ///   - languageTag: Which titles to take of chapters with several.
    package static func neroBox(
        of list: ChapterList, languageTag: String? = nil, movieDuration: CMTime
    ) -> (box: [UInt8], losses: [MetadataLoss]) {
        var chapters = LinearChapters(list, languageTag: languageTag ?? list.languageTag, keeping: [])
        chapters.putInSequence(until: movieDuration, keepsEnds: false)
        if chapters.items.count > neroMaximum {
            chapters.lose("a chpl list holds only \(neroMaximum) of \(chapters.items.count) chapters")
        }
        let items = chapters.items.prefix(neroMaximum)
        var content: [UInt8] = [1, 0, 0, 0, 0]
        content.append(bigEndian: UInt32(items.count))
        var cut = 0
        for item in items {
            let title = item.title.utf8Prefix(neroMaximum)
            if title.count < item.title.utf8.count { cut += 1 }
            let start = item.start.convertScale(neroTimescale, method: .default)
            content.append(bigEndian: UInt64(max(0, start.isNumeric ? start.value : 0)))
            content.append(UInt8(title.count))
            content += title
        }
        if cut > 0 { chapters.change("titles are cut at \(neroMaximum) bytes in a chpl list: \(cut)") }
        return (.box("chpl", content), chapters.losses)
    }
}
