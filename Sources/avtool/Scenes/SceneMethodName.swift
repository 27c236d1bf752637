internal import ArgumentParser
internal import OpenAVFoundation

/// What makes a cut, as the command line names it.
enum SceneMethodName: String, CaseIterable, Codable, ExpressibleByArgument {
    case adaptive, content

    var method: SceneDetectionSettings.Method {
        switch self {
        case .adaptive: .adaptive
        case .content: .content
        }
    }

    /// The scenes of a film; damage and a missing end are warned of.
    func scenes<Document>(of asset: AVURLAsset, _ work: Work<Document>) async throws -> SceneList {
        let list = try await asset.detectScenes(SceneDetectionSettings(method: method)) {
            work.progress($0, " scenes")
        }
        for warning in list.warnings { work.warn(warning) }
        return list
    }
}
