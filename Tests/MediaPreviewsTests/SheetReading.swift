import Foundation
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
            let start = row * bytesPerRow + x * 3
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
