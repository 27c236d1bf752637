internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// When a still was wanted, and when its frame is shown.
struct StillTimes {
    let requested: CMTime
    let actual: CMTime
    let duration: CMTime
}

/// Encodes stills and writes them to their names.
struct StillWriter: Sendable {
    let source: String
    let pattern: ResultNaming
    /// Which request each still is for, counted from 0.
    var indices: [Int] = []
    /// Digits of the index.
    let width: Int
    let output: StillOutput
    /// What all pictures are laid over; `nil` for black where the format has no alpha.
    var background: RGBColor?
    /// The part of pictures that is shown, `nil` for all of it.
    var crop: PixelRect?
    let files: RunFiles

    /// Fails before anything is decoded, if a name that is known by then is that of an input.
    func checkNames(for times: [CMTime]) throws {
        if pattern.isStandardOutput { return try files.check("-", replaces: output.replaces) }
        guard !pattern.contains("{actual}", "{size}", "{width}", "{height}") else { return }
        try files.checkAreNoInputs(
            zip(indices, times).map { index, time in
                path(index: index, size: (0, 0), StillTimes(requested: time, actual: time, duration: .invalid))
            })
    }

    /// Encodes one still in all its sizes, on whatever thread decoded it.
    func encode(_ still: Still) throws -> [EncodedStill] {
        try Self.distinct(still.images).map { image in
            let times = StillTimes(
                requested: still.requestedTime, actual: still.actualTime, duration: still.duration)
            let index = indices[still.index]
            let data = try data(of: image, times: times)
            return EncodedStill(
                source: source, index: index, requestedTime: times.requested, actualTime: times.actual,
                duration: still.duration, isSyncSample: still.isSyncSample, isExact: still.isExact,
                damage: still.damage, choice: still.choice, width: image.width, height: image.height, crop: crop,
                data: data)
        }
    }

    /// Pictures of different sizes: what is not enlarged comes out alike for several boxes.
    static func distinct(_ images: [CGImage]) -> [CGImage] {
        var sizes: Set<PixelSize> = []
        return images.filter { sizes.insert(PixelSize(width: $0.width, height: $0.height)).inserted }
    }

    /// An image as a file.
    func data(of image: CGImage, times: StillTimes? = nil) throws -> Data {
        try bytes(of: background.map { image.composited(over: $0) } ?? image, times)
    }

    /// Writes one encoded still.
    ///
    /// - Returns: The path it got.
    func write(_ still: EncodedStill) throws -> String { try write(still.data, to: path(of: still)) }

    /// Writes a file.
    ///
    /// - Returns: The path it got.
    func write(_ data: Data, to path: String) throws -> String {
        try files.write(data, to: path, replaces: output.replaces, makesFolder: pattern.makesFolder)
        return path
    }

    /// The name that a still gets.
    private func path(of still: EncodedStill) -> String {
        path(
            index: still.index, size: (still.width, still.height),
            StillTimes(requested: still.requestedTime, actual: still.actualTime, duration: still.duration))
    }

    /// The name that a picture gets.
    func path(of image: CGImage, index: Int, times: StillTimes? = nil) -> String {
        path(index: index, size: (image.width, image.height), times)
    }

    private func path(index: Int, size: (width: Int, height: Int), _ times: StillTimes?) -> String {
        var values = [
            "{index}": (index + 1).zeroPadded(to: width),
            "{width}": String(size.width), "{height}": String(size.height), "{size}": "\(size.width)x\(size.height)",
        ]
        if let times {
            values["{requested}"] = times.requested.secondsText()
            values["{actual}"] = times.actual.secondsText(lasting: times.duration)
        }
        return pattern.path(source: source, filenameExtension: output.format.filenameExtension, values: values)
    }

    private func bytes(of image: CGImage, _ times: StillTimes?) throws -> Data {
        guard !output.naming.streams else { return image.rgbData() }
        guard output.format == .png else { return try output.format.data(of: image, quality: output.quality) }
        var text = [("Source", SourceFile.displayName(source))]
        if let times {
            text.append(("Requested Time", "\(times.requested.value)/\(times.requested.timescale)"))
            text.append(("Actual Time", "\(times.actual.value)/\(times.actual.timescale)"))
        }
        return try image.pngData(text: text)
    }
}

