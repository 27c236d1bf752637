package import ArgumentParser
package import MediaCore

/// What makes a cut.
package struct SceneOptions: ParsableArguments {
    @Option(
        name: .customLong("method"),
        help: """
            adaptive (a difference that stands out among those of the frames around it) or content (a difference above \
            a threshold).
            """)
    package var method = SceneDetectionSettings.Method.adaptive

    @Option(
        help: ArgumentHelp(
            """
            For adaptive: how many times the usual difference makes a cut; 3 if not given. For content: the mean \
            difference of hue, saturation and brightness, of 255; 27 if not given.
            """, valueName: "n"))
    package var threshold: Double?

    @Option(
        help: ArgumentHelp(
            "No scene is shorter than this, unless the film is; shorter flashes are no scenes.", valueName: "duration"))
    package var minLength = Written<Length>(argument: "0.6s")

    package func validate() throws {
        if let threshold, !(threshold > 0 && threshold <= 255) {
            throw ValidationError("--threshold takes a number above 0, up to 255.")
        }
        do {
            _ = try minLength.get()
        } catch {
            throw ValidationError("--min-length: \(String(describing: error))")
        }
    }

    package func settings() throws -> SceneDetectionSettings {
        SceneDetectionSettings(method: method, threshold: threshold, minimumLength: try minLength.time())
    }

    package init() {}
}

/// Whether each shot gets one still.
package struct SceneStillOptions: ParsableArguments {
    @Flag(help: "One still for each scene (shot), of the frame in its middle; 'avtool scenes' lists them.")
    package var scenes = false

    @Option(help: "With --scenes: adaptive or content; see 'avtool scenes'.")
    package var sceneMethod: SceneDetectionSettings.Method?

    /// What makes a cut; `nil` if scenes are not wanted.
    package var method: SceneDetectionSettings.Method? { scenes ? sceneMethod ?? .adaptive : nil }

    package func validate() throws {
        guard sceneMethod == nil || scenes else { throw ValidationError("--scene-method goes with --scenes.") }
    }

    package init() {}
}
