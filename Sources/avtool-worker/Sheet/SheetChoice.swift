internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// Which moments of a film a sheet shows.
enum SheetChoice: Codable, Sendable {
    /// So many, or what so many rows hold, spread evenly.
    case even(rows: Int?, count: Int?)
    case times(Written<TimeList>)
    case chapters
    case scenes(SceneDetectionSettings.Method, namedByUser: Bool)

    /// What was asked for, as the marks of sheets have it.
    func texts(of part: FilmPart) -> [String] {
        var (times, chapters, scenes) = ("", "", "")
        switch self {
        case .even: break
        case .times(let list): times = list.text
        case .chapters: chapters = "chapters"
        case .scenes(let method, let isNamed): scenes = "scenes \(isNamed ? method.rawValue : "")"
        }
        return [times, chapters, part.from?.text ?? "", part.to?.text ?? "", scenes]
    }

    /// The moments.
    ///
    /// - Parameter shots: The scenes, where those decide.
    func moments(
        of asset: AVURLAsset, in part: CMTimeRange?, _ shots: SceneList?
    ) async throws -> ContactSheet.Moments {
        switch self {
        case .even: return .even
        case .chapters: return .chapters
        case .times(let list): return .times(try await asset.loadTimes(list.get()).map { try $0.place.get() })
        case .scenes: return .times((shots?.middles ?? []).filter { part?.containsTime($0) ?? true })
        }
    }
}
