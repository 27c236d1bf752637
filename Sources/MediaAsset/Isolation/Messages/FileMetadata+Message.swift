internal import Foundation
package import MediaCore
package import MediaIO
package import MediaMetadata
internal import MetadataFormats

// The metadata of a file, between processes.

extension MetadataValue: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .text(let text):
            message.put(0)
            message.put(text)
        case .integer(let number):
            message.put(1)
            message.put(number)
        case .real(let number):
            message.put(2)
            message.put(number)
        case .data(let bytes):
            message.put(3)
            message.put(bytes)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .text(try message.text())
        case 1: self = .integer(try message.integer())
        case 2: self = .real(try message.number())
        case 3: self = .data(try message.list())
        default: throw MessageError()
        }
    }
}

extension MetadataKey: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .code(let code):
            message.put(0)
            message.put(code)
        case .text(let text):
            message.put(1)
            message.put(text)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .code(try message.integer())
        case 1: self = .text(try message.text())
        default: throw MessageError()
        }
    }
}

extension MetadataEntry: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(keySpace.rawValue)
        message.put(key)
        message.put(value)
        message.put(dataType)
        message.put(languageTag)
        message.put(list: extras) { message, extra in
            message.put(extra.key.rawValue)
            message.put(extra.value)
        }
        message.put(time)
        message.put(duration)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            AVMetadataKeySpace(rawValue: try message.text()), try message.value(), try message.value(),
            dataType: try message.optionalText(), languageTag: try message.optionalText())
        let extras = try message.list { message throws(MessageError) in
            (
                key: AVMetadataExtraAttributeKey(rawValue: try message.text()),
                value: try message.value(MetadataValue.self)
            )
        }
        for extra in extras { self.extras[extra.key] = extra.value }
        (time, duration) = (try message.value(), try message.value())
    }
}

extension FileMetadata.Track: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(trackID)
        message.put(entries)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(trackID: try message.integer(), entries: try message.values())
    }
}

extension FileMetadata.Attachment: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(name)
        message.put(mimeType)
        message.put(description)
        message.put(Int64(bitPattern: uid))
        message.put(range.lowerBound)
        message.put(range.upperBound)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let (name, mimeType, description) = (try message.text(), try message.text(), try message.optionalText())
        let uid = UInt64(bitPattern: try message.integer(Int64.self))
        let (start, end) = (try message.integer(UInt64.self), try message.integer(UInt64.self))
        guard start <= end else { throw MessageError() }
        self.init(name: name, mimeType: mimeType, description: description, uid: uid, range: start..<end)
    }
}

extension TrackLabel: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(trackID)
        for text in [languageTag, name, handlerName] { message.put(text) }
        message.put(roles.rawValue)
        message.put(isForeign)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            trackID: try message.integer(), languageTag: try message.optionalText(), name: try message.optionalText(),
            handlerName: try message.optionalText(), roles: Roles(rawValue: try message.integer()))
        isForeign = try message.flag()
    }
}

extension FileMetadata: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(container.name)
        message.put(entries)
        message.put(tracks)
        message.put(labels)
        message.put(list: links) { $0.put($1) }
        message.put(list: chapterLists) { $0.put($1) }
        message.put(attachments)
        message.put(creationDate) { $0.put($1.timeIntervalSinceReferenceDate) }
        message.put(problems)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let name = try message.text()
        guard let container = ([.other] + Container.all).first(where: { $0.name == name }) else { throw MessageError() }
        self.init(container: container, entries: try message.values(), tracks: try message.values())
        labels = try message.values()
        links = try message.list { message throws(MessageError) in try message.values() }
        chapterLists = try message.values()
        attachments = try message.values()
        creationDate = try message.optional { message throws(MessageError) in
            Date(timeIntervalSinceReferenceDate: try message.finite())
        }
        problems = try message.texts()
    }
}

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

// Times between processes. What comes in is one of the kinds that calculations know.

extension CMTime: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(value)
        message.put(timescale)
        message.put(flags.rawValue)
        message.put(epoch)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            value: try message.integer(), timescale: try message.integer(),
            flags: CMTimeFlags(rawValue: try message.integer()), epoch: try message.integer())
        // No reader makes a numeric time without a timescale.
        guard !isNumeric || timescale > 0 else { throw MessageError() }
    }
}

extension CMTimeRange: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(start)
        message.put(duration)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(start: try message.value(), duration: try message.value())
    }
}

extension CMTimeMapping: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(source)
        message.put(target)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(source: try message.value(), target: try message.value())
    }
}

extension Timecode: MessageValue {
    package func write(to message: inout MessageWriter) {
        for field in [hours, minutes, seconds, frames] { message.put(field) }
        message.put(isDropFrame)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let known = Timecode(
            hours: try message.integer(), minutes: try message.integer(), seconds: try message.integer(),
            frames: try message.integer(), isDropFrame: try message.flag())
        guard let known else { throw MessageError() }
        self = known
    }
}

extension TimecodeScale: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(isOfFilm ? start : nil)
        message.put(framesPerSecond)
        message.put(frameDuration)
        message.put(startTime)
        message.put(numbersPictures)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let known = TimecodeScale(
            start: try message.optionalValue(), framesPerSecond: try message.integer(),
            frameDuration: try message.value(), startTime: try message.value(), numbersPictures: try message.flag())
        guard let known else { throw MessageError() }
        self = known
    }
}
