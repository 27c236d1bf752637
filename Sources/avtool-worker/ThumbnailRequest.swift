internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

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

extension ThumbnailCommand: FileWorking {
    func prepared() throws -> FileWork<JSONThumbnailDocument> {
        let naming = try ResultNaming(destination.output, default: "{name}-thumbnail.png", count: fileCount)
        if !naming.isStream, cache == nil { try naming.checkNamesDiffer(ofFiles: fileCount) }
        return { file, work in
            try await ThumbnailRequest(
                source: source.source(file), sizes: sizes, prefersFrame: frame, cache: cache,
                output: naming.place(
                    source: file, filenameExtension: PreviewImageFormat.png.filenameExtension,
                    replaces: destination.force)
            ).run(in: work)
        }
    }
}

/// The picture that stands for a file, in some sizes.
struct ThumbnailPicture {
    enum Origin {
        /// The number of a picture that comes with the file.
        case cover(CMPersistentTrackID)
        case frame(CMTime, RepresentativeChoice?)
    }

    let images: [CGImage]
    let origin: Origin

    /// How far from its time a frame may lie that stands for the film better.
    private static let window = CMTime(value: 5, timescale: 1)
    /// Where frames are looked for, as parts of the film: first where neither the credits are nor the story's end.
    private static let places: [(part: Int32, of: Int32)] = [(1, 3), (1, 10), (1, 2), (2, 3), (0, 1)]

    /// Finds it: the cover, or a frame, or another one where it cannot be decoded undamaged, or is black or of one colour.
    ///
    /// - Parameter boxes: The longest side of each size.
    static func find(
        in asset: AVURLAsset, _ description: AssetDescription, boxes: [Int], prefersFrame: Bool
    ) async throws -> ThumbnailPicture {
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.dynamicRangePolicy = .forceSDR
        generator.sizes = boxes.map { PixelSize(width: $0, height: $0) }
        let hasFilm = description.videoTrack != nil
        if !description.attachedPictures.isEmpty, !(prefersFrame && hasFilm) {
            do {
                if let cover = try await generator.attachedPictures().first {
                    return ThumbnailPicture(images: cover.images, origin: .cover(cover.trackID))
                }
            } catch  where hasFilm && Failure(error).code == .badInput {
                // The film is there to be shown.
            }
        }
        return try await frame(of: description, generator)
    }

    private static func frame(
        of description: AssetDescription, _ generator: AVAssetImageGenerator
    ) async throws -> ThumbnailPicture {
        guard description.videoTrack != nil else {
            throw AVError(.noSourceTrack, reason: "the file has neither pictures nor a cover")
        }
        var failure: Failure?
        var poor: ThumbnailPicture?
        for time in times(in: description) {
            generator.representativeWindow = AVAssetImageGenerator.representativeWindow(window, for: [time])
            for await result in generator.stills(for: [time]) {
                switch result {
                case .success(let still):
                    let picture = ThumbnailPicture(images: still.images, origin: .frame(still.actualTime, still.choice))
                    guard let flaw = still.choice?.flaw, flaw == .black || flaw == .flat else { return picture }
                    poor = poor ?? picture
                case .failure(let failed): failure = failure ?? Failure(failed.error)
                }
            }
            try Task.checkCancellation()
            if let failure, failure.code != .badInput { throw failure }
        }
        guard let poor else { throw failure ?? Failure(.noImageAtTime, "the film shows no picture") }
        return poor
    }

    private static func times(in description: AssetDescription) -> [CMTime] {
        guard let range = description.pictureRange else { return [.zero] }
        return places.map { range.start + CMTimeMultiplyByRatio(range.duration, multiplier: $0.part, divisor: $0.of) }
    }
}

