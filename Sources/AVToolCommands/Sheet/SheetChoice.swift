package import MediaCore

/// Which moments of a film a sheet shows.
package enum SheetChoice: Codable, Sendable {
    /// So many, or what so many rows hold, spread evenly.
    case even(rows: Int?, count: Int?)
    case times(Written<TimeList>)
    case chapters
    case scenes(SceneDetectionSettings.Method, namedByUser: Bool)

    /// What was asked for, as the marks of sheets have it.
    package func texts(of part: FilmPart) -> [String] {
        var (times, chapters, scenes) = ("", "", "")
        switch self {
        case .even: break
        case .times(let list): times = list.text
        case .chapters: chapters = "chapters"
        case .scenes(let method, let isNamed): scenes = "scenes \(isNamed ? method.rawValue : "")"
        }
        return [times, chapters, part.from?.text ?? "", part.to?.text ?? "", scenes]
    }
}
