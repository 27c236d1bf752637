internal import MediaCore
package import MediaIO
package import MediaMetadata

// Chapters between processes.

extension Chapter.Title: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(text)
        message.put(languageTag)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(try message.text(), languageTag: try message.optionalText())
    }
}

extension Chapter: MessageValue {
    /// Levels beyond this are more than readers go into.
    private static let deepest = Int(MediaLimits.Name.nesting.range.upperBound)

    package func write(to message: inout MessageWriter) {
        message.put(start)
        message.put(end)
        message.put(titles)
        message.put(artwork) { $0.put($1) }
        message.put(link)
        message.put(identifier)
        message.put(isHidden)
        message.put(isEnabled)
        message.put(children)
    }

    package init(from message: inout MessageReader) throws(MessageError) { try self.init(from: &message, level: 0) }

    /// - Throws: Also where there is no end to chapters within chapters, which would take the stack's.
    private init(from message: inout MessageReader, level: Int) throws(MessageError) {
        guard level <= Self.deepest else { throw MessageError() }
        self.init(start: try message.value(), end: try message.value(), titles: try message.values())
        artwork = try message.optional { message throws(MessageError) in try message.list() }
        (link, identifier) = (try message.optionalText(), try message.optionalText())
        (isHidden, isEnabled) = (try message.flag(), try message.flag())
        children = try message.list { message throws(MessageError) in try Chapter(from: &message, level: level + 1) }
    }
}

extension ChapterList: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(form.rawValue)
        message.put(languageTag)
        message.put(chapters)
        for flag in [isDefault, isHidden, isOrdered] { message.put(flag) }
        message.put(trackID)
        message.put(identifier)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        guard let form = Form(rawValue: try message.text()) else { throw MessageError() }
        self.init(
            form: form, languageTag: try message.optionalText(), chapters: try message.values(),
            isDefault: try message.flag(), isHidden: try message.flag(), isOrdered: try message.flag(),
            trackID: try message.optionalInteger(), identifier: try message.optionalText())
    }
}
