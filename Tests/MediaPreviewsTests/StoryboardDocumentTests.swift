import Foundation
import MediaCore
import MediaPreviews
import MediaTestSupport
import Testing

@Suite("storyboard.json") struct StoryboardDocumentTests {
    private static func document(name: String = "film.mp4") -> StoryboardDocument {
        var settings = StoryboardSettings()
        settings.interval = CMTime(value: 10, timescale: 1)
        settings.columns = 3
        settings.rows = 2
        settings.extras = [.page, .bif]
        settings.timeline = .container
        settings.part = CMTimeRange(start: .zero, duration: CMTime(value: 131, timescale: 2))
        let time = CMTime(value: 10, timescale: 1)
        let tiles = (0..<7).map { index in
            let requested = CMTimeMultiply(time, multiplier: Int32(index))
            return Storyboard.Tile(
                requestedTime: requested, actualTime: requested + CMTime(value: Int64(index), timescale: 30000),
                isSyncSample: index % 2 == 0, isExact: index == 0, damage: index == 2 ? "grey" : nil,
                gap: index == 3 ? "<b>\"no\n" : nil)
        }
        let board = Storyboard(
            sourceName: name, duration: CMTime(value: 131, timescale: 2), origin: CMTime(value: 5, timescale: 1),
            timeline: .container, interval: time, tileWidth: 160,
            tileHeight: 90, columns: 3, rows: 2, format: .jpeg, tiles: tiles, sheetByteCounts: [30000, 5000])
        return StoryboardDocument(
            source: .init(name: name, byteCount: 123_456, modifiedSeconds: 1_700_000_000, nanoseconds: 42),
            storyboard: board, settings: settings,
            files: ["storyboard-002.jpg", "storyboard.vtt", "storyboard-001.jpg", "film.trickplay/160 - 3x2/0.jpg"])
    }

