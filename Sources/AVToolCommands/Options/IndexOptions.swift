package import ArgumentParser
internal import Foundation
package import MediaIO

/// Where a command that needs frames at random finds out where they lie.
package struct IndexOptions: ParsableArguments, RunOptions {
    @Option(
        help: ArgumentHelp(
            """
            Go by this index, which 'avtool index' has made of the film: saves a pass over films whose format has no index. \
            {name} stands for the film's name; a folder has {name}-index.jsonl.
            """, valueName: "file"))
    package var index: String?

    @Option(
        help: ArgumentHelp(
            """
            Keep such indexes in this folder, and use those that are there; 'auto' is avtool/index in XDG_CACHE_HOME or \
            ~/.cache.
            """, valueName: "folder"))
    package var cache: String?

    /// The index of a film, which the command line names.
    package func index(of file: String) -> String? {
        guard let index else { return nil }
        let base = SourceFile.baseName(file)
        var isFolder: ObjCBool = false
        let isInFolder =
            index.hasSuffix("/")
            || FileManager.default.fileExists(atPath: index, isDirectory: &isFolder) && isFolder.boolValue
        let pattern = isInFolder ? "\(index)/{name}-index.jsonl" : index
        return pattern.replacingOccurrences(of: "{name}", with: base.isEmpty ? "untitled" : base)
    }

    /// Where an index of a film is kept; `nil` if none is, or if the film cannot be told from others.
    package func cached(_ file: String) -> String? {
        guard let folder = cacheFolder, let identity = FilmIdentity(path: file) else { return nil }
        return "\(folder)/\(identity.digest).jsonl"
    }

    private var cacheFolder: String? {
        guard cache == "auto" else { return cache }
        return UserFolders.cache.map { "\($0)/avtool/index" }
    }

    /// Lets indexes be read and kept.
    package func add(to grants: inout FileGrants, for file: String) {
        if let index = index(of: file) { grants.add(input: index) }
        if let cached = cached(file) { grants.kept.formUnion([cached, SourceFile.url(cached).path]) }
    }

    package func validate() throws {
        guard index == nil || cache == nil else { throw ValidationError("Give one of --index and --cache.") }
        guard index?.isEmpty != true, cache?.isEmpty != true else {
            throw ValidationError("--index and --cache take a name.")
        }
    }

    package init() {}
}
