internal import ArgumentParser
internal import OpenAVFoundationExtras

/// What the times of previews count from.
struct TimelineOptions: ParsableArguments {
    @Option(
        name: .customLong("times"),
        help: ArgumentHelp(
            "Count times from the asset's zero, or from the container's, as browsers do.",
            valueName: "asset|container"))
    var timeline: PreviewTimeline?
}
