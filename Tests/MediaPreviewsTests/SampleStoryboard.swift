import MediaCore
import MediaPreviews

extension Storyboard {
    /// A storyboard whose every tile shows the frame at its own requested time.
    static func sample(
        name: String = "film.mp4", duration: CMTime, interval: CMTime, tileWidth: Int = 160, tileHeight: Int = 90,
        columns: Int = 3, rows: Int = 2, format: PreviewImageFormat = .jpeg, tileCount: Int,
        sheetByteCounts: [Int] = []
    ) -> Storyboard {
        Storyboard(
            sourceName: name, duration: duration, interval: interval, tileWidth: tileWidth, tileHeight: tileHeight,
            columns: columns, rows: rows, format: format,
            tiles: (0..<tileCount).map { index in
                let time = CMTimeMultiply(interval, multiplier: Int32(index))
                return Tile(requestedTime: time, actualTime: time, isSyncSample: true, isExact: true)
            }, sheetByteCounts: sheetByteCounts)
    }

    /// 65.5 s, a picture every 10 s, six on a sheet.
    static func twoSheets(name: String = "film.mp4", format: PreviewImageFormat = .jpeg) -> Storyboard {
        sample(
            name: name, duration: CMTime(value: 131, timescale: 2), interval: CMTime(value: 10, timescale: 1),
            format: format, tileCount: 7, sheetByteCounts: [30000, 5000])
    }

    /// 250 frames of 29.97 a second apart, which is no decimal number: 8.341666… s.
    static func ntsc(tileCount: Int = 13) -> Storyboard {
        sample(
            duration: CMTime(value: 1001 * 250 * Int64(tileCount) - 1001, timescale: 30000),
            interval: CMTime(value: 1001 * 250, timescale: 30000), tileCount: tileCount,
            sheetByteCounts: [1000, 2000, 500])
    }
}
