package import ArgumentParser
internal import Foundation
internal import MediaCore
package import MediaIO

/// `avtool thumbnail`: what a desktop shows for a file.
package struct ThumbnailCommand: MediaCommand, Writing {
    package static let configuration = CommandConfiguration(
        commandName: "thumbnail",
        abstract: "Make the small picture that a desktop shows for a film or a piece of music.",
        discussion: """
            It is the embedded cover, or else a frame that stands for the film, upright, in sRGB. The result is a PNG that \
            tells what it was made of, as freedesktop.org's specification of thumbnails asks for. Where the \
            picture at a third of the film is black or cannot be decoded undamaged, another one is taken. The file appears \
            when it is complete, or not at all, and the exit code tells.

            A file that a desktop has made for the result is filled and not replaced if it is empty, with --force.

            --desktop-cache puts thumbnails where file managers look for them, and leaves alone those that are there for \
            the file as it is now. Where a file has none, that is noted there too.

            Examples:
              avtool thumbnail --size 256 -o thumb.png movie.mp4
              avtool thumbnail --desktop-cache --size large ~/Videos/*.mkv
            """)

    @Option(
        name: [.customShort("s"), .long],
        help: ArgumentHelp(
            """
            Pixels of the longer side, aspect kept, never enlarged; or a size of the cache: normal (128), large (256), x-large \
            (512) or xx-large (1024). 256 if not given; for the cache several times for several.
            """, valueName: "pixels"))
    var size: [ThumbnailSize] = []

    @Flag(help: "Put them into the desktop's cache of thumbnails, in XDG_CACHE_HOME or ~/.cache.")
    package var desktopCache = false

    @Flag(help: "Take a frame even where there is a cover.")
    package var frame = false

    @OptionGroup package var destination: OutputOptions<Self>
    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var source: SourceOptions

    package static let outputHelp = ArgumentHelp(
        "Name of the result, with {name}; a folder; or - for standard output. {name}-thumbnail.png if not given.",
        valueName: "pattern")
    package static let forceHelp: ArgumentHelp = "Replace existing files, and make thumbnails that are up to date too."
    package static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each thumbnail."

    package var resumes: Bool { destination.resume }
    /// The sizes that are to be made, each once.
    package var sizes: [ThumbnailSize] {
        let sizes = size.isEmpty ? [ThumbnailSize.usual] : size
        return sizes.enumerated().filter { !sizes[..<$0.offset].contains($0.element) }.map(\.element)
    }
    /// Where thumbnails go; `nil` for where `-o` says.
    package var cache: DesktopCache? { desktopCache ? DesktopCache() : nil }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        guard let cache else {
            grants.fillsEmptyFiles = destination.force
            return grants.add(results: destination.output, usual: "{name}-thumbnail.png", of: file)
        }
        let uri = DesktopCache.uri(of: file)
        let paths = sizes.compactMap { cache.path(of: uri, $0) } + [cache.failurePath(of: uri)]
        grants.results += paths.map { ResultRule(literals: [$0]) }
    }

    package func validate() throws {
        guard desktopCache else {
            guard sizes.count == 1 else { throw ValidationError("Several sizes go with --desktop-cache.") }
            return try destination.validate(fileCount: source.named.count, json: json)
        }
        guard destination.output == nil else { throw ValidationError("Give one of -o and --desktop-cache.") }
        guard !destination.resume else {
            throw ValidationError("--desktop-cache leaves alone what is up to date, without --resume.")
        }
        guard cache != nil else { throw ValidationError("--desktop-cache needs HOME or XDG_CACHE_HOME.") }
        guard sizes.allSatisfy({ $0.folder != nil }) else {
            throw ValidationError("The cache has sizes of \(ThumbnailSize.list) only.")
        }
        guard !files.contains(where: { $0 == SourceFile.standardInput || SourceFile.isAddress($0) }) else {
            throw ValidationError("--desktop-cache takes files.")
        }
    }

    package init() {}
}

/// How large a desktop's thumbnails are.
package struct ThumbnailSize: ExpressibleByArgument, Hashable, Sendable {
    /// Pixels of the longer side, at most.
    package let pixels: Int
    /// The folder of the shared cache that has thumbnails of this size, if there is one.
    package let folder: String?

    package static let folders = [
        ThumbnailSize(pixels: 128, folder: "normal"), ThumbnailSize(pixels: 256, folder: "large"),
        ThumbnailSize(pixels: 512, folder: "x-large"), ThumbnailSize(pixels: 1024, folder: "xx-large"),
    ]
    static let usual = folders[1]
    /// The sizes of the cache in one text.
    static var list: String { folders.map { "\($0.folder ?? "") (\($0.pixels))" }.joined(separator: ", ") }
    static let range = 1...4096
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

/// Where desktops keep thumbnails for all programs, by freedesktop.org's specification.
package struct DesktopCache: Sendable {
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
