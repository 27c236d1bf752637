internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// How a waveform is drawn.
struct WaveformLook {
    let width: Int
    let height: Int
    let color: RGBColor
    let background: RGBColor?
    let scale: WaveformScale

    static let usualColor = RGBColor("#3a6ea5") ?? .black

    var amplitude: Waveform.AmplitudeScale {
        switch scale {
        case .auto: .auto
        case .factor(let factor): .factor(factor)
        }
    }
}

/// A waveform that was made, as JSON has it.
struct JSONWaveform: ResultDocument {
    let source: String
    let file: String
    let points: Int
    let samplesPerPoint: Int
    let sampleRate: Int
    let channels: Int
}

/// A film whose waveform is wanted.
struct WaveformRequest {
    let source: MediaSource
    let part: FilmPart
    let trackID: Int32?
    let settings: WaveformSettings
    let format: WaveformFormat
    let look: WaveformLook
    let allowsDamage: Bool
    let output: ResultPlace

    func run(in work: Work<JSONWaveform>) async throws -> FileReport<JSONWaveform> {
        let place = try work.files.output(output)
        let asset = try source.asset()
        let waveform = try await asset.waveform(
            settings, in: part.range(of: asset), trackID: trackID, allowsDamagedMedia: allowsDamage
        ) { work.progress($0, "") }
        try AtomicFile.write(try data(of: waveform), to: place)
        guard !output.isStandardOutput else { return FileReport() }
        let document = JSONWaveform(
            source: source.file, file: place.path, points: waveform.length, samplesPerPoint: waveform.samplesPerPoint,
            sampleRate: waveform.sampleRate, channels: waveform.channels)
        return FileReport(
            document: document,
            lines: [
                "\(place.path.oneLine): \(waveform.length) \(waveform.length == 1 ? "point" : "points") of \(waveform.samplesPerPoint) samples"
            ])
    }

    private func data(of waveform: Waveform) throws -> Data {
        switch format {
        case .json: waveform.json
        case .dat: waveform.dat
        case .svg:
            Data(
                try waveform.svg(
                    width: look.width, height: look.height, color: look.color, background: look.background,
                    amplitudeScale: look.amplitude
                ).utf8)
        case .png:
            try waveform.png(
                width: look.width, height: look.height, color: look.color, background: look.background,
                amplitudeScale: look.amplitude)
        }
    }
}

extension WaveformCommand: FileWorking {
    func prepared() throws -> FileWork<JSONWaveform> {
        let naming = try ResultNaming(destination.output, default: "{name}-waveform.{ext}", count: fileCount)
        try naming.checkNamesDiffer(ofFiles: fileCount)
        var settings = WaveformSettings()
        (settings.bits, settings.splitsChannels) = (wanted.isPicture ? 16 : bits, splitChannels)
        if let samples { settings.resolution = .samplesPerPoint(samples) }
        if let perSecond { settings.resolution = .pointsPerSecond(perSecond) }
        let fixed = samples != nil || perSecond != nil
        if let points { settings.resolution = wanted.isPicture ? .pointCount(points) : .atMost(points) }
        if points == nil, !fixed, wanted.isPicture { settings.resolution = .atMost(size.width) }
        try settings.check()
        let chosen = settings
        return { file, work in
            try await WaveformRequest(
                source: source.source(file), part: part.part, trackID: track, settings: chosen, format: wanted,
                look: WaveformLook(
                    width: size.width, height: size.height, color: color?.color ?? WaveformLook.usualColor,
                    background: background?.color, scale: scale),
                allowsDamage: damage.allowDamaged,
                output: naming.place(
                    source: file, filenameExtension: wanted.filenameExtension, replaces: destination.force)
            ).run(in: work)
        }
    }
}