    private static func object() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: try document().data()) as? [String: Any])
    }

    /// A value with another one in a place of it; `nil` there takes out what it has.
    private static func changed(_ value: Any, at path: ArraySlice<String>, to other: Any?) throws -> Any? {
        guard let key = path.first else { return other }
        let rest = path.dropFirst()
        if var values = value as? [Any], let index = Int(key) {
            values[index] = try #require(try changed(values[index], at: rest, to: other))
            return values
        }
        var object = try #require(value as? [String: Any])
        object[key] = try changed(try #require(object[key]), at: rest, to: other)
        return object
    }

    /// What is said of a document that is not read; `nil` if it is.
    private static func failure(of object: Any) -> String? {
        do {
            _ = try StoryboardDocument(data: try JSONSerialization.data(withJSONObject: object))
            return nil
        } catch {
            return (error as? StoryboardDocument.Failure)?.description ?? "\(error)"
        }
    }

    @Test(arguments: ["film.mp4", "é \" \\ <script>\n\u{2028}.mkv", "😀"])
    func `A storyboard document is the same after writing and reading`(name: String) throws {
        let document = Self.document(name: name)
        #expect(try StoryboardDocument(data: document.data()) == document)
        #expect(try document.data() == document.data())
    }

    @Test func `Times of a storyboard document are exact and sheets complete`() throws {
        let object = try Self.object()
        let tile = try #require((object["tiles"] as? [NSDictionary])?[4])
        // 40 s and 4 ticks of 1/30000 s.
        #expect(
            tile["actual"] as? NSDictionary == [
                // 40.00013333…: the texts of the nearest number are below that.
                "value": 1_200_004, "timescale": 30000, "seconds": (1_200_004.0 / 30000).nextUp,
            ])
        #expect([tile["sheet"], tile["x"], tile["y"]] as? [Int] == [0, 160, 90])
        let sheet = try #require((object["sheets"] as? [NSDictionary])?[1])
        let wanted: NSDictionary = [
            "file": "storyboard-002.jpg", "size": 5000, "width": 480, "height": 180, "tiles": 1,
        ]
        #expect(sheet == wanted)
        // Unix time 1700000000, by date(1).
        #expect((object["source"] as? NSDictionary)?["modified"] as? String == "2023-11-14T22:13:20.000000042Z")
        #expect((object["cues"] as? [NSDictionary])?.last == ["start": 65001, "end": 70500, "tile": 6])
        #expect(
            object["files"] as? [String] == [
                "film.trickplay/160 - 3x2/0.jpg", "storyboard-001.jpg", "storyboard-002.jpg", "storyboard.json",
                "storyboard.vtt",
            ])
    }

    /// One change that makes a document wrong, and what is said of it.
    struct Change: Sendable, CustomTestStringConvertible {
        let path: [String]
        let json: String
        let reason: String
        var testDescription: String { path.joined(separator: ".") + " = " + json }
        init(_ path: String, _ json: String, _ reason: String) {
            (self.path, self.json, self.reason) = (path.components(separatedBy: "/"), json, reason)
        }
    }

    @Test(arguments: [
        Change("version", "1", "version: is not 2"),
        Change("part/start/value", "10", "part: is no part of a film"),
        Change("origin/seconds", "1", "origin: contradicts itself"),
        Change("times", "\"asset\"", "cues: are not those of the tiles"),
        Change("interval/value", "0", "interval: is not above zero"),
        Change("interval/timescale", "0", "interval: is not above zero"),
        Change("interval/seconds", "11", "interval: is not above zero"),
        Change("duration/value", "-131", "duration: is not above zero"),
        Change("duration/value", "99999999999999999999", "is not JSON that can be read"),
        Change("duration", "null", "duration: is missing"),
        Change("grid/columns", "0", "grid: has sides that no picture has"),
        Change("grid/columns", "9223372036854775807", "grid: has sides that no picture has"),
        Change("tile/width", "60000", "grid: is too large for a sheet"),
        Change("tile/width", "161", "sheets: are not those of the grid"),
        Change("format", "\"png\"", "sheets: are not those of the grid"),
        Change("format", "\"exe\"", "format: cannot be read"),
        Change("sheets/0/file", "\"../../etc/passwd\"", "sheets: are not those of the grid"),
        Change("sheets/1/size", "0", "sheets: have no bytes"),
        Change("sheets", "[]", "sheets: are not those of the grid"),
        Change("tiles", "[]", "tiles: are not from 1 to 100000"),
        Change("tiles/1/x", "0", "tiles: are not where the grid has them"),
        Change("tiles/1/requested/value", "11", "tiles: have a time that contradicts itself"),
        Change(
            "tiles/1/requested", "{\"value\":11,\"timescale\":1,\"seconds\":11}", "tiles: are not an interval apart"),
        Change(
            "tiles/6/actual", "{\"value\":9223372036854775807,\"timescale\":1000,\"seconds\":9223372036854775.807}",
            "tiles: have a time that contradicts itself"),
        Change("tiles/1/exact", "1.5", "tiles.1.exact: is of another type"),
        Change("cues/0/start", "1", "cues: are not those of the tiles"),
        Change("source/name", "\"../film.mp4\"", "source: has a name that no file has"),
        Change("source/name", "\"\"", "source: has a name that no file has"),
        Change("source/size", "-1", "source: is of no size"),
        Change("source/modified", "\"yesterday, or so I think\"", "source: is of no time"),
        Change("settings/extras", "[\"rm\"]", "settings: are unknown"),
        Change("files", "[\"storyboard-001.jpg\",\"storyboard.json\"]", "files: are not all of them"),
        Change("files/0", "\"/etc/passwd\"", "files: lie outside the folder"),
        Change("files/0", "\"../x\"", "files: lie outside the folder"),
        Change("files/0", "\"a/./x\"", "files: lie outside the folder"),
        Change("files/0", "\"a//x\"", "files: lie outside the folder"),
        Change("files/0", "\"a\\u0000\"", "files: lie outside the folder"),
        Change("files/0", "\"storyboard.json\"", "files: are not sorted"),
    ])
    func `A storyboard document that contradicts itself is refused`(change: Change) throws {
        let value = try JSONSerialization.jsonObject(with: Data(change.json.utf8), options: .fragmentsAllowed)
        let object = try #require(try Self.changed(try Self.object(), at: change.path[...], to: value))
        #expect(Self.failure(of: object) == change.reason)
    }

    @Test func `A storyboard document that lacks a part is refused with its name`() throws {
        for key in try Self.object().keys {
            let object = try #require(try Self.changed(try Self.object(), at: [key], to: nil))
            #expect(Self.failure(of: object) == key + ": is missing")
        }
    }

    @Test func `Text that is no storyboard document is refused`() throws {
        for text in ["", "{", "[]", "null", "\u{feff}", String(repeating: "[", count: 100_000), "{\"version\":1}"] {
            #expect(throws: StoryboardDocument.Failure.self) { try StoryboardDocument(data: Data(text.utf8)) }
        }
        let long = Data(count: StoryboardDocument.maximumByteCount + 1)
        #expect(throws: StoryboardDocument.Failure.self) { try StoryboardDocument(data: long) }
    }

    @Test func `Damaged bytes never give a storyboard document that names other files`() throws {
        let whole = try Self.document().data()
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<300 {
            var data = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                data[Int.random(in: 0..<data.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let document = try? StoryboardDocument(data: data) else { continue }
            #expect(document.files.allSatisfy { !$0.hasPrefix("/") && !$0.contains("..") })
            #expect(document.storyboard.sheetName(1) == "storyboard-002.jpg")
        }
    }

    @Test func `The schema describes all of the storyboard document`() throws {
        let url = Fixture.root.appendingPathComponent("docs/storyboard.schema.json")
        let read = try JSONSerialization.jsonObject(with: try Data(contentsOf: url))
        let schema = try #require(read as? [String: Any])
        let checker = SchemaChecker(definitions: schema["$defs"] as? [String: Any] ?? [:])
        let object = try Self.object()
        #expect(checker.problems(of: object, in: schema, at: "") == [])
        #expect(checker.seen(in: schema).isSubset(of: checker.keys(of: object)))
        var wrong = try #require(try Self.changed(object, at: ["tile", "width"], to: nil) as? [String: Any])
        wrong["version"] = 1
        wrong["more"] = 1
        #expect(checker.problems(of: wrong, in: schema, at: "").sorted() == ["more", "tile.width", "version"])
    }

    /// A sheet in a format that the schema did not name would break its readers.
    @Test(arguments: PreviewImageFormat.allCases)
    func `The schema of storyboards names each format of sheets`(_ format: PreviewImageFormat) throws {
        let url = Fixture.root.appendingPathComponent("docs/storyboard.schema.json")
        let read = try JSONSerialization.jsonObject(with: try Data(contentsOf: url))
        let schema = try #require(read as? [String: Any])
        let checker = SchemaChecker(definitions: schema["$defs"] as? [String: Any] ?? [:])
        let places: [ArraySlice<String>] = [["format"], ["settings", "format"]]
        for place in places {
            let object = try #require(
                try Self.changed(try Self.object(), at: place, to: format.rawValue) as? [String: Any])
            let problems = checker.problems(of: object, in: schema, at: "")
            #expect(problems == [], "docs/storyboard.schema.json lacks \(format.rawValue) there")
        }
    }
}

