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
