internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// What becomes of metadata in an export.
struct ExportMetadataOptions: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set an item of the new file, by the names that 'metadata set' takes; may be given several times.",
            valueName: "name=value"))
    var assignments: [String] = []

    @Option(
        help: ArgumentHelp(
            "Leave out an item, by the names that 'metadata remove' takes; may be given several times.",
            valueName: "name"))
    var remove: [String] = []

    @Option(help: ArgumentHelp("Make this JPEG or PNG file the cover.", valueName: "image"))
    var artwork: String?

    @Flag(help: "Leave out what tells about people, places, devices and moments, and say what that was.")
    var shareSafe = false

    @Flag(help: "Leave out all of the source's metadata.")
    var noMetadata = false

    /// The files that are read.
    var paths: [String?] { [artwork] }

    func validate() throws {
        do {
            for assignment in assignments { _ = try MetadataAssignment(assignment) }
            for name in remove { _ = try MetadataName(name) }
        } catch {
            throw ValidationError(error.reason)
        }
    }

    /// The changes, with their pictures read.
    func changes() async throws -> ExportMetadataChanges {
        var picture: MediaItem.Artwork?
        if let artwork { picture = try await MediaItem.Artwork(picture: artwork) }
        return ExportMetadataChanges(
            assignments: try assignments.map { try MetadataAssignment($0) }, removals: remove,
            artwork: picture, isShareSafe: shareSafe,
            dropsAll: noMetadata)
    }
}

/// What becomes of metadata in an export, ready for use.
struct ExportMetadataChanges {
    let assignments: [MetadataAssignment]
    let removals: [String]
    let artwork: MediaItem.Artwork?
    let isShareSafe: Bool
    let dropsAll: Bool

    func apply(to session: AVAssetExportSession) throws {
        if dropsAll { session.metadata = [] }
        if isShareSafe { session.metadataItemFilter = .forSharing() }
        for name in removals { try session.removeMetadata(name) }
        for assignment in assignments { session.setMetadata(assignment) }
        session.artwork = artwork
    }
}
