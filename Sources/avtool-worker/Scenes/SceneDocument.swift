internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The scenes of a film as text of any of the formats.
struct SceneDocument {
    let source: String
    let list: SceneList
    let settings: SceneDetectionSettings
    let description: AssetDescription
    /// Whether a table begins with the names of its columns.
    let hasHeading: Bool
    /// Whether each film's name is to be told.
    let isOneOfSeveral: Bool

    var json: JSONScenes { JSONScenes(source: source, list, settings) }

    func text(_ format: SceneListFormat) throws -> String {
        switch format {
        case .text: table
        case .csv: csv
        case .edl: EditDecisionList(source: source, list: list, description: description).text
        case .json: try JSONLine.text(json) + "\n"
        case .chapters: chapters
        }
    }

    private var table: String {
        let rows = list.scenes.enumerated().map { index, scene in
            [
                String(index + 1), scene.timeRange.start.secondsText(), scene.timeRange.end.secondsText(),
                scene.timeRange.duration.secondsText(), String(scene.firstFrame),
            ]
        }
        let lines = ([["scene", "start", "end", "duration", "frame"]] + rows).map { cells in
            zip(cells, [5, 12, 12, 12, 9]).map { cell, width in
                String(repeating: " ", count: max(1, width - cell.count)) + cell
            }.joined()
        }
        return ((isOneOfSeveral ? [source.oneLine] : []) + lines).joined(separator: "\n") + "\n"
    }

    private var csv: String {
        let rows = list.scenes.enumerated().map { index, scene in
            [
                source.withVisiblePathBytes, String(index + 1), scene.timeRange.start.secondsText(),
                scene.timeRange.end.secondsText(),
                scene.timeRange.duration.secondsText(), String(scene.firstFrame), String(scene.lastFrame),
                scene.opening.rawValue, String(format: "%.2f", scene.score),
            ]
        }
        let names = [
            "source", "scene", "start", "end", "duration", "first_frame", "last_frame", "opening", "score",
        ]
        return CSVText.rows((hasHeading ? [names] : []) + rows)
    }

    private var chapters: String {
        let chapters = list.scenes.enumerated().map { index, scene in
            Chapter(
                start: scene.timeRange.start, end: scene.timeRange.end, titles: [Chapter.Title("Scene \(index + 1)")])
        }
        return ChapterTextFormat.ffmetadata.text(
            of: ChapterList(form: .quickTimeTrack, chapters: chapters), assetDuration: description.duration
        ).text
    }
}
