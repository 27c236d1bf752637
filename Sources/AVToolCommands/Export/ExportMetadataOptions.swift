package import ArgumentParser
package import MediaMetadata

/// What becomes of metadata in an export.
package struct ExportMetadataOptions: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set an item of the new file, by the names that 'metadata set' takes; may be given several times.",
            valueName: "name=value"))
    package var assignments: [Written<MetadataAssignment>] = []

    @Option(
        help: ArgumentHelp(
            "Leave out an item, by the names that 'metadata remove' takes; may be given several times.",
            valueName: "name"))
    package var remove: [Written<MetadataName>] = []

    @Option(help: ArgumentHelp("Make this JPEG or PNG file the cover.", valueName: "image"))
    package var artwork: String?

    @Flag(help: "Leave out what tells about people, places, devices and moments, and say what that was.")
    package var shareSafe = false

    @Flag(help: "Leave out all of the source's metadata.")
    package var noMetadata = false

    package func validate() throws {
        for assignment in assignments { try assignment.validate() }
        for name in remove { try name.validate() }
    }

    package init() {}
}
