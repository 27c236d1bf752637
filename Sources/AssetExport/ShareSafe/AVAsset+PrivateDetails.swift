package import MediaAsset
internal import MediaCore
package import MediaMetadata

extension AVAsset {
    /// What a file to be shared does not get of the asset, and what the asset holds and does not show.
    ///
    /// All of the file is read for that.
    package func loadPrivateDetails() async throws -> (details: [PrivateDetail], hidden: [HiddenMaterial]) {
        let source = source
        return try await BlockingWork.run {
            do {
                let details = try PrivateDetails(of: source, looksThroughSamples: true).details
                return (details, source.file.map { HiddenMaterial.of($0) } ?? [])
            } catch {
                throw exportError(for: error)
            }
        }
    }
}
