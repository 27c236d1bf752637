internal import Foundation
internal import MediaTime

/// What a page's script knows of its storyboard; times are milliseconds.
struct PageData: Encodable {
    /// A stretch of time whose picture is damaged or another interval's.
    struct Note: Encodable {
        let cue: Int
        let from: Int64
        let to: Int64
        let kind: String
        let text: String
    }

    let tileWidth: Int
    let tileHeight: Int
    let columns: Int
    let tilesPerSheet: Int
    /// Where the last cue ends.
    let end: Int64
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
        end = cues.last?.end ?? 0
        starts = cues.map(\.start)
        tiles = cues.map(\.tile)
        frames = cues.map { storyboard.tiles[$0.tile].actualTime.milliseconds }
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
                    let to = follows ? storyboard.tiles[number + 1].requestedTime.milliseconds : Int64.max
                    notes.append(
                        Note(
                            cue: index, from: tile.requestedTime.milliseconds, to: min(to, cues.last?.end ?? 0),
                            kind: "gap", text: text))
                } else if let text = tile.damage {
                    notes.append(Note(cue: index, from: cue.start, to: cue.end, kind: "damage", text: text))
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
            "<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u{2028}": "\\u2028", "\u{2029}": "\\u2029",
        ]
        var json = ""
        for scalar in String(decoding: try encoder.encode(self), as: UTF8.self).unicodeScalars {
            if let escape = escapes[scalar] { json += escape } else { json.unicodeScalars.append(scalar) }
        }
        return json
    }
}
