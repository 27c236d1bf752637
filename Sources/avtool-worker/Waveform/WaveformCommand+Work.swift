internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

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
