public import Foundation
internal import MediaCore
internal import MediaIO

/// A page that shows a storyboard: the picture under the pointer, and a table of its cues.
///
/// The page is one file of HTML with its style and script inside. It asks no
/// network for anything: its content security policy allows the sheets and the
/// film, nothing else, and runs no script but its own.
public struct StoryboardPage: Sendable {
    /// Where the page takes the sheets from.
    public enum Sheets: Sendable {
        /// Files beside the page, named by `Storyboard.sheetName(_:)`.
        case beside
        /// The encoded sheets themselves, so that the page can be passed on as one file.
        ///
        /// A sheet that is missing here is taken from beside the page.
        case embedded([Data])
    }

    /// What the page shows.
    public let storyboard: Storyboard
    /// The page's heading; any text is safe.
    public let title: String
    /// The film's path relative to the page, as it is named on disk; `nil` for a page without a player.
    public let player: String?
    /// Where the sheets are.
    public let sheets: Sheets

    /// Makes a page of a storyboard.
    ///
    /// - Parameters:
    ///   - title: The heading; the name of the film's file if `nil`.
    ///   - player: The film's path relative to the page. It is not a URL: the
    ///     page percent-encodes it, so that no scheme and no host can be in it.
    public init(storyboard: Storyboard, title: String? = nil, player: String? = nil, sheets: Sheets = .beside) {
        self.storyboard = storyboard
        self.title = title ?? storyboard.sourceName.withVisiblePathBytes
        self.player = player
        self.sheets = sheets
    }

    /// The page as HTML, to be stored as UTF-8.
    ///
    /// - Throws: What `JSONEncoder` throws, which it has no reason to.
    public func html() throws -> String { try PageMarkup(page: self).html() }

    /// The URL of a sheet, counted from 0.
    func sheetURL(_ sheet: Int) -> String {
        if case .embedded(let data) = sheets, data.indices.contains(sheet) {
            return "data:\(storyboard.format.mimeType);base64,\(data[sheet].base64EncodedString())"
        }
        return Self.relativeURL(path: storyboard.sheetName(sheet))
    }

    /// A path as a relative URL that can be nothing but a path.
    ///
    /// Colons are encoded, so that nothing reads as a scheme, and slashes at the
    /// start become one, so that nothing reads as a host.
    static func relativeURL(path: String) -> String {
        let bytes = path.utf8.drop { $0 == UInt8(ascii: "/") }
        let isAbsolute = bytes.count < path.utf8.count
        return (isAbsolute ? "/" : "") + urlPath(String(decoding: bytes, as: UTF8.self), in: "")
    }
}
