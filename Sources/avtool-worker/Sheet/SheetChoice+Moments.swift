internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension SheetChoice {
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
