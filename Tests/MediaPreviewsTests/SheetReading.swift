import Foundation
import MediaCore
import MediaImage
import MediaPreviews
import MediaTestSupport
import Testing

extension CGImage {
    /// A picture file as another program reads it.
    static func read(_ path: String, width: Int, height: Int) async throws -> CGImage {
        let pixels = try await CommandRun.ffmpegPixels(of: path, options: ["-frames:v", "1"])
        return try #require(CGImage(width: width, height: height, hasAlpha: false, pixels: pixels))
    }

    /// A part of the picture.
    func part(x: Int, y: Int, width: Int, height: Int) throws -> CGImage {
        var part: [UInt8] = []
        for row in y..<(y + height) {
            let start = row * packedBytesPerRow + x * 3
            part += pixels[start..<(start + width * 3)]
        }
        return try #require(CGImage(width: width, height: height, hasAlpha: false, pixels: part))
    }
}

extension Storyboard {
    /// The tiles cut out of the sheets in a folder.
    func tileImages(in folder: String) async throws -> [CGImage] {
        var sheets: [CGImage] = []
        for sheet in 0..<sheetCount {
            sheets.append(
                try await CGImage.read("\(folder)/\(sheetName(sheet))", width: sheetWidth, height: sheetHeight))
        }
        return try tiles.indices.map { index in
            let place = place(ofTile: index)
            return try sheets[place.sheet].part(x: place.x, y: place.y, width: tileWidth, height: tileHeight)
        }
    }
}

/// A cue as a player reads it from `storyboard.vtt`, with no help of what wrote it.
struct ReadCue {
    let start: CMTime
    let end: CMTime
    let sheet: String
    let box: [Int]

    /// The cues of a track's text.
    static func read(_ text: String) throws -> [ReadCue] {
        let pattern =
            /(\d+):(\d\d):(\d\d)\.(\d{3}) --> (\d+):(\d\d):(\d\d)\.(\d{3})\n([^#\n]+)#xywh=(\d+),(\d+),(\d+),(\d+)\n/
        return try text.matches(of: pattern).map { match in
            func time(_ parts: Substring...) throws -> CMTime {
                let numbers = try parts.map { try #require(CMTimeValue($0)) }
                let seconds = (numbers[0] * 60 + numbers[1]) * 60 + numbers[2]
                return CMTime(value: seconds * 1000 + numbers[3], timescale: 1000)
            }
            let found = match.output
            return ReadCue(
                start: try time(found.1, found.2, found.3, found.4), end: try time(found.5, found.6, found.7, found.8),
                sheet: String(found.9), box: try [found.10, found.11, found.12, found.13].map { try #require(Int($0)) })
        }
    }

    /// The picture that it names, cut out of the sheet's file.
    func image(in folder: String) async throws -> CGImage {
        let path = "\(folder)/\(sheet)"
        let probe = try await CommandRun.run(
            "ffprobe", ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path])
        let size = probe.output.trimmingCharacters(in: .newlines).split(separator: ",").compactMap { Int($0) }
        try #require(size.count == 2)
        return try await CGImage.read(path, width: size[0], height: size[1])
            .part(x: box[0], y: box[1], width: box[2], height: box[3])
    }
}
