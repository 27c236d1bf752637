internal import MediaIO
internal import MediaMetadata

/// A `Tag` element: what it is about and what it says.
struct MatroskaTag {
    /// A `SimpleTag` of the tag, with those in it.
    struct Unit {
        let bytes: ArraySlice<UInt8>
        let entries: [MetadataEntry]
    }

    let targets: MatroskaTargets
    /// The track whose entries these are.
    let trackNumber: Int64?
    let units: [Unit]
    let node: EBMLNode

    var entries: [MetadataEntry] { units.flatMap(\.entries) }

    /// Reads a tag.
    ///
    /// - Parameters:
    ///   - tracks: The number of the track of each UID.
    ///   - allowance: How much more may be read.
    init(_ node: EBMLNode, tracks: [UInt64: Int64], _ allowance: inout EBMLAllowance) {
        let fields = node.children(&allowance)
        targets = MatroskaTargets(fields.first(MatroskaID.targets))
        trackNumber = targets.singleTrackUID.flatMap { tracks[$0] }
        let extras = targets.extras(isOfTrack: trackNumber != nil)
        var units: [Unit] = []
        for simple in fields.all(MatroskaID.simpleTag) where allowance.isLeft {
            var entries: [MetadataEntry] = []
            Self.read(simple, path: [], extras: extras, into: &entries, &allowance)
            units.append(Unit(bytes: simple.bytes, entries: entries))
        }
        self.units = units
        self.node = node
    }

    private static func read(
        _ node: EBMLNode, path: [String], extras: [AVMetadataExtraAttributeKey: MetadataValue],
        into entries: inout [MetadataEntry], _ allowance: inout EBMLAllowance
    ) {
        guard allowance.allows(level: path.count + 1) else { return }
        let fields = node.children(&allowance)
        let nested = fields.all(MatroskaID.simpleTag)
        let path = path + [fields.first(MatroskaID.tagName)?.text ?? ""]
        let entry = entry(fields, path: path, extras: extras)
        // A tag that only holds others is told by their keys.
        let isHolder = entry.extras[.hasValue] != nil && !nested.isEmpty
        if !isHolder || entry.languageTag != nil || entry.extras[.isDefaultLanguage] != nil {
            entries.append(entry)
            // A long name must not come again and again in the keys of many.
            allowance.nodes -= entry.key.text.utf8.count / 256
        }
        for child in nested { read(child, path: path, extras: extras, into: &entries, &allowance) }
    }

    private static func entry(
        _ fields: [EBMLNode], path: [String], extras: [AVMetadataExtraAttributeKey: MetadataValue]
    ) -> MetadataEntry {
        let key = path.joined(separator: "/")
        var entry = MetadataEntry(.matroska, .text(key), .text(""), dataType: MetadataDataType.utf8, extras: extras)
        let string = fields.first(MatroskaID.tagString)
        if let text = string?.readableText {
            entry.value = .text(text)
        } else if let data = string ?? fields.first(MatroskaID.tagBinary) {
            let bytes = Array(data.content)
            entry.value = .data(bytes)
            entry.dataType = MetadataDataType.ofPicture(bytes) ?? MetadataDataType.raw
        } else {
            entry.extras[.hasValue] = .integer(0)
        }
        if key.split(separator: "/", omittingEmptySubsequences: false).count != path.count {
            entry.extras[.nestingDepth] = .integer(Int64(path.count))
        }
        if fields.first(MatroskaID.tagDefault)?.unsigned == 0 { entry.extras[.isDefaultLanguage] = .integer(0) }
        let isBCP47 = fields.first(MatroskaID.tagLanguageBCP47) != nil
        let language = fields.first(isBCP47 ? MatroskaID.tagLanguageBCP47 : MatroskaID.tagLanguage)?.text
        entry.languageTag = language.flatMap { MatroskaLanguage.tag($0, isBCP47: isBCP47) }
        return entry
    }
}

/// Languages as Matroska states them: ISO 639-2, the older codes where there
/// are two, and BCP 47, which goes first.
enum MatroskaLanguage {
    /// The BCP 47 tag, `nil` for no language.
    static func tag(_ text: String, isBCP47: Bool) -> String? {
        if isBCP47 { return text.isEmpty || text.lowercased() == "und" ? nil : text }
        // Before there were elements for BCP 47, a country could follow: `fre-ca`.
        let parts = text.split(separator: "-", maxSplits: 1)
        guard let code = parts.first, let tag = LanguageCodes.tag(ofISO639: String(code)) else { return nil }
        return parts.count == 2 ? "\(tag)-\(parts[1])" : tag
    }

    /// The elements for a language: that of ISO 639-2, and that of BCP 47 if only it says all.
    static func elements(_ tag: String?, iso639 id: UInt32, bcp47: UInt32) -> [[UInt8]] {
        let code = LanguageCodes.iso639(of: tag, isBibliographic: true)
        var elements = [EBMLWriter.text(id, code)]
        if let tag, self.tag(code, isBCP47: false) != tag { elements.append(EBMLWriter.text(bcp47, tag)) }
        return elements
    }
}
