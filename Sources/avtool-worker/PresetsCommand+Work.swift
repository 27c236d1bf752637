internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension PresetsListCommand: FileWorking {
    /// The presets by their names.
    var files: [String] { ExportPresetCatalog.user(WorkerFiles.access).names }

    var json: Bool { report.json }

    static let isPerFile = false

    func prepared() -> FileWork<JSONPreset> {
        let catalog = ExportPresetCatalog.user(WorkerFiles.access)
        let width = catalog.names.map(\.count).max() ?? 0
        return { name, _ in
            guard !names else { return FileReport(lines: [name]) }
            let entry = try catalog.entry(name)
            return FileReport(document: JSONPreset(entry), lines: [line(entry, width: width)])
        }
    }

    func document(of failure: Failure, file: String) -> any Encodable {
        JSONUnreadablePreset(name: file, error: JSONError(failure))
    }

    private func line(_ entry: ExportPresetCatalog.Entry, width: Int) -> String {
        let preset = entry.preset
        let name = preset.name + String(repeating: " ", count: max(0, width - preset.name.count))
        let types = preset.fileTypes.prefix(3).map(\.preferredFilenameExtension).joined(separator: " ")
        let notes = [entry.path.map { "from \($0)" }, preset.unavailabilityReason.map { "not available: \($0)" }]
        return
            ("\(name)  \(preset.description)"
            + ([types] + notes.compactMap { $0 }).map { " [\($0)]" }.joined()).oneLine
    }
}

/// A preset in a list.
struct JSONPreset: ResultDocument {
    let name: String
    let description: String
    let avFoundation: String?
    let fileTypes: [String]
    /// Where the document is; absent if it comes with the tool.
    let file: String?
    let available: Bool
    /// Why it is not available.
    let reason: String?

    init(_ entry: ExportPresetCatalog.Entry) {
        let preset = entry.preset
        (name, description, avFoundation) = (preset.name, preset.description, preset.avFoundationName)
        fileTypes = preset.fileTypes.map(\.preferredFilenameExtension)
        file = entry.path
        reason = preset.unavailabilityReason
        available = reason == nil
    }
}

/// A preset that cannot be read.
private struct JSONUnreadablePreset: Encodable {
    let name: String
    let error: JSONError
}

extension PresetsShowCommand: WholeWorking {
    func run() async throws {
        let entry: ExportPresetCatalog.Entry
        do { entry = try ExportPresetCatalog.user(WorkerFiles.access).entry(preset) } catch { throw Failure(error) }
        guard !json else {
            try WorkerConsole.write(entry.document.printableJSON)
            return
        }
        try WorkerConsole.print(PresetText(entry.preset, path: entry.path).lines.map(\.oneLine).joined(separator: "\n"))
    }
}

extension PresetsCheckCommand: FileWorking {
    func prepared() -> FileWork<JSONCheckedPreset> {
        { file, _ in
            let preset = try ExportPresetCatalog.entry(atPath: file, access: WorkerFiles.access).preset
            try preset.checkEncoders(path: file)
            let note = preset.unavailabilityReason.map { ", but \($0)" } ?? ""
            return FileReport(
                document: JSONCheckedPreset(
                    file: file, name: preset.name, available: preset.unavailabilityReason == nil),
                lines: ["\(file): \(preset.name) is valid\(note)".oneLine])
        }
    }

    func document(of failure: Failure, file: String) -> any Encodable {
        JSONFailedPreset(file: file, error: JSONError(failure))
    }
}

/// A document that is valid.
struct JSONCheckedPreset: ResultDocument {
    let file: String
    let name: String
    let available: Bool
}

/// A document that is not.
private struct JSONFailedPreset: Encodable {
    let file: String
    let error: JSONError
}

/// A preset as text.
struct PresetText {
    private(set) var lines: [String] = []

    init(_ preset: ExportPreset, path: String?) {
        lines = [preset.name, "  \(preset.description)"]
        add("file", path)
        add("stands for", preset.avFoundationName)
        add("makes", preset.fileTypes.map(\.preferredFilenameExtension).joined(separator: ", "))
        switch preset.video {
        case .none: add("pictures", "left out")
        case .passthrough: add("pictures", "as they are")
        case .encode(let video): addVideo(video)
        }
        switch preset.audio {
        case .none: add("sound", "left out")
        case .passthrough: add("sound", "as it is")
        case .encode(let audio): addAudio(audio)
        }
        let dropped = [
            ("subtitles", preset.subtitles), ("other tracks", preset.otherTracks), ("chapters", preset.chapters),
            ("metadata", preset.metadata),
        ].filter { $0.1 == .drop }.map(\.0)
        add("leaves out", dropped.isEmpty ? nil : dropped.joined(separator: ", "))
        add("at most", preset.fileLengthLimit.map { "\($0) bytes" })
        add("not available", preset.unavailabilityReason)
    }

    private mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        lines.append("  \(name): \(value)")
    }

    private mutating func addVideo(_ video: ExportPreset.VideoEncoding) {
        add(
            "pictures",
            ([video.encoder, rate(video.rateControl)] + options(video.options, video.parameters)).joined(
                separator: ", "))
        add("pixel formats", video.pixelFormats.joined(separator: ", "))
        add("size", video.maximumSize.map { "\($0.width)x\($0.height) at most" } ?? "as the source's")
        add("frame rate", video.maximumFrameRate.map { "\(number($0)) at most" } ?? "as the source's")
        add("keyframes", video.keyframeSeconds.map { "every \(number($0)) s at least" })
        add("HDR", video.dynamicRange == .standard ? "becomes SDR" : "stays HDR")
        add("interlaced pictures", video.deinterlaces ? "become progressive" : "stay interlaced")
        add("part", video.crop.map { "\($0.width)x\($0.height) at \($0.x), \($0.y)" })
        if video.rotation != 0 { add("turned", "\(video.rotation) degrees clockwise") }
        if video.keepsAlpha { add("transparency", "is kept") }
    }

    private mutating func addAudio(_ audio: ExportPreset.AudioEncoding) {
        let rates = audio.bitRates.sorted { $0.key < $1.key }.map { "\($1 / 1000) kbit/s for \($0)" }
        let rate = audio.quality.map { "quality \(number($0))" } ?? rates.joined(separator: ", ")
        add(
            "sound",
            ([audio.encoder] + [rate].filter { !$0.isEmpty } + options(audio.options, [:])).joined(separator: ", "))
        add("channels", audio.maximumChannels.map { "\($0) at most" } ?? "as the source's")
        add("sample rate", audio.maximumSampleRate.map { "\($0) at most" })
    }

    private func rate(_ control: ExportPreset.VideoRateControl) -> String {
        switch control {
        case .encoder: "as the encoder chooses"
        case .constantQuality(let quality, let maximum):
            "quality \(number(quality))" + (maximum.map { ", \($0 / 1000) kbit/s at most" } ?? "")
        case .bitRate(let rate, let passes): "\(rate / 1000) kbit/s" + (passes == 2 ? " in two passes" : "")
        }
    }

    private func options(_ lists: [String: String]...) -> [String] {
        lists.flatMap { $0.sorted { $0.key < $1.key }.map { "\($0)=\($1)" } }
    }

    private func number(_ value: Double) -> String {
        let text = String(value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
