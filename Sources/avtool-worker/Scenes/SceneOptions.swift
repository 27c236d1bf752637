internal import ArgumentParser
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What makes a cut.
struct SceneOptions: ParsableArguments {
    @Option(
        name: .customLong("method"),
        help: """
            adaptive (a difference that stands out among those of the frames around it) or content (a difference above \
            a threshold).
            """)
    var method = SceneDetectionSettings.Method.adaptive

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
    var minLength = Written<Length>(argument: "0.6s")

    func validate() throws {
        if let threshold, !(threshold > 0 && threshold <= 255) {
            throw ValidationError("--threshold takes a number above 0, up to 255.")
        }
        do {
            _ = try minLength.get()
        } catch {
            throw ValidationError("--min-length: \(String(describing: error))")
        }
    }

    func settings() throws -> SceneDetectionSettings {
        SceneDetectionSettings(method: method, threshold: threshold, minimumLength: try minLength.time())
    }
}

/// Whether each shot gets one still.
struct SceneStillOptions: ParsableArguments {
    @Flag(help: "One still for each scene (shot), of the frame in its middle; 'avtool scenes' lists them.")
    var scenes = false

    @Option(help: "With --scenes: adaptive or content; see 'avtool scenes'.")
    var sceneMethod: SceneDetectionSettings.Method?

    /// What makes a cut; `nil` if scenes are not wanted.
    var method: SceneDetectionSettings.Method? { scenes ? sceneMethod ?? .adaptive : nil }

    func validate() throws {
        guard sceneMethod == nil || scenes else { throw ValidationError("--scene-method goes with --scenes.") }
    }
}
