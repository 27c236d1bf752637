/// What Roku's documentation asks of pictures for its players.
public enum RokuLimits {
    /// The widths of pictures in a BIF file in pixels, for screens of standard and of high definition.
    public static let bifWidths = [240, 320]
    /// The longest side of a sheet of HLS or DASH in pixels that devices of the higher end show.
    public static let sheetSide = 1080

    /// Where a storyboard breaks these limits, a line for each; empty if it does not.
    ///
    /// - Parameter extras: What is written of it: ``StoryboardExtra/bif``, ``StoryboardExtra/hls`` and
    ///   ``StoryboardExtra/dash`` have limits.
    public static func warnings(of storyboard: Storyboard, extras: Set<StoryboardExtra>) -> [String] {
        var warnings: [String] = []
        if extras.contains(.bif), !bifWidths.contains(storyboard.tileWidth) {
            warnings.append(
                "Roku takes pictures of a BIF file that are 240 (SD) or 320 (HD) pixels wide, not "
                    + "\(storyboard.tileWidth); --tile 320x0 makes them so where the film is wide enough")
        }
        if !extras.isDisjoint(with: [.hls, .dash]), max(storyboard.sheetWidth, storyboard.sheetHeight) > sheetSide {
            warnings.append(
                "Roku shows pictures of HLS and DASH from sheets of up to \(sheetSide) pixels a side, not from "
                    + "\(storyboard.sheetWidth)x\(storyboard.sheetHeight); take fewer columns and rows")
        }
        return warnings
    }
}