/// As much of JSON Schema as the storyboard's needs.
private struct SchemaChecker {
    let definitions: [String: Any]

    private func resolved(_ schema: [String: Any]) -> [String: Any] {
        let name = (schema["$ref"] as? String)?.components(separatedBy: "/").last
        return name.flatMap { definitions[$0] as? [String: Any] } ?? schema
    }

    /// Where a value is not as the schema says.
    func problems(of value: Any, in unresolved: [String: Any], at path: String) -> [String] {
        let schema = resolved(unresolved)
        var isRight = true
        if let wanted = schema["const"] as? NSNumber { isRight = value as? NSNumber == wanted }
        if let wanted = schema["enum"] as? [String] { isRight = (value as? String).map(wanted.contains) ?? false }
        switch schema["type"] as? String {
        case "integer": isRight = (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
        case "number": isRight = value is NSNumber
        case "string": isRight = (value as? String).map { $0.count >= schema["minLength"] as? Int ?? 0 } ?? false
        case "boolean": isRight = value is Bool
        case "array":
            let items = schema["items"] as? [String: Any] ?? [:]
            guard let values = value as? [Any], values.count >= schema["minItems"] as? Int ?? 0 else { return [path] }
            return values.flatMap { problems(of: $0, in: items, at: path) }
        case "object": return objectProblems(of: value, in: schema, at: path)
        default: break
        }
        if let minimum = schema["minimum"] as? Double { isRight = isRight && (value as? Double ?? -1) >= minimum }
        return isRight ? [] : [path]
    }

    private func objectProblems(of value: Any, in schema: [String: Any], at path: String) -> [String] {
        guard let object = value as? [String: Any], schema["additionalProperties"] as? Bool == false else {
            return [path]
        }
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        let prefix = path.isEmpty ? "" : path + "."
        let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map { prefix + $0 }
        return missing
            + object.flatMap { key, value in
                properties[key].map { problems(of: value, in: $0, at: prefix + key) } ?? [prefix + key]
            }
    }

    /// All names of properties in a schema.
    func seen(in unresolved: [String: Any]) -> Set<String> {
        let schema = resolved(unresolved)
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        let items = (schema["items"] as? [String: Any]).map(seen) ?? []
        return properties.values.reduce(items.union(properties.keys)) { $0.union(seen(in: $1)) }
    }

    /// All keys in a value.
    func keys(of value: Any) -> Set<String> {
        if let values = value as? [Any] { return values.reduce([]) { $0.union(keys(of: $1)) } }
        guard let object = value as? [String: Any] else { return [] }
        return object.values.reduce(Set(object.keys)) { $0.union(keys(of: $1)) }
    }
}
