internal import ArgumentParser
internal import MediaCore
internal import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension WorkPlan {
    /// Counted up where results come to look different from the same settings, with the same version.
    private static let resultVersion = 1

    /// What the marks of a file's results say: the same for the same file, settings and version.
    ///
    /// A file is known by its name, size, time of modification and some of its bytes; its folder does not count.
    ///
    /// - Returns: `nil` if the file, or another that is read, cannot be told from other versions of it.
    package func resultKey(of index: Int) -> String? {
        guard let settings, grants.indices.contains(index), !grants[index].results.isEmpty else { return nil }
        var texts = ["\(Self.resultVersion)", AVTool.configuration.version] + settings
        for path in otherInputs + [files[index]] {
            guard let version = Self.version(of: path) else { return nil }
            texts += version
        }
        return FowlerNollVo.digest128(of: texts).zeroPadded(to: 32, radix: 16)
    }

    private static func version(of path: String) -> [String]? {
        var status = stat()
        guard path != SourceFile.standardInput else { return nil }
        guard stat(path, &status) == 0 else { return errno == ENOENT ? [path, "not there"] : nil }
        return FilmIdentity(path: path).map { [path.lastComponent] + $0.texts }
    }
}
