internal import MediaCore
internal import MediaIO

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
