// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

/// What an importer does with files, by their names.
struct MediaImporter {
    enum Kind { case film, sound, picture, other }

    func kind(of url: URL) -> Kind {
        guard let type = UTType(filenameExtension: url.pathExtension) else { return .other }
        if type.conforms(to: .movie) || type.conforms(to: .video) { return .film }
        if type.conforms(to: .audio) { return .sound }
        return type.conforms(to: .image) ? .picture : .other
    }

    func mimeType(of url: URL) -> String {
        UTType(filenameExtension: url.pathExtension)?.preferredMIMEType ?? "application/octet-stream"
    }

    /// The name under which a download is kept.
    func fileName(base: String, mimeType: String?) -> String {
        guard let mimeType, let type = UTType(mimeType: mimeType), let suffix = type.preferredFilenameExtension else {
            return base
        }
        return base + "." + suffix
    }

    func fileType(for url: URL) -> AVFileType? {
        UTType(filenameExtension: url.pathExtension, conformingTo: .audiovisualContent).map {
            AVFileType($0.identifier)
        }
    }
}

extension AVFileType {
    /// As exporters wrote it before `UTType`.
    var legacyExtension: String {
        guard
            let suffix = UTTypeCopyPreferredTagWithClass(rawValue as CFString, kUTTagClassFilenameExtension)?
                .takeRetainedValue()
        else { return "" }
        return suffix as String
    }

    var preferredExtension: String? { UTType(rawValue)?.preferredFilenameExtension }
}

/// The type of a file in the style of the years before.
func legacyTypeIsMovie(_ pathExtension: String) -> Bool {
    let tag = pathExtension as CFString
    guard
        let identifier = UTTypeCreatePreferredIdentifierForTag(kUTTagClassFilenameExtension, tag, nil)?
            .takeRetainedValue()
    else { return false }
    return UTTypeConformsTo(identifier, kUTTypeMovie)
}
