public import Foundation
public import MediaCore

/// What `storyboard.json` says: the whole of a storyboard, exact, for programs.
///
/// Reading one checks all of it: what it says of sheets, tiles and cues must be
/// what follows from its grid and times, and no file that it names lies outside
/// its folder. Its format is described in `docs/storyboard.schema.json`.
public struct StoryboardDocument: Sendable, Hashable, Codable {
    /// What tells one version of the film's file from another.
    public struct Source: Sendable, Hashable {
        /// The file's name, without its folder.
        public let name: String
        /// The file's size in bytes.
        public let byteCount: Int64
        /// When the file was last written to, as ISO 8601 writes it, with nanoseconds.
        public let modificationTime: String

        /// Describes a file.
        ///
        /// - Parameters:
        ///   - seconds: When it was last written to, in seconds since 1970 began.
        ///   - nanoseconds: What comes on top of them.
        public init(name: String, byteCount: Int64, modifiedSeconds seconds: Int64, nanoseconds: Int) {
            let second = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
            let fraction = max(0, min(999_999_999, nanoseconds)).zeroPadded(to: 9)
            let time = second.hasSuffix("Z") ? "\(second.dropLast()).\(fraction)Z" : second
            self.init(name: name, byteCount: byteCount, modificationTime: time)
        }

        init(name: String, byteCount: Int64, modificationTime: String) {
            (self.name, self.byteCount, self.modificationTime) = (name, byteCount, modificationTime)
        }
    }

    /// A document that is none, or contradicts itself.
    public struct Failure: BridgedError, Hashable, CustomStringConvertible, LocalizedError {
        /// What is wrong, in one line.
        public let description: String
        /// What is wrong, in one line.
        public var errorDescription: String? { description }
    }

    /// The file's usual name.
    public static let fileName = "storyboard.json"
    /// The version of the format that is written, and the only one that is read.
    public static let version = 2
    /// The longest file that is read, in bytes: 64 MiB.
    public static let maximumByteCount = 1 << 26

    /// The film's file.
    public let source: Source
    /// The pictures, their times and places.
    public let storyboard: Storyboard
    /// How the storyboard was made.
    public let settings: StoryboardSettings
    /// Every file of the set, this one too, as paths in its folder, sorted.
    public let files: [String]

    /// Describes a storyboard.
    ///
    /// - Parameter files: Every file of the set but this one, as paths in its folder.
    public init(source: Source, storyboard: Storyboard, settings: StoryboardSettings, files: [String]) {
        self.source = source
        self.storyboard = storyboard
        self.settings = settings
        self.files = Set(files + [Self.fileName]).sorted()
    }

    /// Reads a document.
    ///
    /// - Throws: `Failure` if it is none, of another version, too long, or one that contradicts itself.
    public init(data: Data) throws(Failure) {
        guard data.count <= Self.maximumByteCount else { throw Failure(description: "is too long") }
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch let error as DecodingError {
            throw Failure(description: error.summary)
        } catch {
            throw Failure(description: "is not JSON that can be read")
        }
    }

    /// The document as it is written: JSON in UTF-8, keys in alphabetical order, with a line break at its end.
    ///
    /// What could steer a terminal or turn the direction of the writing is escaped.
    ///
    /// - Throws: `EncodingError` if a time is no number.
    public func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return Data((String(decoding: try encoder.encode(self), as: UTF8.self).printableJSON + "\n").utf8)
    }

    /// Writes the document's fields.
    public func encode(to encoder: any Encoder) throws { try StoryboardForm(self).encode(to: encoder) }

    /// Reads and checks the document's fields.
    public init(from decoder: any Decoder) throws { self = try StoryboardForm(from: decoder).document(from: decoder) }
}

extension DecodingError {
    /// Where and what, in one line, without a word of the text that was read.
    fileprivate var summary: String {
        func place(_ context: Context, _ key: (any CodingKey)? = nil) -> String {
            let path = (context.codingPath + (key.map { [$0] } ?? [])).map {
                $0.intValue.map(String.init) ?? $0.stringValue
            }
            return path.isEmpty ? "" : path.joined(separator: ".") + ": "
        }
        switch self {
        case .keyNotFound(let key, let context): return place(context, key) + "is missing"
        case .valueNotFound(_, let context): return place(context) + "is missing"
        case .typeMismatch(_, let context): return place(context) + "is of another type"
        case .dataCorrupted(let context):
            if let problem = context.underlyingError as? StoryboardForm.Problem {
                return place(context) + problem.reason
            }
            return context.codingPath.isEmpty ? "is not JSON that can be read" : place(context) + "cannot be read"
        @unknown default: return "cannot be read"
        }
    }
}
