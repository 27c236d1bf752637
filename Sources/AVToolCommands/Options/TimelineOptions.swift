package import ArgumentParser
package import MediaCore

/// What the times of previews count from.
package struct TimelineOptions: ParsableArguments {
    @Option(
        name: .customLong("times"),
        help: ArgumentHelp(
            "Count times from the asset's zero, or from the container's, as browsers do.",
            valueName: "asset|container"))
    package var timeline: PreviewTimeline?

    package init() {}
}