/// What the stills of a command are called.
struct StillNaming: Sendable {
    /// What `-o` says.
    let output: String?
    /// How many sizes each still is to have.
    let sizeCount: Int
    let fileCount: Int
    /// Whether all go to standard output, one after the other.
    var streams = false

    /// The names of one file's stills.
    ///
    /// - Throws: A failure if several sizes of a still would get one name.
    func pattern(_ name: String, stills: Int) throws -> ResultNaming {
        let sizes = max(1, sizeCount)
        let pattern = try ResultNaming(
            output, default: name + (sizes > 1 ? "-{size}.{ext}" : ".{ext}"),
            count: streams ? 1 : stills * sizes * fileCount)
        guard sizes == 1 || streams || pattern.contains("{size}", "{width}", "{height}") else {
            throw Failure(.usage, "several sizes need {size}, {width} or {height} in the name")
        }
        return pattern
    }
}

/// Where stills go, and what kind of files they are.
struct StillOutput: Sendable {
    let naming: StillNaming
    let format: PreviewImageFormat
    let quality: Int
    let replaces: Bool
}

/// A still as a file's bytes, and all that is said of it.
struct EncodedStill: Sendable {
    let source: String
    let index: Int
    let requestedTime: CMTime
    let actualTime: CMTime
    let duration: CMTime
    let isSyncSample: Bool
    let isExact: Bool
    let damage: String?
    let choice: RepresentativeChoice?
    let width: Int
    let height: Int
    /// The part of the picture that is shown, `nil` for all of it.
    let crop: PixelRect?
    let data: Data

    /// The line of results for people.
    func line(file: String) -> String {
        let mark = damage.map { "  damaged: \($0.oneLine)" } ?? ""
        let why = choice.map { "  \($0.reason)" } ?? ""
        let actual = actualTime.secondsText(lasting: duration)
        return "\(requestedTime.secondsText()) → \(actual)  \(file.oneLine)\(mark)\(why)"
    }

    /// The pixels for a program, and before them, if wanted, a line that tells of them.
    func streamed(withHeader: Bool) throws -> [UInt8] {
        guard withHeader else { return Array(data) }
        return Array((try JSONLine.text(JSONStill(still: self, file: nil)) + "\n").utf8) + data
    }

    /// The line of results for `--json`.
    func json(file: String) -> JSONStill { JSONStill(still: self, file: file) }
}

/// Which frames of a film become stills.
enum StillChoice: Sendable {
    case times(Written<TimeList>)
    case every(Written<Length>)
    /// So many, spread evenly.
    case even(Int)
    case keyframes
    case scenes(SceneDetectionSettings.Method)

    /// The times of the frames.
    ///
    /// - Parameter shots: The scenes, where those decide.
    func times(of asset: AVURLAsset, in part: FilmPart, _ shots: SceneList?) async throws -> RequestedTimes {
        let description = try await asset.loadDescription()
        guard description.videoTrack != nil else {
            throw AVError(.noSourceTrack, reason: "the file has no video track")
        }
        let range = try await part.range(of: asset)
        switch self {
        case .scenes:
            let times = (shots?.middles ?? []).filter { range?.containsTime($0) ?? true }
            guard !times.isEmpty else { throw AVError(.noImageAtTime, reason: "no shot lies in that part") }
            return RequestedTimes(times)
        case .keyframes: return try await Self.syncTimes(of: asset, in: range)
        case .every(let step):
            let times = try Self.times(every: try step.time(), until: range?.duration ?? description.duration)
            return RequestedTimes(times.map { (range?.start ?? .zero) + $0 })
        case .even(let count): return RequestedTimes(try description.evenTimes(count, in: range))
        case .times(let list): return RequestedTimes(try await asset.loadTimes(list.get()))
        }
    }

