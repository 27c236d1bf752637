package import MediaCore

/// Chapters one after another, with one title each: what most formats can hold
/// of a list.
package struct LinearChapters {
    /// What a format can hold beside times and titles.
    package struct Features: OptionSet {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let links = Features(rawValue: 1)
        package static let pictures = Features(rawValue: 2)
        package static let language = Features(rawValue: 4)
    }

    /// One chapter.
    package struct Item {
        package var start: CMTime
        /// Invalid if it is not said.
        package var end: CMTime
        package var title: String
        package var artwork: [UInt8]?
        package var link: String?
        var identifier: String?
        /// Whether it had chapters of its own, which then lie within its time and follow it here.
        var hasChildren: Bool
    }

    package private(set) var items: [Item] = []
    package private(set) var losses: [MetadataLoss] = []

    /// Takes a list's chapters, those within others after these, and leaves out hidden ones.
    ///
    /// Names that files have for chapters (`identifier`) may go without being told of.
    ///
    /// - Parameters:
    ///   - languageTag: Which title to take of several; the first if there is none in that language.
    ///   - features: What else the format holds; the rest is told in `losses`.
    package init(_ list: ChapterList, languageTag: String? = nil, keeping features: Features) {
        var (hidden, disabled, nested, titles, unusable) = (0, 0, 0, 0, 0)
        var (links, pictures) = (0, 0)
        var rest: [(chapter: Chapter, depth: Int)] = list.chapters.reversed().map { ($0, 0) }
        while let (chapter, depth) = rest.popLast() {
            rest += chapter.children.reversed().map { ($0, depth + 1) }
            guard !chapter.isHidden else {
                hidden += 1
                continue
            }
            guard chapter.start.isNumeric, chapter.start.timescale > 0 else {
                unusable += 1
                continue
            }
            let title = chapter.title(in: languageTag)
            nested += depth > 0 ? 1 : 0
            disabled += chapter.isEnabled ? 0 : 1
            titles += chapter.titles.count { $0.text != title }
            links += chapter.link != nil && !features.contains(.links) ? 1 : 0
            pictures += chapter.artwork != nil && !features.contains(.pictures) ? 1 : 0
            let end = chapter.end.isNumeric && chapter.end >= chapter.start ? chapter.end : .invalid
            items.append(
                Item(
                    start: chapter.start, end: end, title: title, artwork: chapter.artwork, link: chapter.link,
                    identifier: chapter.identifier, hasChildren: chapter.children.contains { !$0.isHidden }))
        }
        lose(hidden, "hidden chapters are left out")
        lose(unusable, "chapters without a start are left out")
        change(nested, "chapters within others are put beside them")
        lose(disabled, "chapters are no longer marked as not to be played")
        lose(titles, "titles in other languages are left out")
        lose(links, "links are left out")
        lose(pictures, "pictures are left out")
        if list.isOrdered { lose("the order of playing is not stored") }
        if !features.contains(.language), let tag = languageTag ?? list.languageTag {
            lose("the language \(tag) is not stored")
        }
    }

    /// Notes something that the format cannot hold.
    package mutating func lose(_ reason: String) { losses.append(MetadataLoss.chapters(reason: reason)) }

    /// Notes how many times it happens, if it does.
    package mutating func lose(_ count: Int, _ reason: String) { if count > 0 { lose("\(count) \(reason)") } }

    /// Notes something that the format holds in another form.
    package mutating func change(_ reason: String) {
        losses.append(MetadataLoss.chapters(reason: reason, isChange: true))
    }

    /// Notes how many times it happens, if it does.
    package mutating func change(_ count: Int, _ reason: String) { if count > 0 { change("\(count) \(reason)") } }

    /// Changes the titles, and tells how many came out different.
    mutating func changeTitles(_ change: (String) -> String, reason: String) {
        var changed = 0
        for index in items.indices {
            let title = change(items[index].title)
            changed += title == items[index].title ? 0 : 1
            items[index].title = title
        }
        self.change(changed, reason)
    }

    /// Orders the chapters by start; those that begin together keep their order.
    mutating func sort() {
        guard zip(items, items.dropFirst()).contains(where: { $1.start < $0.start }) else { return }
        items = items.enumerated().sorted {
            $0.element.start < $1.element.start
                || $0.element.start == $1.element.start && $0.offset < $1.offset
        }.map(\.element)
        change("the chapters are not in the order of their times, and are put in it")
    }

    /// Says where each chapter ends that does not say so itself: at the next
    /// later start, the last ones at an end that is given.
    mutating func fillEnds(until duration: CMTime) {
        var next = duration.isNumeric ? duration : CMTime.invalid
        for index in items.indices.reversed() {
            if index + 1 < items.count, items[index + 1].start > items[index].start { next = items[index + 1].start }
            if !items[index].end.isValid, next.isValid, next >= items[index].start { items[index].end = next }
        }
    }

    /// Puts the chapters one after another between zero and an end, so that no
    /// two are at the same time.
    ///
    /// Every chapter has an end then, which may be its start.
    ///
    /// - Parameters:
    ///   - duration: Where the movie ends, not numeric if that is not known.
    ///   - keepsEnds: Whether the format stores ends, so that a change of one is a loss.
    package mutating func putInSequence(until duration: CMTime, keepsEnds: Bool) {
        sort()
        let count = items.count
        items.removeAll { $0.start < .zero && $0.end.isValid && $0.end <= .zero }
        if duration.isNumeric { items.removeAll { $0.start >= duration } }
        lose(count - items.count, "chapters lie outside of the movie and are left out")
        var (early, overlapping) = (0, 0)
        for index in items.indices {
            if items[index].start < .zero {
                items[index].start = CMTime(value: 0, timescale: items[index].start.timescale)
                early += 1
            }
            let next = index + 1 < items.count ? items[index + 1].start : duration
            let limit = next.isNumeric ? CMTimeMaximum(next, items[index].start) : CMTime.positiveInfinity
            if !items[index].end.isValid {
                items[index].end = limit.isNumeric ? limit : items[index].start
            } else if items[index].end > limit {
                // At the movie's end that is no change that anybody could notice.
                let isCut = index + 1 < items.count && !items[index].hasChildren
                overlapping += isCut ? 1 : 0
                items[index].end = limit
            }
        }
        change(early, "chapters begin before zero, and are made to begin there")
        if keepsEnds { change(overlapping, "chapters last into the next one, and are made to end there") }
    }
}

