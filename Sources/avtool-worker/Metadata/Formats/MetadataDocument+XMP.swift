internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MetadataDocument {
    /// How XMP holds a value.
    private enum Form {
        case simple
        /// One for each language.
        case languages
        case ordered
        case unordered
    }

    private struct Term {
        let property: String
        let form: Form
    }

    /// Source: XMP specification, part 1 (Dublin Core, XMP basic) and part 2 (dynamic media, EXIF, TIFF).
    private static let terms: [String: Term] = [
        "title": Term(property: "dc:title", form: .languages),
        "description": Term(property: "dc:description", form: .languages),
        "copyright": Term(property: "dc:rights", form: .languages),
        "author": Term(property: "dc:creator", form: .ordered),
        "publisher": Term(property: "dc:publisher", form: .unordered),
        "keywords": Term(property: "dc:subject", form: .unordered),
        "language": Term(property: "dc:language", form: .unordered),
        "source": Term(property: "dc:source", form: .simple),
        "artist": Term(property: "xmpDM:artist", form: .simple),
        "album": Term(property: "xmpDM:album", form: .simple),
        "composer": Term(property: "xmpDM:composer", form: .simple),
        "director": Term(property: "xmpDM:director", form: .simple),
        "engineer": Term(property: "xmpDM:engineer", form: .simple),
        "genre": Term(property: "xmpDM:genre", form: .simple),
        "comment": Term(property: "xmpDM:logComment", form: .simple),
        "lyrics": Term(property: "xmpDM:lyrics", form: .simple),
        "bpm": Term(property: "xmpDM:tempo", form: .simple),
        "key": Term(property: "xmpDM:key", form: .simple),
        "date": Term(property: "xmpDM:releaseDate", form: .simple),
        "disc": Term(property: "xmpDM:discNumber", form: .simple),
        "track": Term(property: "xmpDM:trackNumber", form: .simple),
        "creation-date": Term(property: "xmp:CreateDate", form: .simple),
        "software": Term(property: "xmp:CreatorTool", form: .simple),
        "make": Term(property: "tiff:Make", form: .simple),
        "model": Term(property: "tiff:Model", form: .simple),
    ]

    private static let namespaces = [
        ("dc", "http://purl.org/dc/elements/1.1/"), ("xmp", "http://ns.adobe.com/xap/1.0/"),
        ("xmpDM", "http://ns.adobe.com/xmp/1.0/DynamicMedia/"), ("tiff", "http://ns.adobe.com/tiff/1.0/"),
        ("exif", "http://ns.adobe.com/exif/1.0/"),
    ]

    /// An XMP packet, as a file of its own has it.
    ///
    /// - Returns: The packet, and the names that XMP has no term for.
    func xmp() -> (text: String, missing: [String]) {
        var missing: [String] = []
        var lines: [String] = []
        for item in Self.merged(items) {
            if item.name == "location", let point = item.values.first?.text.flatMap({ GeographicPoint($0) }) {
                lines += Self.coordinates(point)
            } else if let term = Self.terms[item.name] {
                lines += Self.element(term, item.values.map { ($0.language, Self.value($0.text ?? "", of: item.name)) })
                // Only a number has a place there.
                if item.name == "track", item.values.contains(where: { $0.text?.contains("/") == true }) {
                    missing.append("the number of tracks")
                }
            } else {
                missing.append(item.name)
            }
        }
        let spaces = Self.namespaces.map { "    xmlns:\($0)=\"\($1)\"" }.joined(separator: "\n")
        let text = """
            <?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""
            \(spaces)>
            \(lines.map { "   \($0)\n" }.joined())  </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
        return (text, missing)
    }

    private typealias Named = (name: String, values: [(language: String?, text: String?)])

    /// The values of each name, in all languages; where places differ, those of the first.
    private static func merged(_ items: [PlainMetadata.Item]) -> [Named] {
        var merged: [Named] = []
        for item in items {
            let values = item.values.map { (language: item.languageTag, text: Optional($0)) }
            guard let index = merged.firstIndex(where: { $0.name == item.name }) else {
                merged.append((item.name, values))
                continue
            }
            if item.keySpace == nil { merged[index].values += values }
        }
        return merged
    }

    private static func value(_ text: String, of name: String) -> String {
        name == "track" ? String(text.prefix { $0 != "/" }) : text
    }

    private static func element(_ term: Term, _ values: [(language: String?, text: String)]) -> [String] {
        let name = term.property
        switch term.form {
        case .simple: return ["<\(name)>\(values.map(\.text).joined(separator: "; ").inXML)</\(name)>"]
        case .languages:
            var rows: [String] = []
            for (index, value) in values.enumerated() {
                // The first is there for whoever wants no language.
                if index == 0 { rows.append("<rdf:li xml:lang=\"x-default\">\(value.text.inXML)</rdf:li>") }
                guard let language = value.language else { continue }
                rows.append("<rdf:li xml:lang=\"\(language.inXML)\">\(value.text.inXML)</rdf:li>")
            }
            return list(name, "Alt", rows)
        case .ordered: return list(name, "Seq", values.map { "<rdf:li>\($0.text.inXML)</rdf:li>" })
        case .unordered: return list(name, "Bag", values.map { "<rdf:li>\($0.text.inXML)</rdf:li>" })
        }
    }

    private static func list(_ name: String, _ kind: String, _ rows: [String]) -> [String] {
        ["<\(name)><rdf:\(kind)>" + rows.joined() + "</rdf:\(kind)></\(name)>"]
    }

    /// Degrees and minutes, as EXIF has them in XMP.
    private static func coordinates(_ point: GeographicPoint) -> [String] {
        func text(_ value: Int32, _ signs: (String, String)) -> String {
            let minutes = Double(value.magnitude) / 65536 * 60
            let whole = (minutes / 60).rounded(.down)
            return "\(Int(whole)),\(String(format: "%.6f", minutes - whole * 60))\(value < 0 ? signs.1 : signs.0)"
        }
        return [
            "<exif:GPSLatitude>\(text(point.latitude, ("N", "S")))</exif:GPSLatitude>",
            "<exif:GPSLongitude>\(text(point.longitude, ("E", "W")))</exif:GPSLongitude>",
        ]
    }
}

extension String {
    /// The text as XML has it between tags and in quotation marks, without what XML cannot have.
    fileprivate var inXML: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..<" ", "\u{fffe}", "\u{ffff}": result += "\u{fffd}"
            default: result += scalar.markupEntity ?? String(scalar)
            }
        }
        return result
    }
}
