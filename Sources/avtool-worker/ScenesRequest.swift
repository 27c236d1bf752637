internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A film whose scenes are wanted.
struct ScenesRequest: FileRequest {
    let source: MediaSource
    let format: SceneListFormat
    let method: SceneDetectionSettings.Method
    let threshold: Double?
    let minimumLength: Written<Length>
    /// Where the list goes; `nil` if it is printed.
    let output: ResultPlace?
    /// Whether a table that is printed begins with the names of its columns.
    let hasHeading: Bool
    let isOneOfSeveral: Bool

    func run(in work: Work<JSONScenes>) async throws -> FileReport<JSONScenes> {
        let place = try output.map { try work.files.output($0) }
        let asset = try source.asset()
        let settings = SceneDetectionSettings(
            method: method, threshold: threshold, minimumLength: try minimumLength.time())
        let found = try await asset.detectScenes(settings) { work.progress($0, "") }
        let document = SceneDocument(
            source: source.file, list: found, settings: settings, description: try await asset.loadDescription(),
            hasHeading: hasHeading || place != nil, isOneOfSeveral: isOneOfSeveral)
        var report = FileReport<JSONScenes>()
        if let place {
            try AtomicFile.write(Data(try document.text(format).utf8), to: place)
            let count = found.scenes.count
            report.text = "\(place.path.oneLine): \(count == 1 ? "1 scene" : "\(count) scenes")\n"
        } else if format == .json {
            report.document = document.json
        } else {
            report.text = try document.text(format)
        }
        report.warnings = found.warnings
        report.flaw = found.flaw
        return report
    }
}

extension ScenesCommand: FileWorking {
    func prepared() throws -> FileWork<JSONScenes> {
        let naming = try output.map {
            try ResultNaming($0, default: "{name}-scenes.{ext}", count: fileCount)
        }
        try naming?.checkNamesDiffer(ofFiles: fileCount)
        return { file, work in
            try await ScenesRequest(
                source: source.source(file), format: wanted, method: scenes.method, threshold: scenes.threshold,
                minimumLength: scenes.minLength,
                output: naming?.place(
                    source: file, filenameExtension: wanted.filenameExtension, replaces: destination.force),
                hasHeading: work.index == 0, isOneOfSeveral: work.count > 1
            ).run(in: work)
        }
    }
}

extension SceneDetectionSettings.Method {
    /// The scenes of a film; damage and a missing end are warned of.
    func scenes<Document>(of asset: AVURLAsset, _ work: Work<Document>) async throws -> SceneList {
        let list = try await asset.detectScenes(SceneDetectionSettings(method: self)) {
            work.progress($0, " scenes")
        }
        for warning in list.warnings { work.warn(warning) }
        return list
    }
}

extension SceneList {
    /// Times in the middle of each scene.
    var middles: [CMTime] { scenes.map(\.middle) }

    /// How far a frame may lie from its scene's middle without leaving any scene.
    var reach: CMTime {
        scenes.map { CMTimeMultiplyByRatio($0.timeRange.duration, multiplier: 1, divisor: 2) }.min() ?? .zero
    }

    /// That scenes may be missing, which is said already; `nil` if the film was read to its end.
    var flaw: Failure? { truncation.map { Failure(.truncated, $0) } }

    /// What may be missing, in one line each.
    var warnings: [String] {
        var lines: [String] = []
        if damagedFrameCount > 0 {
            let frames = damagedFrameCount == 1 ? "1 damaged frame was" : "\(damagedFrameCount) damaged frames were"
            lines.append("\(frames) passed over; cuts among them are not known")
        }
        if let truncation { lines.append(truncation) }
        return lines
    }
}

/// The scenes of a film as text of any of the formats.
struct SceneDocument {
    let source: String
    let list: SceneList
    let settings: SceneDetectionSettings
    let description: AssetDescription
    /// Whether a table begins with the names of its columns.
    let hasHeading: Bool
    /// Whether each film's name is to be told.
    let isOneOfSeveral: Bool

    var json: JSONScenes { JSONScenes(source: source, list, settings) }

    func text(_ format: SceneListFormat) throws -> String {
        switch format {
        case .text: table
        case .csv: csv
        case .edl: EditDecisionList(source: source, list: list, description: description).text
        case .json: try JSONLine.text(json) + "\n"
        case .chapters: chapters
        }
    }

    private var table: String {
        let rows = list.scenes.enumerated().map { index, scene in
            [
                String(index + 1), scene.timeRange.start.secondsText(), scene.timeRange.end.secondsText(),
                scene.timeRange.duration.secondsText(), String(scene.firstFrame),
            ]
        }
        let lines = ([["scene", "start", "end", "duration", "frame"]] + rows).map { cells in
            zip(cells, [5, 12, 12, 12, 9]).map { cell, width in
                String(repeating: " ", count: max(1, width - cell.count)) + cell
            }.joined()
        }
        return ((isOneOfSeveral ? [source.oneLine] : []) + lines).joined(separator: "\n") + "\n"
    }

    private var csv: String {
        let rows = list.scenes.enumerated().map { index, scene in
            [
                source.withVisiblePathBytes, String(index + 1), scene.timeRange.start.secondsText(),
                scene.timeRange.end.secondsText(),
                scene.timeRange.duration.secondsText(), String(scene.firstFrame), String(scene.lastFrame),
                scene.opening.rawValue, String(format: "%.2f", scene.score),
            ]
        }
        let names = [
            "source", "scene", "start", "end", "duration", "first_frame", "last_frame", "opening", "score",
        ]
        return CSVText.rows((hasHeading ? [names] : []) + rows)
    }

