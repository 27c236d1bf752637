internal import Foundation
internal import MediaCore
internal import MediaIO

/// Where desktops keep thumbnails for all programs, by freedesktop.org's specification.
package struct DesktopCache: Codable, Sendable {
    /// The folder `thumbnails`.
    private let folder: String
    /// Where it is told that there can be no thumbnail of a file, for this program.
    private static let failures = "fail/avtool-\(AVTool.version)"

    /// The cache of whoever runs this, `nil` where the environment tells of none.
    package init?() {
        guard let cache = UserFolders.cache else { return nil }
        folder = cache + "/thumbnails"
    }

    /// The address that a file's thumbnail is known by: the file's own path, through whatever links.
    package static func uri(of file: String) -> String {
        "file://" + DesktopURI.escaped(SourceFile.url(file).standardizedFileURL.path)
    }

    /// The file of a thumbnail.
    package func path(of uri: String, _ size: ThumbnailSize) -> String? {
        size.folder.map { path(of: uri, in: $0) }
    }

    /// The file that says that there can be none.
    package func failurePath(of uri: String) -> String { path(of: uri, in: Self.failures) }

    private func path(of uri: String, in name: String) -> String {
        "\(folder)/\(name)/\(MD5.hexadecimalDigest(of: Array(uri.utf8))).png"
    }
}

/// Addresses as GLib writes them: the shared cache knows a file by the very bytes.
enum DesktopURI {
    private static let plain = Set("!$&'()*+,-./:=@_~".utf8)

    /// A path with all escaped that does not stand for itself.
    static func escaped(_ path: String) -> String {
        Array(path.pathBytes).map { byte in
            let isPlain = plain.contains(byte) || (48...57).contains(byte) || (65...90).contains(byte & 0xDF)
            let text = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + text
        }.joined()
    }
}