extension Chapter {
    /// Its name in a language: the same tag, else the same language, else the first one.
    func title(in languageTag: String?) -> String {
        guard let languageTag, titles.count > 1 else { return title }
        let language = languageTag.prefix { $0 != "-" }
        let exact = titles.first { $0.languageTag == languageTag }
        return (exact ?? titles.first { $0.languageTag?.prefix { $0 != "-" } == language })?.text ?? title
    }
}

extension ChapterList {
    /// The languages of the titles, each once, in file order; the list's own if they say none.
    ///
    /// A chapter track has one language: a list with titles in several becomes several tracks.
    package var titleLanguages: [String?] {
        var languages: [String?] = []
        var rest = Array(chapters.reversed())
        while let chapter = rest.popLast() {
            rest += chapter.children.reversed()
            for title in chapter.titles where !languages.contains(title.languageTag ?? languageTag) {
                languages.append(title.languageTag ?? languageTag)
            }
        }
        return languages.isEmpty ? [languageTag] : languages
    }
}

/// Times as hours, minutes, seconds and a decimal fraction.
enum ChapterTimestamp {
    /// Ticks of one nanosecond, the finest that these formats have.
    static let nanoseconds: CMTimeScale = 1_000_000_000

    /// The time that `HH:MM:SS.fff` says; hours may be left out, or minutes as well.
    ///
    /// Up to three decimals are milliseconds, up to nine nanoseconds. A comma
    /// may stand for the point.
    static func time(_ text: some StringProtocol) -> CMTime? {
        let parts = Substring(text).split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let seconds = last.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard seconds.count <= 2 else { return nil }
        var total: Int64 = 0
        for (index, part) in (parts.dropLast() + [seconds[0]]).enumerated() {
            // Ten digits of hours are more than a CMTime needs, and overflow nothing.
            guard let number = number(part, maximumDigits: 10), index == 0 || number < 60 else { return nil }
            total = total * 60 + number
        }
        let fraction = seconds.count == 2 ? seconds[1] : ""
        guard seconds.count == 1 || (1...9).contains(fraction.utf8.count) else { return nil }
        let digits = fraction.utf8.count <= 3 ? 3 : 9
        let padded = String(fraction) + String(repeating: "0", count: digits - fraction.utf8.count)
        guard let ticks = number(padded, maximumDigits: 9) else { return nil }
        let timescale: CMTimeScale = digits == 3 ? 1000 : nanoseconds
        let (product, isTooLong) = total.multipliedReportingOverflow(by: Int64(timescale))
        let (value, isOver) = product.addingReportingOverflow(ticks)
        return isTooLong || isOver ? nil : CMTime(value: value, timescale: timescale)
    }

    private static func number(_ text: some StringProtocol, maximumDigits: Int) -> Int64? {
        guard (1...maximumDigits).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int64(text)
    }

    /// `HH:MM:SS.fff` of a time, rounded to so many decimals; negative times are zero.
    static func text(_ time: CMTime, decimals: Int) -> String {
        let scale: CMTimeScale = decimals == 3 ? 1000 : nanoseconds
        let time = time.convertScale(scale, method: .default)
        let ticks = time.isNumeric ? max(0, time.value) : 0
        let seconds = ticks / Int64(scale)
        let fraction = (ticks % Int64(scale)).zeroPadded(to: decimals == 3 ? 3 : 9)
        return "\((seconds / 3600).zeroPadded(to: 2)):\((seconds / 60 % 60).zeroPadded(to: 2))"
            + ":\((seconds % 60).zeroPadded(to: 2)).\(fraction)"
    }

    /// Whether the text of a time says it exactly.
    static func isExact(_ time: CMTime, decimals: Int) -> Bool {
        time >= .zero && time.convertScale(decimals == 3 ? 1000 : nanoseconds, method: .default) == time
    }
}

extension LinearChapters {
    /// Tells how many times are not whole milliseconds, which is what a format counts in.
    mutating func loseFractionsOfMilliseconds(ofEnds hasEnds: Bool) {
        var rounded = 0
        for item in items {
            rounded += ChapterTimestamp.isExact(item.start, decimals: 3) ? 0 : 1
            rounded += !hasEnds || !item.end.isValid || ChapterTimestamp.isExact(item.end, decimals: 3) ? 0 : 1
        }
        change(rounded, "times are rounded to milliseconds")
    }

    /// Tells how many chapters end elsewhere than where the next one begins, for formats without ends.
    mutating func loseEnds(until duration: CMTime) {
        var lost = 0
        for (index, item) in items.enumerated() where item.end.isNumeric && !item.hasChildren {
            let next = index + 1 < items.count ? items[index + 1].start : duration
            lost += next.isNumeric && next != item.end ? 1 : 0
        }
        lose(lost, "chapters end before or after the next one's beginning, which is not stored")
    }
}
