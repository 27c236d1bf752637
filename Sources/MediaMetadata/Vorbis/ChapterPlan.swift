/// Which of several comment headers gets which chapters.
///
/// Some writers repeat the chapters in every stream's header: equal lists are
/// one, and are changed together.
struct ChapterPlan {
    /// The new chapters of each header, `nil` for those that it has.
    private(set) var changes: [[Chapter]?]
    private(set) var losses: [MetadataLoss] = []

    /// The lists that headers with these chapters make.
    static func lists(_ chapters: [[Chapter]]) -> [ChapterList] {
        var lists: [ChapterList] = []
        for chapters in chapters where !chapters.isEmpty && !lists.contains(where: { $0.chapters == chapters }) {
            lists.append(ChapterList(form: .vorbisComment, chapters: chapters))
        }
        return lists
    }

    /// Plans a change.
    ///
    /// - Parameters:
    ///   - old: The chapters of each header.
    ///   - lists: What is to be there.
    ///   - main: The header that gets a list which is new.
    init(old: [[Chapter]], lists: [ChapterList], main: Int?) {
        changes = Array(repeating: nil, count: old.count)
        let lists = lists.filter { !$0.chapters.isEmpty }
        var open = Self.lists(old).map(\.chapters)
        var rest: [ChapterList] = []
        for list in lists {
            if let place = open.firstIndex(of: list.chapters) { open.remove(at: place) } else { rest.append(list) }
        }
        var changed = rest[...]
        for chapters in open {
            let list = changed.popFirst()
            for index in old.indices where old[index] == chapters { changes[index] = list?.chapters ?? [] }
        }
        if let main, old[main].isEmpty, let list = changed.popFirst() { changes[main] = list.chapters }
        for list in rest[rest.startIndex..<changed.startIndex] {
            if list.languageTag != nil { lose("names have no language") }
            if list.isHidden || list.isOrdered { lose("lists cannot be hidden or ordered") }
        }
        for _ in changed { lose("there is room for one list of chapters only") }
    }

    private mutating func lose(_ reason: String) { losses.append(MetadataLoss.chapters(reason: reason)) }
}
