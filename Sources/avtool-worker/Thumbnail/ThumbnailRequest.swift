internal import AVToolCommands
internal import MediaCore
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A file of which a desktop's thumbnail is wanted.
struct ThumbnailRequest: FileRequest {
    let source: MediaSource
    let sizes: [ThumbnailSize]
    /// Whether a frame is taken even where there is a cover.
    let prefersFrame: Bool
    /// The cache of thumbnails; `nil` for one that goes where it was said.
    let cache: DesktopCache?
    let output: ResultPlace

    func run(in work: Work<JSONThumbnailDocument>) async throws -> FileReport<JSONThumbnailDocument> {
        let text = ThumbnailText(of: source.file)
        guard let cache else {
            try work.files.check(output.path, replaces: output.replaces)
            try await make(sizes.map { ($0, output) }, text, work)
            return FileReport()
        }
        let uri = DesktopCache.uri(of: source.file)
        let places = sizes.compactMap { size in
            cache.path(of: uri, size).map { (size, ResultPlace(path: $0, replaces: true, makesFolder: true)) }
        }
        let current = output.replaces ? [] : places.filter { text.isCurrent($0.1.path) }
        for (_, place) in current {
            let thumbnail = JSONThumbnail(kept: place.path, of: source.file)
            try work.report(
                FileReport(
                    document: JSONThumbnailDocument(thumbnail: thumbnail),
                    lines: [
                        "\(source.file.oneLine): \(place.path.oneLine) is up to date"
                    ]))
        }
        let missing = places.filter { size, _ in !current.contains { $0.0 == size } }
        guard !missing.isEmpty else { return FileReport() }
        let failurePath = cache.failurePath(of: uri)
        guard output.replaces || !text.isCurrent(failurePath) else {
            throw Failure(.noImageAtTime, "there can be no thumbnail, as was found before; --force tries again")
        }
        do {
            try await make(missing, text, work)
        } catch let failure where Failure(failure).code == .badInput {
            try note(text, at: failurePath, work)
            throw failure
        }
        return FileReport()
    }

    private func make(
        _ wanted: [(size: ThumbnailSize, place: ResultPlace)], _ text: ThumbnailText,
        _ work: Work<JSONThumbnailDocument>
    ) async throws {
        let asset = try source.asset()
        let description = try await asset.loadDescription()
        let picture = try await ThumbnailPicture.find(
            in: asset, description, boxes: wanted.map(\.size.pixels), prefersFrame: prefersFrame)
        var text = text
        text.add(description)
        for (image, (_, place)) in zip(picture.images, wanted) {
            let data = try await BlockingWork.run { [text] in try image.inStandardColors.pngData(text: text.pairs) }
            try AtomicFile.write(data, to: try work.files.output(place))
            guard !place.isStandardOutput else { continue }
            let thumbnail = JSONThumbnail(made: place.path, of: source.file, image, from: picture.origin)
            try work.report(
                FileReport(
                    document: JSONThumbnailDocument(thumbnail: thumbnail),
                    lines: ["\(source.file.oneLine) → \(place.path.oneLine)"]))
        }
    }

    /// Notes that there can be no thumbnail of the file as it is now, so that nobody tries again.
    private func note(_ text: ThumbnailText, at path: String, _ work: Work<JSONThumbnailDocument>) throws {
        guard let image = CGImage(width: 1, height: 1, hasAlpha: true, pixels: [0, 0, 0, 0]) else { return }
        let place = ResultPlace(path: path, replaces: true, makesFolder: true)
        try AtomicFile.write(try image.pngData(text: text.pairs), to: try work.files.output(place))
    }
}
