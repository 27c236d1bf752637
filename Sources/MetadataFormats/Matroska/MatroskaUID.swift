internal import MediaCore
internal import MediaMetadata

/// Numbers that elements of Matroska files are known by.
///
/// They only have to differ within a file. Made of what the element holds, they are the same whenever the same file is made.
enum MatroskaUID {
    /// A number of its own for what some texts tell.
    static func new(of texts: [String], unlike others: inout Set<UInt64>) -> UInt64 {
        var uid = UInt64(truncatingIfNeeded: FowlerNollVo.digest128(of: texts) >> 32)
        while uid == 0 || !others.insert(uid).inserted { uid &+= 1 }
        return uid
    }

    /// What tells a chapter from others.
    static func texts(of chapter: Chapter) -> [String] {
        let (start, end) = (chapter.start, chapter.end)
        return ["\(start.value)/\(start.timescale)", "\(end.value)/\(end.timescale)"] + chapter.titles.map(\.text)
    }

    /// A number for an attached file.
    static func ofFile(_ name: String, _ bytes: [UInt8], unlike others: inout Set<UInt64>) -> UInt64 {
        new(of: [name, "\(bytes.count)", "\(FowlerNollVo.digest64(ofWordsIn: bytes))"], unlike: &others)
    }
}
