/// What channels mean, by FFmpeg's names of layouts.
package enum AudioLayout {
    /// How the channels of a layout get into another one.
    enum Mapping: Sendable {
        /// Each has its place; the new layout may have silent ones besides.
        case placed
        /// In their order, since the meaning of the old ones is not known.
        case ordered
        /// In their order into those of another meaning.
        case renamed
        /// Those without a place are mixed into others.
        case mixed
        /// The first ones; nobody knows the meaning of the others, for which there is no place.
        case first
    }

    /// What sound becomes.
    struct Choice {
        var layout: String
        var channels: Int
        var mapping: Mapping
    }

    /// The speakers of a layout in the order of its channels; `nil` if it is not known what its channels mean.
    private static func names(of layout: String) -> [String]? {
        if let listed = layout.split(separator: "(").last, layout.contains("+"), layout.hasSuffix(")") {
            return listed.dropLast().split(separator: "+").map(String.init)
        }
        return known[layout].map { $0.split(separator: " ").map(String.init) }
    }

    /// The speakers of a layout; `nil` if it is not known what its channels mean.
    ///
    /// Side and back speakers are the same where a layout has only one pair of them.
    static func speakers(of layout: String) -> Set<String>? {
        names(of: layout).map { names in
            guard Set(names).isDisjoint(with: ["BL", "BR"]) else { return Set(names) }
            return Set(names.map { $0 == "SL" ? "BL" : $0 == "SR" ? "BR" : $0 })
        }
    }

    /// Whether it is known what the channels of a layout mean.
    package static func isKnown(_ layout: String) -> Bool { speakers(of: layout) != nil }

    /// The layout of a list for the channels of another one: it keeps all of them if it can.
    ///
    /// - Parameters:
    ///   - allowed: An empty list allows any.
    ///   - keepsAll: Whether channels of another meaning are better than fewer.
    ///   - isJoined: Whether other sound is to have the same layout, which has to be a known one then.
    static func choice(
        for layout: String, channels: Int, among allowed: [String], maximum: Int, keepsAll: Bool, isJoined: Bool = false
    ) -> Choice {
        let layout = layout == "downmix" ? "stereo" : layout
        let fits = channels <= maximum
        // Nor is it known what one or two of other speakers are to players.
        let isMeant =
            channels > 2 || ["mono", "stereo"].contains { Self.speakers(of: $0) == Self.speakers(of: layout) }
        guard isMeant, let speakers = speakers(of: layout) else {
            // Filters take channels of no meaning only where FFmpeg has a usual layout for their number.
            let isUsual = defaults[channels] != nil || [16, 24].contains(channels)
            if fits, allowed.isEmpty, channels > 2, isUsual, !isJoined {
                return Choice(layout: unknown(channels), channels: channels, mapping: .ordered)
            }
            // A channel of low frequencies is no place for any sound.
            let usual = ([channels == 3 ? "3.0" : defaults[channels]].compactMap(\.self) + allowed)
                .filter { allowed.isEmpty || allowed.contains($0) }
            if fits, let same = usual.first(where: { Self.channels(of: $0) == channels }) {
                return Choice(layout: same, channels: channels, mapping: .ordered)
            }
            let most = min(maximum, channels) == 1 ? "mono" : "stereo"
            return Choice(layout: most, channels: Self.channels(of: most), mapping: .first)
        }
        if fits, allowed.isEmpty || allowed.contains(layout), known[layout] != nil {
            return Choice(layout: layout, channels: channels, mapping: .placed)
        }
        let candidates = (allowed.isEmpty ? common : allowed).compactMap { name in
            Self.speakers(of: name).map { (name: name, speakers: $0) }
        }.filter { $0.speakers.count <= maximum }
        let holding = candidates.filter { $0.speakers.isSuperset(of: speakers) }
        if let best = holding.min(by: { $0.speakers.count < $1.speakers.count }) {
            return Choice(layout: best.name, channels: best.speakers.count, mapping: .placed)
        }
        if keepsAll, let same = candidates.first(where: { $0.speakers.count == channels }) {
            return Choice(layout: same.name, channels: channels, mapping: .renamed)
        }
        let fitting = candidates.filter { $0.speakers.isSubset(of: speakers) }
        let best = fitting.max { $0.speakers.count < $1.speakers.count }
        let name = best?.name ?? (maximum == 1 || channels == 1 ? "mono" : "stereo")
        return Choice(layout: name, channels: Self.channels(of: name), mapping: .mixed)
    }

    /// Whether each channel of a layout has its place in another one.
    static func isPlaced(_ layout: String, in target: String) -> Bool {
        guard let speakers = speakers(of: layout), let places = Self.speakers(of: target) else { return false }
        return places.isSuperset(of: speakers)
    }

    /// What makes back speakers the side speakers of another layout, which libswresample would mix into the back center;
    /// `nil` where there is nothing to do.
    static func renaming(_ layout: String, for target: String) -> String? {
        guard let old = names(of: layout), let new = names(of: target), old.contains("BC"), new.contains("SL"),
            !new.contains("BL"), old.contains("BL"), !old.contains("SL")
        else { return nil }
        let sides = ["BL": "SL", "BR": "SR"]
        let map = old.map { "\($0)-\(sides[$0] ?? $0)" }.joined(separator: "|")
        // The back center comes before the sides.
        let named = old.filter { $0 != "BC" && sides[$0] == nil } + ["BC", "SL", "SR"]
        return "channelmap=map=\(map):channel_layout=\(named.joined(separator: "+"))"
    }

    /// What asks the filter `aformat` for a layout: it cannot be asked for channels of no meaning, and needs not be.
    static func option(_ layout: String) -> String {
        speakers(of: layout) == nil ? "" : ":channel_layouts=\(layout)"
    }

    /// FFmpeg's name of channels whose meaning is unknown.
    private static func unknown(_ channels: Int) -> String { "\(channels) channels" }

    /// What FFmpeg takes channels for whose meaning is unknown.
    package static let defaults = [
        1: "mono", 2: "stereo", 3: "2.1", 4: "4.0", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1",
    ]

    static func channels(of layout: String) -> Int {
        if let names = names(of: layout) { return names.count }
        let words = layout.split(separator: " ")
        return words.count == 2 && words[1] == "channels" ? Int(words[0]) ?? 2 : 2
    }

    /// Layouts that are in use, for encoders that take any.
    private static let common = ["mono", "stereo", "3.0", "4.0", "quad", "5.0", "5.1", "6.1", "7.1"]

    private static let known = [
        "mono": "FC", "stereo": "FL FR", "2.1": "FL FR LFE", "3.0": "FL FR FC", "3.0(back)": "FL FR BC",
        "4.0": "FL FR FC BC", "quad": "FL FR BL BR", "quad(side)": "FL FR SL SR", "3.1": "FL FR FC LFE",
        "5.0": "FL FR FC BL BR", "5.0(side)": "FL FR FC SL SR", "4.1": "FL FR FC LFE BC",
        "5.1": "FL FR FC LFE BL BR", "5.1(side)": "FL FR FC LFE SL SR", "6.0": "FL FR FC BC SL SR",
        "6.0(front)": "FL FR FLC FRC SL SR", "hexagonal": "FL FR FC BL BR BC", "6.1": "FL FR FC LFE BC SL SR",
        "6.1(back)": "FL FR FC LFE BL BR BC", "6.1(front)": "FL FR LFE FLC FRC SL SR",
        "7.0": "FL FR FC BL BR SL SR", "7.0(front)": "FL FR FC FLC FRC SL SR", "7.1": "FL FR FC LFE BL BR SL SR",
        "7.1(wide)": "FL FR FC LFE BL BR FLC FRC", "7.1(wide-side)": "FL FR FC LFE FLC FRC SL SR",
        "7.1(top)": "FL FR FC LFE BL BR TFL TFR", "octagonal": "FL FR FC BL BR BC SL SR",
        "hexadecagonal": "FL FR FC BL BR BC SL SR WL WR TBL TBR TBC TFC TFL TFR",
        "22.2":
            "FL FR FC LFE BL BR FLC FRC BC SL SR TC TFL TFC TFR TBL TBC TBR LFE2 TSL TSR BFC BFL BFR",
    ]
}