extension CGImage {
    /// The image with the colours of sRGB, which is what desktops take thumbnails for; itself if it has them.
    var inStandardColors: CGImage {
        guard let standard = CGColorSpace(name: CGColorSpace.sRGB), colorSpace != standard else { return self }
        let alpha: CGImageAlphaInfo =
            alphaInfo == .noneSkipLast || alphaInfo == .none ? .noneSkipLast : .premultipliedLast
        let context = CGContext(
            data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0, space: standard,
            bitmapInfo: alpha.rawValue)
        context?.draw(self, in: CGRect(x: 0, y: 0, width: width, height: height))
        return context?.makeImage() ?? self
    }
}

/// What a thumbnail tells of its file, in text chunks.
struct ThumbnailText {
    private(set) var pairs: [(keyword: String, text: String)]
    private let modified: (keyword: String, text: String)?

    /// - Parameter file: As the command line has it; what is no file has neither address nor time.
    init(of file: String) {
        pairs = [("Software", "avtool \(AVTool.version)")]
        var status = stat()
        let url = SourceFile.url(file)
        guard file != SourceFile.standardInput, url.isFileURL, stat(url.path, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else {
            modified = nil
            return
        }
        let time = ("Thumb::MTime", String(status.st_mtim.tv_sec))
        modified = time
        pairs += [("Thumb::URI", DesktopCache.uri(of: file)), time, ("Thumb::Size", String(status.st_size))]
        if let type = UTType(filenameExtension: url.pathExtension)?.preferredMIMEType {
            pairs.append(("Thumb::Mimetype", type))
        }
    }

    /// Adds what is known of the film.
    mutating func add(_ description: AssetDescription) {
        if let size = description.videoTrack?.video?.displaySize {
            pairs += [("Thumb::Image::Width", String(size.width)), ("Thumb::Image::Height", String(size.height))]
        }
        if description.duration.isNumeric, description.duration > .zero {
            pairs.append(("Thumb::Movie::Length", String(Int64(description.duration.seconds.rounded(.up)))))
        }
    }

    /// Whether there is a thumbnail that was made of the file as it is now.
    ///
    /// Its name is that of the file's address, so that the time is all that is left to compare.
    func isCurrent(_ path: String) -> Bool {
        let largest: UInt64 = 64 << 20
        guard let modified, FileManager.default.fileExists(atPath: path),
            let png = RandomAccessFile(path: path, access: WorkerFiles.access),
            png.byteCount <= largest
        else { return false }
        let data = Data(png.read(at: 0, count: Int(png.byteCount)))
        // The length of a chunk stands before its name. Some programs give parts of the second.
        guard let chunk = data.range(of: Data("tEXt\(modified.keyword)\0".utf8)), chunk.lowerBound >= 4 else {
            return false
        }
        let length = data[(chunk.lowerBound - 4)..<chunk.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        let text = data[chunk.upperBound...].prefix(max(0, length - modified.keyword.utf8.count - 1))
        return text.prefix { $0 != UInt8(ascii: ".") }.elementsEqual(modified.text.utf8)
    }
}

/// A thumbnail as JSON has it.
struct JSONThumbnail: Encodable {
    let source: String
    let file: String
    let state: String
    var width: Int?
    var height: Int?
    /// The number of the picture that comes with the file, if it was made of that.
    var cover: Int32?
    /// When the frame is shown, if it was made of one.
    var actual: JSONTime?
    var representative: JSONChoice?

    /// One that was left as it is.
    init(kept file: String, of source: String) {
        (self.source, self.file, state) = (source, file, "upToDate")
    }

    init(made file: String, of source: String, _ image: CGImage, from origin: ThumbnailPicture.Origin) {
        (self.source, self.file, state) = (source, file, "made")
        (width, height) = (image.width, image.height)
        switch origin {
        case .cover(let track): cover = track
        case .frame(let time, let choice): (actual, representative) = (JSONTime(time), choice.map { JSONChoice($0) })
        }
    }
}

/// What `thumbnail --json` prints.
struct JSONThumbnailDocument: ResultDocument {
    let thumbnail: JSONThumbnail

    var json: any Encodable { thumbnail }
}