    private var chapters: String {
        let chapters = list.scenes.enumerated().map { index, scene in
            Chapter(
                start: scene.timeRange.start, end: scene.timeRange.end, titles: [Chapter.Title("Scene \(index + 1)")])
        }
        return ChapterTextFormat.ffmetadata.text(
            of: ChapterList(form: .quickTimeTrack, chapters: chapters), assetDuration: description.duration
        ).text
    }
}

/// The scenes of a film as JSON has them.
struct JSONScenes: ResultDocument {
    struct Entry: Encodable {
        let index: Int
        let start: JSONTime?
        let end: JSONTime?
        let duration: JSONTime?
        let firstFrame: Int
        let lastFrame: Int
        let opening: String
        let score: Double
    }

    let source: String
    let method: String
    let threshold: Double
    let minimumLength: JSONTime?
    let frames: Int
    let damagedFrames: Int
    /// Why the film was not read to its end.
    let truncation: String?
    let scenes: [Entry]

    init(source: String, _ list: SceneList, _ settings: SceneDetectionSettings) {
        self.source = source
        (method, threshold) = (settings.method.rawValue, settings.threshold)
        minimumLength = JSONTime(settings.minimumLength)
        (frames, damagedFrames, truncation) = (list.frameCount, list.damagedFrameCount, list.truncation)
        scenes = list.scenes.enumerated().map { index, scene in
            Entry(
                index: index + 1, start: JSONTime(scene.timeRange.start), end: JSONTime(scene.timeRange.end),
                duration: JSONTime(scene.timeRange.duration), firstFrame: scene.firstFrame,
                lastFrame: scene.lastFrame, opening: scene.opening.rawValue,
                score: (scene.score * 1000).rounded() / 1000)
        }
    }
}

/// The scenes of a film as a CMX 3600 edit decision list: an event for each, in
/// which the time in the source and on the record are the same.
struct EditDecisionList {
    let source: String
    let list: SceneList
    let description: AssetDescription

    var text: String {
        let name = (source as NSString).lastPathComponent.oneLine
        let rate = TimecodeRate(framesPerSecond: description.videoTrack?.video?.nominalFrameRate ?? 0)
        var lines = ["TITLE: \(name)", "FCM: \(rate.dropsFrames ? "DROP FRAME" : "NON-DROP FRAME")", ""]
        let zero = list.scenes.first?.timeRange.start ?? .zero
        for (index, scene) in list.scenes.enumerated() {
            let start = rate.timecode(of: scene.timeRange.start - zero)
            let end = rate.timecode(of: scene.timeRange.end - zero)
            let number = String(format: "%03d", index + 1)
            lines.append("\(number)  AX       V     C        \(start) \(end) \(start) \(end)")
            lines.append("* FROM CLIP NAME: \(name)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// How frames are counted in timecode (SMPTE ST 12-1).
struct TimecodeRate {
    /// Frames that a second of timecode has.
    let base: Int64
    /// Whether seconds of timecode are longer than real ones, by 1001/1000.
    let isNTSC: Bool
    /// Whether numbers are left out so that timecode keeps up with the clock.
    let dropsFrames: Bool

    /// - Parameter framesPerSecond: 25 is taken for a rate that is not known.
    init(framesPerSecond rate: Double) {
        let isKnown = rate.isFinite && rate >= 1 && rate <= 1000
        let whole = isKnown ? rate.rounded() : 25
        base = Int64(whole)
        isNTSC = isKnown && abs(rate - whole * 1000 / 1001) < abs(rate - whole) && [24, 30, 48, 60, 120].contains(base)
        dropsFrames = isNTSC && (base == 30 || base == 60)
    }

    /// The timecode of the frame that begins at a time from the film's start, or nearest to it.
    func timecode(of time: CMTime) -> String {
        let scale =
            isNTSC
            ? CMTime(value: 1001, timescale: CMTimeScale(base * 1000)) : CMTime(value: 1, timescale: CMTimeScale(base))
        let (numerator, denominator) = (
            Int128(time.value) * Int128(scale.timescale), Int128(time.timescale) * Int128(scale.value)
        )
        guard time.isNumeric, denominator > 0 else { return text(ofFrame: 0) }
        return text(ofFrame: Int64(clamping: (2 * numerator + denominator) / (2 * denominator)))
    }

    /// The timecode of a frame by its number from zero.
    func text(ofFrame number: Int64) -> String {
        var label = max(0, number)
        if dropsFrames {
            // The first numbers of each minute are left out, but for every tenth minute.
            let dropped = base / 15
            let (minute, ten) = (60 * base - dropped, 600 * base - 9 * dropped)
            let (tens, rest) = label.quotientAndRemainder(dividingBy: ten)
            label += 9 * dropped * tens + (rest >= 60 * base ? dropped * (1 + (rest - 60 * base) / minute) : 0)
        }
        let seconds = label / base
        let numbers = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { String(format: "%02d", $0) }
        return numbers.joined(separator: ":") + (dropsFrames ? ";" : ":") + String(format: "%02d", label % base)
    }
}
