internal import Foundation
public import MediaAsset
internal import MediaCore
internal import MediaIO

/// What a sheet was made of and how, as a short text that its file carries.
///
/// A later run compares the mark that it would write with the one that is there
/// and so knows whether it would make the same sheet again.
public struct SheetMark: Sendable, Hashable {
    /// What a name holds before a sheet is made.
    public enum Found: Sendable, Hashable {
        /// No file.
        case nothing
        /// A sheet of the same film, made in the same way.
        case same
        /// A sheet of another film, of another version of it, or made in another way.
        case other
        /// A file that is no sheet of ours.
        case foreign
    }

    /// The mark itself: ASCII without spaces.
    let text: String

    /// How every mark begins.
    private static let prefix = "avtool-sheet:"
    /// Counted up where sheets come to look different from the same settings.
    private static let version = 1
    /// Sheets are smaller; what is larger is not searched.
    private static let maximumByteCount: UInt64 = 1 << 29

    /// Marks sheets of a film as it is now; `nil` if it is no file that tells versions apart, such as a pipe.
    ///
    /// The version is the file's name, size and time of modification; none of its contents are read.
    ///
    /// - Parameters:
    ///   - options: What decides about the sheet besides its settings, such as the times asked for.
    public init?(of asset: AVURLAsset, settings: ContactSheet.Settings, options: [String]) {
        guard let source = StoryboardDocument.Source(asset) else { return nil }
        let parts =
            ["\(source.name)", "\(source.byteCount)", source.modificationTime, "\(settings)"] + options
        // Nobody gains from two settings of one digest, so that it need not be a secure one.
        let digest = FowlerNollVo.digest128(of: parts)
        text = "\(Self.prefix)\(Self.version):" + digest.zeroPadded(to: 32, radix: 16)
    }

    /// What a name holds.
    ///
    /// - Parameters:
    ///   - path: The sheet's path.
    ///   - mark: That of the sheet to be made; `nil` where its film cannot be told from other versions.
    /// - Complexity: Reads the file whole, up to 512 MiB; larger ones, and what cannot be read, are `foreign`.
    public static func found(at path: String, making mark: SheetMark?) -> Found {
        guard FileManager.default.fileExists(atPath: path) else { return .nothing }
        guard let file = RandomAccessFile(path: path), file.byteCount <= maximumByteCount else { return .foreign }
        let data = Data(file.read(at: 0, count: Int(file.byteCount)))
        if let mark, contains(mark.text, in: data) { return .same }
        return contains(prefix, in: data) ? .other : .foreign
    }

    private static func contains(_ text: String, in data: Data) -> Bool {
        data.range(of: Data(text.utf8)) != nil
    }
}
