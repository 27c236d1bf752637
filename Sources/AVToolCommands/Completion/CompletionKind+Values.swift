package import ArgumentParser
internal import Foundation
internal import MediaMetadata
internal import MetadataFormats

extension CompletionKind {
    /// The names of presets, which the worker knows.
    ///
    /// No shell's script may have quotation marks here: zsh's has the command in some of its own.
    package static let presets = CompletionKind.shellCommand("avtool presets list --names 2>/dev/null")

    /// Names of metadata.
    package static let metadataNames = CompletionKind.custom { _, _, prefix in names(beginningWith: prefix) }

    /// Names of metadata with the sign that a value comes after, and files.
    package static let assignments = CompletionKind.custom { _, _, prefix in
        names(beginningWith: prefix).map { $0 + "=" } + files(beginningWith: prefix)
    }

    /// Kinds of files that have metadata of their own.
    package static let containers = CompletionKind.list(FileMetadata.Container.all.map(\.shortName))

    /// Languages by the tags that films have most.
    package static let languages = CompletionKind.list(
        ["ar", "cs", "da", "de", "el", "en", "es", "fi", "fr", "he", "hi", "hu", "it", "ja", "ko", "nl", "no"]
            + ["pl", "pt", "pt-BR", "ro", "ru", "sv", "th", "tr", "uk", "vi", "zh", "zh-Hans", "zh-Hant"])

    private static func names(beginningWith prefix: String) -> [String] {
        let kinds = FileMetadata.Container.all
        let names = (KnownName.all(in: kinds) + KnownName.ofTracks(in: kinds)).map(\.name)
        return Set(names).filter { $0.hasPrefix(prefix) }.sorted()
    }

    private static func files(beginningWith prefix: String) -> [String] {
        let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
        let wanted = prefix.dropFirst(folder.count)
        return (names ?? []).filter { $0.hasPrefix(wanted) && (!wanted.isEmpty || !$0.hasPrefix(".")) }.sorted()
            .map { folder + $0 }
    }
}
