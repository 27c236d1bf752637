internal import ArgumentParser
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What becomes of metadata in an export.
struct ExportMetadataOptions: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set an item of the new file, by the names that 'metadata set' takes; may be given several times.",
            valueName: "name=value"))
    var assignments: [Written<MetadataAssignment>] = []

    @Option(
        help: ArgumentHelp(
            "Leave out an item, by the names that 'metadata remove' takes; may be given several times.",
            valueName: "name"))
    var remove: [Written<MetadataName>] = []

    @Option(help: ArgumentHelp("Make this JPEG or PNG file the cover.", valueName: "image"))
    var artwork: String?

    @Flag(help: "Leave out what tells about people, places, devices and moments, and say what that was.")
    var shareSafe = false

    @Flag(help: "Leave out all of the source's metadata.")
    var noMetadata = false

    func validate() throws {
        for assignment in assignments { try assignment.validate() }
        for name in remove { try name.validate() }
    }

    /// The changes, with their pictures read.
    func changes() async throws -> ExportMetadataChanges {
        var picture: MediaItem.Artwork?
        if let artwork { picture = try await MediaItem.Artwork(picture: artwork) }
        return ExportMetadataChanges(
            assignments: assignments, removals: remove, artwork: picture?.data, isShareSafe: shareSafe,
            dropsAll: noMetadata)
    }
}
