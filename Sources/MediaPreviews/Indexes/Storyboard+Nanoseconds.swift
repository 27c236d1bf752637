public import MediaCore
internal import MediaIO

/// Lengths in whole nanoseconds, which are finer than any interval and never
/// add up to a drift: each border is rounded on its own, from the exact value.
extension CMTime {
    /// Nanoseconds of so many times this length, rounded to the nearest.
    ///
    /// Zero for times that are not numbers or below zero; what lasts longer than
    /// thirty million years is cut there.
    func nanoseconds(times count: Int = 1) -> Int128 {
        guard isNumeric, value > 0, count > 0 else { return 0 }
        let (seconds, rest) = (Int128(value) * Int128(count)).quotientAndRemainder(dividingBy: Int128(timescale))
        guard seconds < 1_000_000_000_000_000 else { return 1_000_000_000_000_000 * 1_000_000_000 }
        return seconds * 1_000_000_000 + (rest * 1_000_000_000 + Int128(timescale) / 2) / Int128(timescale)
    }
}

extension Storyboard {
    /// Where the film ends, or where its last interval does if its length is not known.
    var endNanoseconds: Int128 {
        let end = duration.nanoseconds()
        return end > 0 ? end : interval.nanoseconds(times: tiles.count)
    }

    /// How long the film runs while a sheet is shown, counted from 0.
    ///
    /// The last one lasts no longer than the film.
    func sheetNanoseconds(_ sheet: Int) -> Int128 {
        let start = interval.nanoseconds(times: sheet * tilesPerSheet)
        let isLast = sheet == sheetCount - 1
        return max(1, (isLast ? endNanoseconds : interval.nanoseconds(times: (sheet + 1) * tilesPerSheet)) - start)
    }

    /// Bits per second that keep up with the pictures: those of the largest sheet
    /// over the time that the longest one lasts.
    ///
    /// A last sheet of few tiles is not counted by its own short time, just as
    /// peaks of HLS leave out segments of less than half the target duration.
    var bitsPerSecond: Int {
        let bits = Int128(max(0, sheetByteCounts.max() ?? 0)) * 8 * 1_000_000_000
        let time = sheetNanoseconds(0)
        return Int(clamping: max(1, (bits + time - 1) / time))
    }
}

/// The path of a file in a folder, as it is written in a URL.
///
/// Everything but letters and digits of ASCII, `-._~` and `/` is escaped, so
/// that no name can end a line, an attribute, a cue or a template.
///
/// - Parameter folder: A relative path; empty if the file lies beside the index.
func urlPath(_ name: String, in folder: String) -> String {
    let path = folder.isEmpty || folder.hasSuffix("/") ? folder + name : folder + "/" + name
    let hex = Array("0123456789ABCDEF")
    return path.pathBytes.reduce(into: "") { result, byte in
        let scalar = Unicode.Scalar(byte)
        let isPlain =
            byte < 0x80 && (scalar.properties.isAlphabetic || "0123456789-._~/".unicodeScalars.contains(scalar))
        result += isPlain ? String(scalar) : "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
    }
}

extension CMTime {
    /// Whole milliseconds, rounded up: at that moment a frame of this time is on
    /// screen, which it is not a part of a millisecond earlier.
    ///
    /// Zero for times that are not numbers or below zero.
    var milliseconds: Int64 {
        guard isNumeric, self > .zero else { return 0 }
        return convertScale(1000, method: .roundTowardPositiveInfinity).value
    }

    /// Whole milliseconds of a length, rounded down.
    ///
    /// Zero for what is no number or below zero.
    var wholeMilliseconds: Int64 {
        isNumeric && self > .zero ? convertScale(1000, method: .roundTowardNegativeInfinity).value : 0
    }
}

extension PreviewTimeline {
    /// What players count from that are given such a file itself.
    ///
    /// Browsers show the timestamps that the container has: a WebM that begins at
    /// 5 s begins at 5 s in a `<video>`. Transport streams and what else browsers
    /// do not open reach them through players that put the first picture at zero.
    ///
    /// - Parameter container: The container's names, as FFmpeg spells them.
    public static func ofPlayers(container: String) -> PreviewTimeline {
        Container(rawValue: container).has(.playsInBrowsers) ? .container : .asset
    }
}
