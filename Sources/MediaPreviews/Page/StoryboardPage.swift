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

/// What a page's script knows of its storyboard; times are milliseconds.
struct PageData: Encodable {
    /// A stretch of time whose picture is damaged or another interval's.
    struct Note: Encodable {
        enum Kind: String, Encodable { case gap, damage }

        let cue: Int
        let from: Int64
        let to: Int64
        let kind: Kind
        let text: String
    }

    let tileWidth: Int
    let tileHeight: Int
    let columns: Int
    let tilesPerSheet: Int
    /// Where the film, or the part of it that is covered, begins; a cue may begin earlier.
    let begin: Int64
    /// Where the last cue ends.
    let end: Int64
    /// How long the film lasts.
    let duration: Int64
    /// The asset's zero in these times.
    let zero: Int64
    /// The asset's zero in the film's own times, as browsers count them that shift nothing.
    let origin: Int64
    /// For each cue: where it begins.
    let starts: [Int64]
    /// For each cue: its frame's own time.
    let frames: [Int64]
    /// For each cue: its tile, counted from 0.
    let tiles: [Int]
    /// For each cue: 1 if its frame is a sync sample.
    let sync: [Int]
    /// Ascending by cue.
    let notes: [Note]

    init(_ storyboard: Storyboard) {
        let cues = storyboard.cues
        tileWidth = storyboard.tileWidth
        tileHeight = storyboard.tileHeight
        columns = storyboard.columns
        tilesPerSheet = storyboard.tilesPerSheet
        let begin = storyboard.startMilliseconds
        self.begin = begin
        end = cues.last?.end ?? 0
        duration = storyboard.duration.milliseconds
        zero = storyboard.zero.milliseconds
        origin = storyboard.origin.milliseconds
        starts = cues.map { max($0.start, begin) }
        tiles = cues.map(\.tile)
        frames = cues.map { (storyboard.zero + storyboard.tiles[$0.tile].actualTime).milliseconds }
        sync = cues.map { storyboard.tiles[$0.tile].isSyncSample ? 1 : 0 }
        notes = Self.notes(storyboard, cues: cues)
    }

    /// A tile without a picture of its own has no cue of its own either: its
    /// note belongs to the cue whose picture it repeats.
    private static func notes(_ storyboard: Storyboard, cues: [Storyboard.Cue]) -> [Note] {
        var notes: [Note] = []
        for (index, cue) in cues.enumerated() {
            let next = index + 1 < cues.count ? cues[index + 1].tile : storyboard.tiles.count
            for number in cue.tile..<max(next, cue.tile + 1) {
                let tile = storyboard.tiles[number]
                let follows = number + 1 < storyboard.tiles.count
                if let text = tile.gap {
                    let to = follows ? storyboard.milliseconds(ofTile: number + 1) : Int64.max
                    notes.append(
                        Note(
                            cue: index, from: storyboard.milliseconds(ofTile: number), to: min(to, cues.last?.end ?? 0),
                            kind: .gap, text: text))
                } else if let text = tile.damage {
                    let from = max(cue.start, storyboard.startMilliseconds)
                    notes.append(Note(cue: index, from: from, to: cue.end, kind: .damage, text: text))
                }
            }
        }
        return notes
    }

    /// JSON that can stand inside a script element: nothing in it can end the element or begin markup.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // These characters occur in JSON's strings only, where their escapes mean the same.
        let escapes: [Unicode.Scalar: String] = [
            "<": "\\u003c", ">": "\\u003e", "&": "\\u0026",
        ]
        var json = ""
        for scalar in String(decoding: try encoder.encode(self), as: UTF8.self).printableJSON.unicodeScalars {
            if let escape = escapes[scalar] { json += escape } else { json.unicodeScalars.append(scalar) }
        }
        return json
    }
}

extension Storyboard {
    /// Where a tile's interval starts, on the timeline of the cues.
    fileprivate func milliseconds(ofTile index: Int) -> Int64 { (zero + tiles[index].requestedTime).milliseconds }
}

/// The page's HTML around its style, script and data.
struct PageMarkup {
    let page: StoryboardPage
    private var storyboard: Storyboard { page.storyboard }