    /// The times of the sync samples, with those that an index lists and a file that is cut short does not hold.
    private static func syncTimes(of asset: AVURLAsset, in range: CMTimeRange?) async throws -> RequestedTimes {
        let list = try await asset.loadSyncSamples()
        let times = (list.times + list.missingTimes).filter { range?.containsTime($0) ?? true }
        guard !times.isEmpty else {
            let place = range == nil ? "the video" : "that part"
            throw AVError(.noImageAtTime, reason: "there is no sync sample in \(place)")
        }
        // A part that ends before the cut is whole, and what is known to be missing is said for each.
        let reachesCut = range.map { $0.end > list.lastFrameTime ?? .zero } ?? true
        let isTold = !list.missingTimes.isEmpty || !reachesCut
        return RequestedTimes(times, truncation: isTold ? nil : list.truncation)
    }

    private static func times(every step: CMTime, until duration: CMTime) throws -> [CMTime] {
        guard duration.isNumeric else { throw Failure(.noDuration, "the file does not tell its duration") }
        var times: [CMTime] = []
        var time = CMTime.zero
        while time < duration {
            times.append(time)
            guard times.count <= 1_000_000 else { throw Failure(.limitReached, "more than 1000000 stills") }
            time = time + step
        }
        return times.isEmpty ? [.zero] : times
    }
}

/// One of the times that were asked for, and where it lies in a film.
struct RequestedTime {
    /// As it was asked for.
    let text: String
    /// Its place, or why it has none.
    let place: Result<CMTime, any Error>
}

/// The times that were asked for, with those that have no place in the film.
struct RequestedTimes {
    /// A time that has no place in the film.
    struct Failure {
        let index: Int
        let text: String
        let error: any Error
    }

    /// The places in the film, in the order in which they were asked for.
    let times: [CMTime]
    /// Which request each place belongs to, counted from 0.
    let indices: [Int]
    let failures: [Failure]
    /// Why there may be more, at times that nothing tells; `nil` if there is no reason to think so.
    let truncation: String?

    /// How many there are with those of other processes.
    let count: Int

    init(_ times: [CMTime], truncation: String? = nil) {
        (self.times, indices, failures) = (times, Array(times.indices), [])
        (self.truncation, count) = (truncation, times.count)
    }

    /// One share of them, by their order in the film, in which stills are told of.
    ///
    /// What has no place in the film is the first one's, as it is told of first; what is not known of the end is the last one's.
    init(_ all: RequestedTimes, _ piece: WorkPiece) {
        let sorted = all.times.indices.sorted { (all.times[$0], $0) < (all.times[$1], $1) }
        let wanted = sorted[piece.range(of: sorted.count)].sorted()
        (times, indices, count) = (wanted.map { all.times[$0] }, wanted.map { all.indices[$0] }, all.count)
        failures = piece.index == 0 ? all.failures : []
        truncation = piece.index == piece.count - 1 ? all.truncation : nil
    }

    init(_ requests: [RequestedTime]) {
        var (times, indices, failures): ([CMTime], [Int], [Failure]) = ([], [], [])
        for (index, request) in requests.enumerated() {
            switch request.place {
            case .success(let time):
                times.append(time)
                indices.append(index)
            case .failure(let error): failures.append(Failure(index: index, text: request.text, error: error))
            }
        }
        (self.times, self.indices, self.failures) = (times, indices, failures)
        (truncation, count) = (nil, requests.count)
    }
}

extension AVURLAsset {
    /// The times of a list, each with its place or the reason why it has none.
    ///
    /// - Throws: What keeps every time from being found.
    func loadTimes(_ list: TimeList) async throws -> [RequestedTime] {
        var requests: [RequestedTime] = []
        for (text, time) in list.entries {
            let place: Result<CMTime, any Error>
            do {
                place = .success(try await loadTime(of: time))
            } catch let error as TimeExpressionError {
                place = .failure(error)
            } catch let error as AVError where error.code == .noImageAtTime {
                place = .failure(error)
            }
            requests.append(RequestedTime(text: text, place: place))
        }
        return requests
    }
}
