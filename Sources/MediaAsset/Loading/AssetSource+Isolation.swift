internal import MediaCore
package import MediaIO

extension AssetSource {
    /// Fails where this process may not read the file.
    ///
    /// Whatever reads it comes by here, so that an isolated file is read by a worker or not at all.
    package func checkIsOwn() throws {
        if let refusal { throw refusal }
        guard composition == nil else {
            throw AVError(
                .operationNotSupportedForAsset, reason: "this is done for a file only, not for a composition")
        }
        guard remote != nil else { return }
        throw AVError(
            .operationNotSupportedForAsset,
            reason: "this is not done for an asset that is isolated (AVURLAssetIsolationKey)")
    }

    /// The file that is read, or those that a composition is made of.
    package var paths: [String] { composition?.content.sources.map(\.path) ?? [path] }

    /// Fails where this process may not read the file, or those that a composition is made of.
    package func checkFilesAreOwn() throws {
        guard let composition else { return try checkIsOwn() }
        for file in composition.content.sources { try file.checkIsOwn() }
    }

    /// Whether all samples can be told of.
    var providesSamples: Bool {
        guard composition == nil else { return false }
        guard let remote else { return file != nil }
        return (try? remote.facts())?.isFile ?? false
    }

    /// What tells this version of the file from another; `nil` for what is no regular file, and if nothing can be read.
    package var fileVersion: FileVersion? {
        guard let remote else { return file?.version }
        return (try? remote.fileState())?.version
    }

    /// Fails if the file is no longer what it was when it was opened.
    ///
    /// - Parameter path: What is made of it, for the error.
    package func checkUnchanged(whileMaking path: String) throws {
        if let composition {
            for file in composition.content.sources { try file.checkUnchanged(whileMaking: path) }
            return
        }
        guard let remote else {
            try file?.checkUnchanged(whileMaking: path)
            return
        }
        guard try !remote.fileState().isUnchanged else { return }
        throw FileWriteError(kind: .writeFailed, path: path, reason: "the source was changed meanwhile")
    }
}
