internal import ArgumentParser
internal import OpenAVFoundation

/// What makes a cut.
struct SceneOptions: ParsableArguments {
    @Option(
        name: .customLong("method"),
        help: """
            adaptive (a difference that stands out among those of the frames around it) or content (a difference above \
            a threshold).
            """)
    var method = SceneMethodName.adaptive

    @Option(
        help: ArgumentHelp(
            """
            For adaptive: how many times the usual difference makes a cut; 3 if not given. For content: the mean \
            difference of hue, saturation and brightness, of 255; 27 if not given.
            """, valueName: "n"))
    var threshold: Double?

    @Option(
        help: ArgumentHelp(
            "No scene is shorter than this, unless the film is; shorter flashes are no scenes.", valueName: "duration"))
    var minLength = "0.6s"

    func validate() throws {
        if let threshold, !(threshold > 0 && threshold <= 255) {
            throw ValidationError("--threshold takes a number above 0, up to 255.")
        }
        do {
            guard try DurationExpression.parse(minLength) >= .zero else {
                throw ValidationError("--min-length takes a duration.")
            }
        } catch let error as ValidationError {
            throw error
        } catch {
            throw ValidationError("--min-length: \(String(describing: error))")
        }
    }

    func settings() throws -> SceneDetectionSettings {
        SceneDetectionSettings(
            method: method.method, threshold: threshold, minimumLength: try DurationExpression.parse(minLength))
    }
}

/// Whether each shot gets one still.
struct SceneStillOptions: ParsableArguments {
    @Flag(help: "One still for each scene (shot), of the frame in its middle; 'avtool scenes' lists them.")
    var scenes = false

    @Option(help: "With --scenes: adaptive or content; see 'avtool scenes'.")
    var sceneMethod: SceneMethodName?

    func validate() throws {
        guard sceneMethod == nil || scenes else { throw ValidationError("--scene-method goes with --scenes.") }
    }

    /// The scenes of a film; damage and a missing end are told on standard error.
    func find(in asset: AVURLAsset, file: String) async throws -> SceneList {
        let settings = SceneDetectionSettings(method: sceneMethod?.method ?? .adaptive)
        let list = try await asset.detectScenes(settings) { Console.progress(file, $0, " scenes") }
        for warning in list.warnings { Console.error("avtool: \(file.oneLine): \(warning.oneLine)") }
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

/// What makes a cut, as the command line names it.
enum SceneMethodName: String, ExpressibleByArgument, CaseIterable {
    case adaptive, content

    var method: SceneDetectionSettings.Method {
        switch self {
        case .adaptive: .adaptive
        case .content: .content
        }
    }
}
