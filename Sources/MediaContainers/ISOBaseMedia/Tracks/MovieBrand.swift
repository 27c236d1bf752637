internal import MediaIO

/// A kind of file that a movie can be written as.
package enum MovieBrand: FourCC, Hashable, Sendable, CaseIterable {
    case quickTime = "qt  "
    case mp4 = "isom"
    /// MP4 with sound, as iTunes names it.
    case m4a = "M4A "
    case m4v = "M4V "

    /// What a brand in a file's type box stands for; MP4 for those that are not known.
    init(major: FourCC) {
        switch major {
        case "qt  ": self = .quickTime
        case "M4A ", "M4B ", "M4P ": self = .m4a
        case "M4V ", "M4VH", "M4VP": self = .m4v
        default: self = .mp4
        }
    }

    /// The type box of a file made anew.
    var typeBox: [UInt8] {
        let compatible: [FourCC] =
            switch self {
            case .quickTime: ["qt  "]
            case .mp4: ["isom", "iso4", "mp41", "mp42"]
            case .m4a, .m4v: [rawValue, "isom", "iso4", "mp42"]
            }
        return .box("ftyp", rawValue.bytes + [0, 0, 2, 0] + compatible.flatMap(\.bytes))
    }

    /// Sample entries that are registered for MP4.
    private static let mp4Entries: Set<FourCC> = [
        "avc1", "avc2", "avc3", "avc4", "hvc1", "hev1", "hvc2", "hev2", "lhv1", "lhe1", "dvh1", "dvhe", "dva1", "dvav",
        "dav1", "vvc1", "vvi1", "evc1", "vp08", "vp09", "av01", "mp4v", "s263", "mjp2", "encv", "resv", "mp4a", "ac-3",
        "ec-3", "ac-4", "mlpa", "Opus", "fLaC", "alac", "samr", "sawb", "sawp", "sevc", "sqcp", "dtsc", "dtse", "dtsh",
        "dtsl", "dtsx", "mha1", "mha2", "mhm1", "mhm2", "ipcm", "fpcm", "enca", "tx3g", "wvtt", "stpp", "sbtt", "stxt",
        "enct", "mebx", "mett", "metx", "urim", "mp4s",
        // Not registered, but cameras write it and editors read it.
        "tmcd",
    ]
    /// Sample entries of MP4 that QuickTime has no form for.
    private static let mp4Only: Set<FourCC> = [
        "Opus", "fLaC", "wvtt", "stpp", "sbtt", "stxt", "ipcm", "fpcm", "vvc1", "vvi1", "evc1", "mett", "metx", "urim",
        "mha1", "mha2", "mhm1", "mhm2", "encv", "enca", "enct",
    ]

    /// Why a track of a movie of another brand cannot be held, `nil` if it can.
    func reasonNotToHold(_ track: MovieTrack, of source: MovieBrand) -> String? {
        guard (self == .quickTime) != (source == .quickTime) else { return nil }
        for entry in track.entries {
            if self == .quickTime {
                if Self.mp4Only.contains(entry.type) { return "QuickTime movies cannot hold \(entry.type)" }
            } else if track.isQuickTimeText {
                continue
            } else if !Self.mp4Entries.contains(entry.type) {
                return "MP4 cannot hold \(entry.type)"
            } else if track.handler == "soun", entry.content.bigEndian16(at: 8) != 0, SoundEntry(entry) == nil {
                return "MP4 cannot hold QuickTime's sound descriptions"
            }
        }
        return nil
    }
}

/// Changes the boxes that QuickTime and MP4 write differently.
///
/// Source: QuickTime File Format; ISO/IEC 14496-12.
struct BrandConversion {
    let target: MovieBrand
    /// Whether source and target are of different families.
    let isNeeded: Bool

    init(from source: MovieBrand, to target: MovieBrand) {
        self.target = target
        isNeeded = (source == .quickTime) != (target == .quickTime)
    }

    var toQuickTime: Bool { target == .quickTime }

    /// A handler box: QuickTime names its component, and counts the name's bytes before it.
    func handler(_ content: [UInt8], component: FourCC) -> [UInt8] {
        guard isNeeded, content.count >= 24 else { return .box("hdlr", content) }
        let counted = content.count > 24 && Int(content[24]) == content.count - 25
        let start = counted && !toQuickTime ? 25 : 24
        let name = Array(content[start...].prefix { $0 != 0 }.prefix(255))
        var result = Array(content[0..<24])
        result.replaceSubrange(4..<8, with: toQuickTime ? component.bytes : [0, 0, 0, 0])
        result += toQuickTime ? [UInt8(name.count)] + name : name + [0]
        return .box("hdlr", result)
    }

    /// A metadata box, which has a version and flags in MP4 only; with QuickTime's own keys not even there, as cameras
    /// and players have it.
    func metadata(_ content: [UInt8]) -> [UInt8] {
        let isPlain = content.fourCC(at: 4) == "hdlr"
        let isFull = content.fourCC(at: 8) == "hdlr"
        guard isNeeded, isPlain || isFull else { return .box("meta", content) }
        let handler = content.fourCC(at: isFull ? 20 : 16)
        if toQuickTime || handler == "mdta" {
            return .box("meta", isFull ? Array(content[4...]) : content)
        }
        return .box("meta", isPlain ? [0, 0, 0, 0] + content : content)
    }

    /// A data reference to the file itself, which QuickTime calls `alis`, for as many references as there were.
    func dataInformation(references: Int) -> [UInt8] {
        var content: [UInt8] = [0, 0, 0, 0]
        content.append(bigEndian: UInt32(references))
        for _ in 0..<references { content += .box(toQuickTime ? "alis" : "url ", [0, 0, 0, 1]) }
        return .box("dinf", [UInt8].box("dref", content))
    }
}
