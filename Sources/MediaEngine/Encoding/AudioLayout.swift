/// What channels mean, by FFmpeg's names of layouts.
package enum AudioLayout {
    /// The speakers of a layout; `nil` if it is not known what its channels mean.
    ///
    /// Side and back speakers are the same where a layout has only one pair of them.
    static func speakers(of layout: String) -> Set<String>? {
        let names: [String]
        if let listed = layout.split(separator: "(").last, layout.contains("+"), layout.hasSuffix(")") {
            names = listed.dropLast().split(separator: "+").map(String.init)
        } else if let known = known[layout] {
            names = known.split(separator: " ").map(String.init)
        } else {
            return nil
        }
        var result = Set(names)
        if result.isDisjoint(with: ["BL", "BR"]), result.contains("SL") || result.contains("SR") {
            for (side, back) in [("SL", "BL"), ("SR", "BR")] where result.remove(side) != nil { result.insert(back) }
        }
        return result
    }

    /// The layout of a list that keeps most of one, without a channel that this has not.
    ///
    /// - Parameter allowed: An empty list allows any.
    /// - Returns: `nil` if nothing is known of its channels.
    static func closest(to layout: String, channels: Int, among allowed: [String], maximum: Int) -> String? {
        let layout = layout == "downmix" ? "stereo" : layout
        guard let speakers = speakers(of: layout) ?? defaults[channels].flatMap({ Self.speakers(of: $0) }) else {
            return nil
        }
        if channels <= maximum, allowed.isEmpty || allowed.contains(layout), known[layout] != nil { return layout }
        let candidates = (allowed.isEmpty ? common : allowed).compactMap { name in
            Self.speakers(of: name).map { (name: name, speakers: $0) }
        }
        let fitting = candidates.filter { $0.speakers.count <= maximum && $0.speakers.isSubset(of: speakers) }
        if let best = fitting.max(by: { $0.speakers.count < $1.speakers.count }) { return best.name }
        return maximum == 1 || channels == 1 ? "mono" : "stereo"
    }

    /// What FFmpeg takes channels for whose meaning is unknown.
    package static let defaults = [
        1: "mono", 2: "stereo", 3: "2.1", 4: "4.0", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1",
    ]

    static func channels(of layout: String) -> Int { speakers(of: layout)?.count ?? 2 }

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