    func html() throws -> String {
        let data = PageData(storyboard)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(page.title.htmlEscaped)</title>
            <style>\(PageStyle.text)</style>
            </head>
            <body>
            <header>
            <h1 dir="auto">\(page.title.htmlEscaped)</h1>
            <p class="facts">\(facts(data))</p>
            </header>
            <main>
            <section class="view" aria-label="Preview">
            <div class="stage">
            \(player)<canvas id="picture" role="img"></canvas>
            </div>
            <p id="trouble" role="alert" hidden></p>
            <div class="scrub">
            <div id="bubble" aria-hidden="true" hidden><canvas id="thumbnail"></canvas><span></span></div>
            <div id="bar" role="slider" tabindex="0" aria-label="Position in the film" aria-orientation="horizontal">
            <canvas id="strip"></canvas><div id="marks"></div><div id="progress"></div>
            <div id="pointer" hidden></div><div id="position"></div>
            </div>
            </div>
            <dl class="readout">
            <div><dt id="moment-label">Position</dt><dd id="moment"></dd></div>
            <div><dt>Frame</dt><dd id="frame"></dd></div>
            <div><dt>Picture</dt><dd id="number"></dd></div>
            </dl>
            <p id="note" hidden></p>
            </section>
            <section class="cues" aria-label="Cues">
            <table role="grid" id="table" aria-label="Cues">
            <thead role="rowgroup"><tr role="row" aria-rowindex="1">
            <th role="columnheader" class="picture">Picture</th><th role="columnheader" class="start">Start</th>
            <th role="columnheader" class="end">End</th><th role="columnheader" class="frame">Frame</th>
            <th role="columnheader" class="kind">Kind</th>
            </tr></thead>
            <tbody role="rowgroup" id="rows"></tbody>
            </table>
            </section>
            </main>
            <details class="sheets" open>
            <summary>Sheets <span class="count">\(storyboard.sheetCount)</span></summary>
            <noscript><p>Without JavaScript the pictures are shown as they lie on their sheets.</p></noscript>
            <ol>
            \((0..<storyboard.sheetCount).map(sheet).joined(separator: "\n"))
            </ol>
            </details>
            <script type="application/json" id="data">\(try data.json())</script>
            <script>\(PageScript.text)</script>
            </body>
            </html>

            """
    }

    /// Nothing is loaded but pictures and films from where the page is, and
    /// nothing runs but the one script.
    ///
    /// A page that was opened as a file has no origin that `'self'` need stand
    /// for; `file:` does there, and is of no use to a page from a server.
    static let policy = [
        "default-src 'none'", "img-src 'self' file: data:", "media-src 'self' file:", "style-src '\(PageStyle.hash)'",
        "script-src '\(PageScript.hash)'", "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")

    private var player: String {
        guard let path = page.player else { return "" }
        return """
            <video id="film" controls playsinline preload="metadata" \
            src="\(StoryboardPage.relativeURL(path: path).htmlEscaped)"></video>

            """
    }

    private func facts(_ data: PageData) -> String {
        let pictures = data.starts.count == 1 ? "1 picture" : "\(data.starts.count) pictures"
        var facts = [
            (data.end - data.begin).clockText(), "\(pictures), one every \(Self.seconds(storyboard.interval))",
            "\(storyboard.tileWidth) × \(storyboard.tileHeight) pixels",
        ]
        if storyboard.part.start > .zero || storyboard.part.end < storyboard.duration {
            facts[0] += " from \(data.begin.clockText()) on"
        }
        let name = storyboard.sourceName.withVisiblePathBytes
        if page.title != name { facts.insert(name.htmlEscaped, at: 0) }
        facts = facts.map { "<bdi>\($0)</bdi>" }
        let damaged = data.notes.count { $0.kind == .damage }
        let gaps = data.notes.count - damaged
        if damaged > 0 { facts.append("<b>\(damaged) damaged</b>") }
        if gaps > 0 { facts.append("<b>\(gaps) without a picture of \(gaps == 1 ? "its" : "their") own</b>") }
        return facts.joined(separator: " · ")
    }

    private func sheet(_ index: Int) -> String {
        let first = index * storyboard.tilesPerSheet
        let last = min(first + storyboard.tilesPerSheet, storyboard.tiles.count) - 1
        let tiles = first == last ? "Tile \(first + 1)" : "Tiles \(first + 1) to \(last + 1)"
        let times = [first, last].map { (storyboard.zero + storyboard.tiles[$0].actualTime).milliseconds.clockText() }
        return """
            <li><figure><img src="\(page.sheetURL(index))" alt="\(tiles)" loading="lazy" \
            width="\(storyboard.sheetWidth)" height="\(storyboard.sheetHeight)">\
            <figcaption>\(tiles), \(times[0])\(first == last ? "" : " to " + times[1])</figcaption></figure></li>
            """
    }

    /// A time as seconds without needless zeros: `10 s`, `2.5 s`.
    private static func seconds(_ time: CMTime) -> String {
        time.nanoseconds().decimalText(decimals: 9) + " s"
    }
}
