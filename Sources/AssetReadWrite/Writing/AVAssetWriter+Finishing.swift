internal import Foundation
internal import MediaContainers
internal import MediaCore
package import MediaEngine
internal import MediaIO
internal import MediaMetadata

extension AVAssetWriter {
    /// Makes the file of what was brought, away from the cooperative pool.
    func complete() async {
        let work = work
        let items = metadata
        var finishing = SampleAssembly.Finishing()
        finishing.optimizesForNetwork = shouldOptimizeForNetworkUse
        if let start = work.start, let end = work.end { finishing.end = end - start }
        finishing.references = Self.references(of: work.inputs)
        finishing.alternatives = inputGroups.map { group in
            work.inputs.indices.filter { index in group.inputs.contains { $0 === work.inputs[index] } }
        }
        do {
            guard let assembly = work.assembly else {
                throw AVError(.operationNotAllowed, reason: "there is nothing to finish")
            }
            let (fileType, tracks) = (outputFileType, work.inputs.map { WriterMetadata.Track(of: $0) })
            let (inputs, end, known) = (work.inputs, work.end, finishing)
            let losses = try await BlockingWork.run(cancel: { assembly.abandon() }) {
                // Those last that end with the others.
                let (endless, others) = (inputs.filter(\.awaitsEnd), inputs.filter { !$0.awaitsEnd })
                for input in others + endless { try input.finish(at: end) }
                let metadata = try WriterMetadata(
                    items.compactMap(\.entry), tracks: assembly.declaredTracks.map { tracks[$0] }, in: fileType)
                var finishing = known
                finishing.metadata = metadata.metadata
                return try assembly.complete(finishing).map { "\($0.item): \($0.reason)" } + metadata.losses
            }
            note(losses: losses)
            run.complete()
        } catch {
            if error is CancellationError { cancelWriting() } else { fail(error) }
        }
        for input in work.inputs { input.end() }
    }

    /// How the tracks of inputs refer to each other, by their places.
    private static func references(of inputs: [AVAssetWriterInput]) -> [(track: Int, other: Int, type: FourCC)] {
        inputs.indices.flatMap { track in
            inputs[track].associations.compactMap { association in
                guard let other = inputs.firstIndex(where: { $0 === association.input }),
                    let code = association.type.latin1?.bigEndian32(at: 0)
                else { return nil }
                return (track, other, FourCC(rawValue: code))
            }
        }
    }
}
