internal import MediaIO

/// What one entry is about.
struct EntryMeaning: Hashable {
    /// Which part of the value an entry holds.
    enum Part: Hashable {
        case whole
        /// The total of a pair.
        case total
        /// Day and month of a date, of ID3v2.3.
        case dayAndMonth
        /// Hour and minute of a date, of ID3v2.3.
        case time
    }

    var meaning: MetadataMeaning
    var part = Part.whole

    /// What free-form iTunes metadata mostly begins with.
    static let iTunesMean = "com.apple.iTunes."
    /// What the name of an ID3 comment with a description begins with.
    static let commentPrefix = "COMMENT:"
    /// What the names of a Broadcast WAV file's properties begin with.
    private static let broadcastPrefix = "bext-"
    /// What the name of an ID3 address with a description begins with.
    static let addressPrefix = "URL:"

    private init(_ meaning: MetadataMeaning, _ part: Part = .whole) { (self.meaning, self.part) = (meaning, part) }

    private init(_ key: MetadataFieldTable.KeyMeaning) {
        self.init(.field(MetadataFieldTable.rows[key.row].field), key.isTotal ? .total : .whole)
    }

    /// `nil` if the key says nothing that other key spaces could say.
    init?(_ entry: MetadataEntry, _ levels: MatroskaLevels) {
        let name = entry.key.text
        switch entry.keySpace {
        case .common:
            guard let field = MetadataFieldTable.field(of: AVMetadataKey(rawValue: name)) else { return nil }
            self.init(.field(field))
        case .iTunes, .isoUserData, .quickTimeUserData: self.init(code: name, in: entry.keySpace)
        case .iTunesFreeForm: self.init(freeName: name.hasPrefix(Self.iTunesMean) ? Self.bare(name) : name)
        case .quickTimeMetadata: self.init(quickTimeKey: name)
        case .id3: self.init(frame: entry)
        case .vorbisComment:
            guard name != "=" else { return nil }
            self.init(freeName: name)
        case .matroska: self.init(matroska: entry, levels)
        case .audioFile: self.init(audioFileKey: name)
        case .icy:
            guard name == "StreamTitle" || name == "StreamUrl" else { return nil }
            self.init(.field(MetadataField(rawValue: name == "StreamTitle" ? "title" : "url")))
        case .libavformat:
            guard !entry.isTechnical else { return nil }
            self.init(freeName: name)
        default: return nil
        }
    }

    private static func bare(_ name: String) -> String { String(name.dropFirst(iTunesMean.count)) }

    private init?(freeName name: String) {
        guard !name.isEmpty else { return nil }
        self = MetadataFieldTable.meaning(ofName: name).map(Self.init) ?? Self(.custom(name))
    }

    /// Some boxes of user data are told apart by the file's type alone, so either list may have them.
    private init?(code name: String, in keySpace: AVMetadataKeySpace) {
        let others: [AVMetadataKeySpace: AVMetadataKeySpace] = [
            .quickTimeUserData: .isoUserData, .isoUserData: .quickTimeUserData,
        ]
        let key =
            MetadataFieldTable.meaning(ofKey: name, in: keySpace)
            ?? others[keySpace].flatMap { MetadataFieldTable.meaning(ofKey: name, in: $0) }
        guard let key else { return nil }
        self.init(key)
    }

    private init?(quickTimeKey name: String) {
        if let key = MetadataFieldTable.meaning(ofKey: name, in: .quickTimeMetadata) {
            self.init(key)
        } else if name.contains(".") {
            self.init(.custom(name))
        } else {
            // FFmpeg writes its own names here.
            self.init(freeName: name)
        }
    }

    private init?(audioFileKey name: String) {
        if let key = MetadataFieldTable.meaning(ofKey: name, in: .audioFile) {
            self.init(key)
        } else if name.hasPrefix("info-") {
            self.init(freeName: String(name.dropFirst("info-".count)))
        } else if name == "IDIT" {
            self.init(.field(.creationDate))
        } else if Self.isProperty(name) {
            self.init(.custom(name))
        } else {
            return nil
        }
    }

    /// Whether a name that nothing else corresponds to is one of audio file properties: of Broadcast WAV or a list `INFO`.
    static func isProperty(_ name: String) -> Bool {
        if name.hasPrefix(broadcastPrefix) { return true }
        return name.utf8.count == 4 && name.first == "I"
            && name.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
    }

