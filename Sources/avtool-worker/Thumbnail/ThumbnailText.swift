internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What a thumbnail tells of its file, in text chunks.
struct ThumbnailText {
    private(set) var pairs: [(keyword: String, text: String)]
    private let modified: (keyword: String, text: String)?

    /// - Parameter file: As the command line has it; what is no file has neither address nor time.
    init(of file: String) {
        pairs = [("Software", "avtool \(AVTool.version)")]
        var status = stat()
        let url = SourceFile.url(file)
        guard file != SourceFile.standardInput, url.isFileURL, stat(url.path, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else {
            modified = nil
            return
        }
        let time = ("Thumb::MTime", String(status.st_mtim.tv_sec))
        modified = time
        pairs += [("Thumb::URI", DesktopCache.uri(of: file)), time, ("Thumb::Size", String(status.st_size))]
        if let type = UTType(filenameExtension: url.pathExtension)?.preferredMIMEType {
            pairs.append(("Thumb::Mimetype", type))
        }
    }

    /// Adds what is known of the film.
    mutating func add(_ description: AssetDescription) {
        if let size = description.videoTrack?.video?.displaySize {
            pairs += [("Thumb::Image::Width", String(size.width)), ("Thumb::Image::Height", String(size.height))]
        }
        if description.duration.isNumeric, description.duration > .zero {
            pairs.append(("Thumb::Movie::Length", String(Int64(description.duration.seconds.rounded(.up)))))
        }
    }

    /// Whether there is a thumbnail that was made of the file as it is now.
    ///
    /// Its name is that of the file's address, so that the time is all that is left to compare.
    func isCurrent(_ path: String) -> Bool {
        let largest: UInt64 = 64 << 20
        guard let modified, FileManager.default.fileExists(atPath: path), let png = RandomAccessFile(path: path),
            png.byteCount <= largest
        else { return false }
        let data = Data(png.read(at: 0, count: Int(png.byteCount)))
        // The length of a chunk stands before its name. Some programs give parts of the second.
        guard let chunk = data.range(of: Data("tEXt\(modified.keyword)\0".utf8)), chunk.lowerBound >= 4 else {
            return false
        }
        let length = data[(chunk.lowerBound - 4)..<chunk.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        let text = data[chunk.upperBound...].prefix(max(0, length - modified.keyword.utf8.count - 1))
        return text.prefix { $0 != UInt8(ascii: ".") }.elementsEqual(modified.text.utf8)
    }
}
