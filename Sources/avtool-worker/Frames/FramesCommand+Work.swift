internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension FramesCommand: FileWorking {
    func prepared() throws -> FileWork<JSONFrames> {
        let naming = try ResultNaming(destination.output, default: "{name}.{ext}", count: fileCount)
        try naming.checkNamesDiffer(ofFiles: fileCount)
        return { file, work in
            var options = PackedFrameOptions()
            (options.trackID, options.isStored) = (tracks.track, stored)
            options.interval = try every?.time()
            if let size {
                (options.width, options.height) = (
                    size.width > 0 ? size.width : nil, size.height > 0 ? size.height : nil
                )
            }
            options.pixelFormat = pixelFormat?.rawValue ?? (wanted == .png ? FrameSampleFormat.rgb24.rawValue : nil)
            (options.needsFixedRate, options.prefersLuma) = (wanted == .y4m, wanted == .y4m)
            options.wantsFullGrey = wanted == .raw
            options.allowsDamage = damage.allowDamaged
            return try await FramesRequest(
                source: source.source(file), part: part.part, options: options, format: wanted,
                output: naming.place(
                    source: file, filenameExtension: wanted.filenameExtension, replaces: destination.force),
                streams: streams, describesPictures: json
            ).run(in: work)
        }
    }
}
