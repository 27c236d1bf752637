import Foundation
import MediaAsset
import MediaCore
import MediaImage
import MediaPreviews
import MediaTestSupport
import Testing

/// Makes a sheet of a fixture.
func makeSheet(
    _ name: String, _ moments: ContactSheet.Moments = .even, as fileName: String? = nil,
    _ change: (inout ContactSheet.Settings) -> Void = { _ in }
) async throws -> ContactSheet {
    var settings = ContactSheet.Settings()
    change(&settings)
    return try await ContactSheet.make(
        of: Fixture(name).asset, name: fileName ?? name, moments: moments, settings: settings)
}

extension ContactSheet {
    /// The picture of a tile, cut out of the sheet.
    func picture(_ tile: Tile) throws -> CGImage {
        let rows = (tile.y..<(tile.y + tile.height)).map { y in
            let start = y * image.packedBytesPerRow + tile.x * 3
            return image.pixels[start..<(start + tile.width * 3)]
        }
        return try #require(
            CGImage(width: tile.width, height: tile.height, hasAlpha: false, pixels: Array(rows.joined())))
    }

    /// Whether anything is drawn within some rows.
    func hasInk(rows: Range<Int>, background: [Int]) -> Bool {
        rows.contains { y in (0..<image.width).contains { x in image.color(x: x, y: y) != background } }
    }
}

extension ContactSheet.Tile {
    /// Pixels from the left and from the top.
    var place: [Int] { [x, y] }
    /// Width and height.
    var size: [Int] { [width, height] }
}

/// What a label says, as a time.
func time(ofLabel label: String) throws -> CMTime {
    let match = try #require(label.wholeMatch(of: /(\d+):(\d\d):(\d\d)\.(\d\d\d)/))
    let parts = try [match.1, match.2, match.3, match.4].map { try #require(Int64($0)) }
    return CMTime(value: ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000 + parts[3], timescale: 1000)
}
