package import ArgumentParser

/// How pictures are divided that are encoded apart.
package struct ExportSegmentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Encode the pictures in segments of at least this length, whole distances between keyframes, each apart from the others: 10s, 1m.",
            valueName: "dur"))
    package var segmentLength: Written<Length>?

    package func validate() throws { try segmentLength?.validate(aboveZero: "--segment-length") }

    package init() {}
}
