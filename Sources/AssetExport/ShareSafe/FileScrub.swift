package import MediaEngine
package import MediaIO
package import MediaMetadata
internal import MetadataFormats

/// A file without what tells about people, places and devices: what becomes of its bytes, and what goes.
///
/// Items of metadata are no part of this: `MetadataSharing` and the formats' writers see to them beforehand.
package struct FileScrub: Sendable {
    /// What changes; nothing moves.
    package var overlay = FileOverlay()
    /// What goes, with its place.
    package var details: [PrivateDetail] = []
    /// A track whose coded pictures cannot be looked through, so that the file cannot be shared as it is.
    package private(set) var opaque: String?
    /// Numbers of the tracks that go.
    private var removedTracks: Set<Int64> = []

    /// Looks through a file.
    ///
    /// - Parameter looksThroughSamples: Whether coded samples are read too, which takes as long as reading the file.
    /// - Throws: `MetadataError` if the file is damaged so that parts of it cannot be looked through.
    package init(_ file: RandomAccessFile, looksThroughSamples: Bool = true) throws {
        switch (try? FileMetadata.format(reading: file))?.metadata.container.structure {
        case .boxes:
            var scrubber = try MovieScrubber(file)
            try scrubber.scrub(looksThroughSamples: looksThroughSamples)
            (overlay, details) = (scrubber.overlay, scrubber.details)
            (removedTracks, opaque) = (Set(scrubber.removed.map(Int64.init)), scrubber.opaque)
        case .elements:
            let scrub = try MatroskaScrub(file, looksThroughSamples: looksThroughSamples)
            (overlay, details, opaque) = (scrub.overlay, scrub.details, scrub.opaque)
        case .blocks:
            let scrub = SimpleFileScrub(file, looksThroughSamples: looksThroughSamples)
            (overlay, details, opaque) = (scrub.overlay, scrub.details, scrub.opaque)
        case .unknown, nil: break
        }
    }

    /// What goes of the file, its items of metadata included.
    func details(with metadata: FileMetadata) -> [PrivateDetail] {
        var result = metadata.privateDetails(withoutTracks: removedTracks)
        let hasCover = result.contains { $0.kind == .artwork }
        for detail in details {
            // Boxes of user data and covers are told as the items that they are.
            if detail.kind == .structure, detail.place.contains("udta/"), !result.isEmpty { continue }
            if detail.kind == .artwork, hasCover { continue }
            result.note(detail)
        }
        if let opaque { result.note(PrivateDetail(.message, "\(opaque), samples", "cannot be looked through")) }
        return result
    }

    /// Fails if coded pictures cannot be looked through.
    func checkIsWhole() throws(MetadataError) {
        guard let opaque else { return }
        throw MetadataError(
            .unsupported,
            "\(opaque) cannot be looked through; 'avtool export --share-safe' with a preset that encodes anew makes a file "
                + "that can be shared")
    }

    /// The file without all that.
    package func rewrite(of file: RandomAccessFile) -> FileRewrite { overlay.rewrite(of: file) }
}

extension FinishedOutput {
    /// The file without what tells about people, places, devices and moments, and what that was.
    func forSharing(readsSamples: Bool) throws -> (FinishedOutput, [PrivateDetail]) {
        let current = RandomAccessFile(rewrite, of: file)
        let scrub = try FileScrub(current, looksThroughSamples: readsSamples)
        return (changed(by: scrub.rewrite(of: current)), scrub.details)
    }

    /// What a movie holds and does not show.
    var hidden: [HiddenMaterial] { HiddenMaterial.of(RandomAccessFile(rewrite, of: file)) }
}
