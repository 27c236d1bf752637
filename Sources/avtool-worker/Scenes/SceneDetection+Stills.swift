internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension SceneDetectionSettings.Method {
    /// The scenes of a film; damage and a missing end are warned of.
    func scenes<Document>(of asset: AVURLAsset, _ work: Work<Document>) async throws -> SceneList {
        let list = try await asset.detectScenes(SceneDetectionSettings(method: self)) {
            work.progress($0, " scenes")
        }
        for warning in list.warnings { work.warn(warning) }
        return list
    }
}

extension SceneList {
    /// Times in the middle of each scene.
    var middles: [CMTime] { scenes.map(\.middle) }

    /// How far a frame may lie from its scene's middle without leaving any scene.
    var reach: CMTime {
        scenes.map { CMTimeMultiplyByRatio($0.timeRange.duration, multiplier: 1, divisor: 2) }.min() ?? .zero
    }

    /// That scenes may be missing, which is said already; `nil` if the film was read to its end.
    var flaw: Failure? { truncation.map { Failure(.truncated, $0) } }

    /// What may be missing, in one line each.
    var warnings: [String] {
        var lines: [String] = []
        if damagedFrameCount > 0 {
            let frames = damagedFrameCount == 1 ? "1 damaged frame was" : "\(damagedFrameCount) damaged frames were"
            lines.append("\(frames) passed over; cuts among them are not known")
        }
        if let truncation { lines.append(truncation) }
        return lines
    }
}