    private init?(matroska entry: MetadataEntry, _ levels: MatroskaLevels) {
        if AVMetadataExtraAttributeKey.matroskaTargets.contains(where: { entry.extras[$0] != nil }) { return nil }
        if entry.extras[.element] == .text(MatroskaElementName.attachedFile) {
            self.init(.field(.artwork))
        } else if let (field, isTotal) = levels.field(of: entry) {
            self.init(.field(MetadataField(rawValue: field)), isTotal ? .total : .whole)
        } else {
            self.init(freeName: entry.key.text)
        }
    }

    private init?(frame entry: MetadataEntry) {
        let info = entry.info ?? ""
        let name = ID3FrameNames.longName(of: entry.key)
        switch name {
        case "TXXX":
            guard !info.isEmpty else { return nil }
            self.init(freeName: info)
        case "COMM":
            if info.isEmpty || info == "ID3v1 Comment" {
                self.init(.field(.comment))
            } else {
                // iTunes keeps its own data in comments.
                self.init(.custom(info.hasPrefix("iTun") ? info : Self.commentPrefix + info))
            }
        case "USLT": self.init(.field(.lyrics))
        case "WXXX":
            self.init(info.isEmpty ? .field(MetadataField(rawValue: "url")) : .custom(Self.addressPrefix + info))
        case "UFID":
            guard case .data(let bytes) = entry.value,
                let key = MetadataFieldTable.meaning(
                    ofKey: "UFID:" + String(latin1: bytes.prefix { $0 != 0 }), in: .id3)
            else { return nil }
            self.init(key)
        case "TDAT": self.init(.field(.date), .dayAndMonth)
        case "TIME": self.init(.field(.date), .time)
        default:
            guard let key = MetadataFieldTable.meaning(ofKey: name, in: .id3) else { return nil }
            self.init(key)
        }
    }

    /// What a role in ID3's lists of people stands for.
    ///
    /// - Parameter isMusician: Whether it is an instrument, of a musician.
    init(role: String, isMusician: Bool) {
        if isMusician {
            self.init(.custom("PERFORMER:" + role))
        } else if let key = MetadataFieldTable.meaning(ofKey: "TIPL:" + role, in: .id3)
            ?? MetadataFieldTable.meaning(ofKey: "TIPL:" + role.lowercased(), in: .id3)
        {
            self.init(key)
        } else {
            self = MetadataFieldTable.meaning(ofName: role).map(Self.init) ?? Self(.custom(role.uppercased()))
        }
    }
}

/// ID3's lists of who did what: texts in pairs, a role and a name.
enum InvolvedPeople {
    /// One text of a list.
    struct Text {
        /// What the role stands for.
        var meaning: EntryMeaning
        /// Whether it is the name, which follows the role.
        var isName: Bool
    }

    /// Musicians and their instruments.
    static let musicians = "TMCL"
    private static let lists: Set = ["TIPL", "IPLS", musicians]

    /// Whether an entry belongs to such a list.
    static func isList(_ entry: MetadataEntry) -> Bool {
        entry.keySpace == .id3 && lists.contains(ID3FrameNames.longName(of: entry.key))
    }

    /// The texts of all lists by their position among the entries.
    ///
    /// A list in which a role or name is missing is left out.
    static func pairs(in entries: [MetadataEntry]) -> [Int: Text] {
        var texts: [Int: Text] = [:]
        var index = 0
        while index < entries.count {
            guard isList(entries[index]) else {
                index += 1
                continue
            }
            let key = entries[index].key
            let end = entries[index...].firstIndex { $0.keySpace != .id3 || $0.key != key } ?? entries.count
            if (end - index).isMultiple(of: 2), entries[index..<end].allSatisfy({ $0.text != nil }) {
                let isMusician = ID3FrameNames.longName(of: key) == musicians
                for position in stride(from: index, to: end, by: 2) {
                    let meaning = EntryMeaning(role: entries[position].text ?? "", isMusician: isMusician)
                    texts[position] = Text(meaning: meaning, isName: false)
                    texts[position + 1] = Text(meaning: meaning, isName: true)
                }
            }
            index = end
        }
        return texts
    }
}
