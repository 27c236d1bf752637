internal import MediaCore

/// A storyboard as thumbnails of MPEG-DASH, as the DASH Industry Forum's
/// interoperability points define them (6.2.6, tiles of thumbnails).
///
/// An adaptation set of pictures says how long a whole sheet lasts and how it is
/// divided; dash.js, Shaka Player and ExoPlayer find a time's tile by division.
/// The last sheet counts as long as the others: what is left over is never shown.
public enum DASHThumbnails {
    /// The file's usual name.
    public static let fileName = "storyboard.mpd"
    /// The usual name of the file with the adaptation set for the film's manifest.
    public static let adaptationSetFileName = "dash-adaptation-set.xml"

    /// A manifest that holds the pictures only.
    ///
    /// - Parameter sheetFolder: Where the sheets lie, as a path relative to the
    ///   manifest; empty if beside it.
    public static func manifest(of storyboard: Storyboard, sheetFolder: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" \
        mediaPresentationDuration="\(duration(storyboard.endNanoseconds))" minBufferTime="PT2S">
          <Period id="0" start="PT0S">
        \(adaptationSet(of: storyboard, sheetFolder: sheetFolder, indentation: 4))
          </Period>
        </MPD>

        """
    }

    /// The adaptation set alone, for a period of one's own manifest, without a
    /// line break at its end.
    ///
    /// It has no `id`, so that it cannot clash with others.
    ///
    /// - Parameters:
    ///   - sheetFolder: Where the sheets lie, as a path relative to the manifest;
    ///     empty if beside it.
    ///   - indentation: Spaces before each line.
    public static func adaptationSet(
        of storyboard: Storyboard, sheetFolder: String = "", indentation: Int = 0
    ) -> String {
        let (duration, timescale) = sheetDuration(of: storyboard)
        let name = urlPath("storyboard-", in: sheetFolder) + "$Number%03d$." + storyboard.format.filenameExtension
        let grid = "\(storyboard.columns)x\(storyboard.rows)"
        let lines = [
            #"<AdaptationSet contentType="image" mimeType="\#(storyboard.format.mimeType)">"#,
            #"  <SegmentTemplate media="\#(name)" timescale="\#(timescale)" duration="\#(duration)" startNumber="1"/>"#,
            #"  <Representation id="thumbnails-\#(storyboard.tileWidth)x\#(storyboard.tileHeight)" "#
                + #"bandwidth="\#(min(storyboard.bitsPerSecond, Int(UInt32.max)))" "#
                + #"width="\#(storyboard.sheetWidth)" height="\#(storyboard.sheetHeight)">"#,
            #"    <EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="\#(grid)"/>"#,
            "  </Representation>",
            "</AdaptationSet>",
        ]
        return lines.map { String(repeating: " ", count: max(0, indentation)) + $0 }.joined(separator: "\n")
    }

    /// How long a whole sheet lasts, as a fraction of seconds whose parts fit the 32 bits of a manifest.
    ///
    /// Exact where such a fraction exists, as it does for every interval that
    /// people ask for; else the nearest microsecond, millisecond or second.
    static func sheetDuration(of storyboard: Storyboard) -> (duration: UInt32, timescale: UInt32) {
        let interval = storyboard.interval
        guard interval.isNumeric, interval.value > 0 else { return (1, 1) }
        let whole = Int128(interval.value) * Int128(storyboard.tilesPerSheet)
        let divisor = Int128(greatestCommonDivisor(whole.magnitude, UInt128(interval.timescale.magnitude)))
        if let duration = UInt32(exactly: whole / divisor), duration > 0 {
            return (duration, UInt32(Int128(interval.timescale) / divisor))
        }
        let nanoseconds = interval.nanoseconds(times: storyboard.tilesPerSheet)
        for timescale: Int128 in [1_000_000, 1000] {
            let tick = 1_000_000_000 / timescale
            if let duration = UInt32(exactly: (nanoseconds + tick / 2) / tick), duration > 0 {
                return (duration, UInt32(timescale))
            }
        }
        return (UInt32(clamping: max(1, nanoseconds / 1_000_000_000)), 1)
    }

    /// A length as ISO 8601 writes it: `PT1H2M3.5S`.
    static func duration(_ nanoseconds: Int128) -> String {
        let minutes = nanoseconds / 60_000_000_000
        let hours = minutes / 60
        return "PT" + (hours > 0 ? "\(hours)H" : "") + (minutes % 60 > 0 ? "\(minutes % 60)M" : "")
            + (nanoseconds % 60_000_000_000).decimalText(decimals: 9) + "S"
    }
}
