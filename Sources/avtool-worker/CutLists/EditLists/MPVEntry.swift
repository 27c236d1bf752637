internal import MediaCore

/// A line of mpv's list.
struct MPVEntry {
    let file: String
    let start: CMTime
    /// `nil` is the end of the file.
    let end: CMTime?
    let title: String

    init(_ parameters: [(name: String, value: String)], line: Int) throws(CutListError) {
        var values: [String: String] = [:]
        for (index, parameter) in parameters.enumerated() {
            let positions = ["file", "start", "length"]
            guard !parameter.name.isEmpty || index < positions.count else {
                throw CutListError(line: line, "there are more than a file, a start and a length without names")
            }
            let name = parameter.name.isEmpty ? positions[index] : parameter.name
            guard positions.contains(name) || ["title", "layout", "timestamps"].contains(name) else {
                throw CutListError(line: line, "\(name.quoted()) is no parameter that is known")
            }
            guard values.updateValue(parameter.value, forKey: name) == nil else {
                throw CutListError(line: line, "\(name.quoted()) stands twice")
            }
        }
        if let timestamps = values["timestamps"], timestamps != "seconds" {
            throw CutListError(line: line, "times in \(timestamps.quoted()) cannot be done here, only in seconds")
        }
        file = values["file"] ?? ""
        guard !file.isEmpty else { throw CutListError(line: line, "there is no file") }
        start = try Self.time(values["start"], line: line) ?? .zero
        let length = try Self.time(values["length"], line: line)
        if let length, length == .zero { throw CutListError(line: line, "the length is zero") }
        let start = start
        end = length.map { start + $0 }
        if let end { _ = try TimeText.checked(end, "start and length together", line: line) }
        title = values["title"] ?? ""
    }

    private static func time(_ text: String?, line: Int) throws(CutListError) -> CMTime? {
        guard let text, !text.isEmpty else { return nil }
        return try TimeText.time(text[...], line: line)
    }
}
