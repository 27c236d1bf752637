// Public because the conformances of public types are.
public import ArgumentParser
internal import Foundation
public import MediaCore
package import MediaMetadata

/// A value that people write as text.
package protocol TextualValue: Sendable {
    init(text: String) throws
}

/// What a person wrote for a value: parsed once, when the command line is.
///
/// What is wrong with it is kept until somebody asks, so that it is told in the words of the value's own parser.
package struct Written<Value: TextualValue>: ExpressibleByArgument, CustomStringConvertible, Sendable {
    package let text: String
    private let parsed: Result<Value, any Error>

    /// The text: what is told and compared of it depends on nothing inside.
    package var description: String { text }

    package var defaultValueDescription: String { text }

    package init(argument: String) {
        text = argument
        parsed = Result { try Value(text: argument) }
    }

    /// The value.
    package func get() throws -> Value { try parsed.get() }

    /// Says what is wrong with the text.
    func validate() throws {
        do {
            _ = try get()
        } catch {
            throw ValidationError(Failure(ofText: error).message)
        }
    }
}

extension TimeExpression: TextualValue {
    package init(text: String) throws { self = try Self.parse(text) }
}

extension TimeRangeExpression: TextualValue {
    package init(text: String) throws { self = try Self.parse(text) }
}

extension MetadataName: TextualValue {
    package init(text: String) throws { try self.init(text) }
}

extension MetadataAssignment: TextualValue {
    package init(text: String) throws { try self.init(text) }
}

/// A length of time.
package struct Length: TextualValue {
    package let time: CMTime

    package init(text: String) throws { time = try DurationExpression.parse(text) }
}

/// Times with commas between them.
package struct TimeList: TextualValue {
    /// The times, each with what was written for it.
    package let entries: [(text: String, time: TimeExpression)]

    package init(text: String) throws {
        let texts = text.split(separator: ",", omittingEmptySubsequences: false)
        entries = zip(texts, try TimeExpression.parseList(text)).map {
            ($0.trimmingCharacters(in: .whitespaces), $1)
        }
    }
}

extension Written<Length> {
    /// The time.
    package func time() throws -> CMTime { try get().time }

    /// Says what is wrong with the text, or that the time is not above zero.
    package func validate(aboveZero option: String) throws {
        try validate()
        guard try time() > .zero else { throw ValidationError("\(option) takes a duration above zero.") }
    }
}

extension SceneDetectionSettings.Method: ExpressibleByArgument {}
extension StillFit: ExpressibleByArgument {}
extension SheetLabels: ExpressibleByArgument {}
extension ExportAuditDepth: ExpressibleByArgument {}
extension PreviewTimeline: ExpressibleByArgument {}

extension PreviewImageFormat: ExpressibleByArgument {
    /// The format of a name, as people write it: `jpg` as well as `jpeg`.
    public init?(argument: String) { self.init(filenameExtension: argument.lowercased()) }
}

extension PreviewImageFormat {
    /// The format that a name ends in, or goes by: `jpg` as well as `jpeg`.
    package init?(filenameExtension name: String) {
        let format = Self.allCases.first { $0.filenameExtension == name || $0.rawValue == name }
        guard let format else { return nil }
        self = format
    }
}

extension ArgumentHelp {
    /// The help of an option that takes a list of times.
    ///
    /// - Parameter subject: What the times are.
    static func timeList(_ subject: String) -> ArgumentHelp {
        ArgumentHelp(
            "\(subject), separated by commas: 0,1.5,1m30s,00:01:02.5,1/3,25%,#120,#-1,end-2s,end, or timecodes: 01:00:10:00, with ; before the frames of drop frame.",
            valueName: "list")
    }
}
