internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A value that people write as text.
protocol TextualValue: Sendable {
    init(text: String) throws
}

/// What a person wrote for a value: parsed once, when the command line is.
///
/// What is wrong with it is kept until somebody asks, so that it is told in the words of the value's own parser.
struct Written<Value: TextualValue>: ExpressibleByArgument, Codable, Sendable {
    let text: String
    private let parsed: Result<Value, any Error>

    var defaultValueDescription: String { text }

    init(argument: String) {
        text = argument
        parsed = Result { try Value(text: argument) }
    }

    init(from decoder: any Decoder) throws { self.init(argument: try String(from: decoder)) }

    func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }

    /// The value.
    func get() throws -> Value { try parsed.get() }

    /// Says what is wrong with the text.
    func validate() throws {
        do {
            _ = try get()
        } catch {
            throw ValidationError(Failure(error).message)
        }
    }
}

extension TimeExpression: TextualValue {
    init(text: String) throws { self = try Self.parse(text) }
}

extension TimeRangeExpression: TextualValue {
    init(text: String) throws { self = try Self.parse(text) }
}

extension MetadataName: TextualValue {
    init(text: String) throws { try self.init(text) }
}

extension MetadataAssignment: TextualValue {
    init(text: String) throws { try self.init(text) }
}

/// A length of time.
struct Length: TextualValue {
    let time: CMTime

    init(text: String) throws { time = try DurationExpression.parse(text) }
}

/// Times with commas between them.
struct TimeList: TextualValue {
    /// The times, each with what was written for it.
    let entries: [(text: String, time: TimeExpression)]

    init(text: String) throws {
        let texts = text.split(separator: ",", omittingEmptySubsequences: false)
        entries = zip(texts, try TimeExpression.parseList(text)).map {
            ($0.trimmingCharacters(in: .whitespaces), $1)
        }
    }
}

extension Written<Length> {
    /// The time.
    func time() throws -> CMTime { try get().time }

    /// Says what is wrong with the text, or that the time is not above zero.
    func validate(aboveZero option: String) throws {
        try validate()
        guard try time() > .zero else { throw ValidationError("\(option) takes a duration above zero.") }
    }
}
