internal import Foundation
internal import MediaCore

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
