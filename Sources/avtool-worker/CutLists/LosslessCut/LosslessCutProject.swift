internal import MediaCore

/// What LosslessCut keeps beside a film: `{ version, mediaFileName, cutSegments: [{ start, end, name, selected }] }`.
enum LosslessCutProject {
    static func parse(_ text: ListText) throws(CutListError) -> CutList {
        let root = try JSON5Parser.parse(text.text)
        guard case .object = root.content else { throw CutListError(line: root.line, "the project is no object") }
        let version = try root["version"].map(version) ?? 1
        guard let list = root["cutSegments"], case .array(let elements) = list.content else {
            throw CutListError(line: root["cutSegments"]?.line ?? root.line, "cutSegments is no list of segments")
        }
        var segments: [CutList.Segment] = []
        for element in elements { try add(element, version: version, to: &segments) }
        if segments.isEmpty, !elements.isEmpty {
            throw CutListError(line: list.line, "no segment is selected and has an end")
        }
        let name = try string("mediaFileName", of: root)
        return CutList(
            format: .losslessCutProject, meaning: .keep, segments: segments,
            mediaFileName: name.isEmpty ? nil : String(name))
    }

    private static func version(_ value: JSON5Value) throws(CutListError) -> Int {
        if case .number("1") = value.content { return 1 }
        if case .number("2") = value.content { return 2 }
        throw CutListError(line: value.line, "this version of LosslessCut's projects is not known, only 1 and 2")
    }

    private static func add(
        _ element: JSON5Value, version: Int, to segments: inout [CutList.Segment]
    ) throws(CutListError) {
        guard case .object = element.content else { throw CutListError(line: element.line, "a segment is no object") }
        let (start, end) = (try time("start", of: element), try time("end", of: element))
        let name = try string("name", of: element)
        if let selected = element["selected"] {
            guard case .bool(let isSelected) = selected.content else {
                throw CutListError(line: selected.line, "selected is neither true nor false")
            }
            guard isSelected else { return }
        }
        // Since version 2 what has no end is a marker, which LosslessCut does not export; it was an open end before.
        if version >= 2, end == nil { return }
        try segments.add(from: start ?? .zero, to: end, name: name, line: element.line)
    }

    private static func time(_ key: String, of element: JSON5Value) throws(CutListError) -> CMTime? {
        guard let value = element[key] else { return nil }
        guard case .number(let digits) = value.content else {
            throw CutListError(line: value.line, "\(key) is no number of seconds")
        }
        return try TimeText.time(digits, line: value.line)
    }

    /// A text, empty if there is none.
    private static func string(_ key: String, of element: JSON5Value) throws(CutListError) -> Substring {
        guard let value = element[key] else { return "" }
        guard case .string(let text) = value.content else { throw CutListError(line: value.line, "\(key) is no text") }
        return text[...]
    }
}
