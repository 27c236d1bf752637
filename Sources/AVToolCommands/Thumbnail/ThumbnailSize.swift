package import ArgumentParser

/// How large a desktop's thumbnails are.
package struct ThumbnailSize: ExpressibleByArgument, Hashable, Codable, Sendable {
    /// Pixels of the longer side, at most.
    package let pixels: Int
    /// The folder of the shared cache that has thumbnails of this size, if there is one.
    package let folder: String?

    package static let folders = [
        ThumbnailSize(pixels: 128, folder: "normal"), ThumbnailSize(pixels: 256, folder: "large"),
        ThumbnailSize(pixels: 512, folder: "x-large"), ThumbnailSize(pixels: 1024, folder: "xx-large"),
    ]
    package static let usual = folders[1]
    /// The sizes of the cache in one text.
    package static var list: String { folders.map { "\($0.folder ?? "") (\($0.pixels))" }.joined(separator: ", ") }
    package static let range = 1...4096
    package static var defaultCompletionKind: CompletionKind { .list(folders.compactMap(\.folder)) }

    private init(pixels: Int, folder: String?) { (self.pixels, self.folder) = (pixels, folder) }

    package init?(argument: String) {
        if let known = Self.folders.first(where: { $0.folder == argument || String($0.pixels) == argument }) {
            self = known
            return
        }
        guard let pixels = Int(argument), Self.range.contains(pixels) else { return nil }
        self.init(pixels: pixels, folder: nil)
    }
}
