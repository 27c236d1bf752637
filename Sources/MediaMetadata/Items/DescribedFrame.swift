internal import Foundation
internal import MediaIO

/// A frame of ID3 that has a description, or the name of a program, beside its text or its data: as a value it is a
/// dictionary, so that a comment can be told from what programs note in the same kind of frame.
struct DescribedFrame: Sendable {
    /// The description, or of `PRIV` the owner; empty for none.
    private var identifier: String
    private var text: String?
    private var data: [UInt8]?
    private var language: String?
    private var mimeType: String?
    private var pictureType: String?
    private var fileName: String?

    /// `nil` for items of other kinds, and for data that cannot be taken apart.
    init?(_ item: MetadataItemState) {
        guard item.keySpace == .id3, let key = item.storedKey, case .stored(let value) = item.value else { return nil }
        let info = item.extras[.info].flatMap { if case .text(let text) = $0 { text } else { nil } }
        switch (ID3FrameNames.longName(of: key), value) {
        case ("COMM", .text(let text)), ("TXXX", .text(let text)), ("USLT", .text(let text)):
            guard let info else { return nil }
            identifier = info
            (self.text, language) = (text, item.languageTag)
        case ("APIC", .data(let bytes)):
            identifier = info ?? ""
            data = bytes
            if case .text(let type) = item.extras[.dataType] { mimeType = type }
            if case .text(let type) = item.extras[.pictureType] { pictureType = type }
        case ("PRIV", .data(let bytes)):
            guard item.extras[.frameFlags] == nil, let end = bytes.firstIndex(of: 0) else { return nil }
            identifier = String(latin1: bytes[..<end])
            data = Array(bytes[(end + 1)...])
        case ("GEOB", .data(let bytes)):
            guard item.extras[.frameFlags] == nil, let first = bytes.first, first < 4 else { return nil }
            var rest = bytes.dropFirst()
            guard let type = Self.text(&rest, encoding: 0), let name = Self.text(&rest, encoding: first),
                let description = Self.text(&rest, encoding: first)
            else { return nil }
            (identifier, mimeType, fileName, data) = (description, type, name, Array(rest))
        default: return nil
        }
    }

    /// What a client gives.
    init(_ parts: NSDictionary) {
        func string(_ key: String) -> String? {
            (parts[key] as? NSString).map { $0 as String } ?? parts[key] as? String
        }
        identifier = string("identifier") ?? ""
        (text, language) = (string("text"), string("language"))
        data = (parts["data"] as? NSData).map { [UInt8]($0 as Data) }
        (mimeType, pictureType, fileName) = (string("MIME"), string("pictureType"), string("filename"))
    }

    /// The value for clients: `text` and `language`, or `data`, `MIME`, `pictureType` and `filename`, each where there is
    /// one, and always `identifier`.
    var dictionary: NSDictionary {
        var parts: [NSString: NSObject] = ["identifier": NSString(string: identifier)]
        let texts: [(NSString, String?)] = [
            ("text", text), ("language", language), ("MIME", mimeType), ("pictureType", pictureType),
            ("filename", fileName),
        ]
        for case (let key, let text?) in texts { parts[key] = NSString(string: text) }
        if let data { parts["data"] = NSData(data: Data(data)) }
        return NSDictionary(dictionary: parts)
    }

    /// Puts a client's parts into an item whose value they are.
    func put(into item: inout MetadataItemState) {
        guard item.keySpace == .id3, let key = item.storedKey else {
            item.extras[.info] = identifier.isEmpty ? item.extras[.info] : .text(identifier)
            return
        }
        switch ID3FrameNames.longName(of: key) {
        case "PRIV":
            // What its coding has no characters for is no value, rather than another one.
            item.value = identifier.latin1.flatMap { owner in
                data.map { .stored(.data(owner.prefix { $0 != 0 } + [0] + $0)) }
            }
        case "GEOB":
            let texts = [fileName ?? "", identifier].map { String($0.prefix { $0 != "\0" }) }
            let isPlain = texts.allSatisfy { $0.latin1 != nil }
            let type = (mimeType ?? "").latin1
            var coded: [UInt8] = [0]
            for text in texts {
                coded += isPlain ? (text.latin1 ?? []) + [0] : TextCoding.utf16LittleEndianWithMark(text) + [0, 0]
            }
            item.value = type.flatMap { type in
                data.map { .stored(.data([isPlain ? 0 : 1] + type.prefix { $0 != 0 } + coded + $0)) }
            }
        case "APIC":
            item.extras[.info] = .text(identifier)
            if let mimeType { item.extras[.dataType] = .text(mimeType) }
            if let pictureType { item.extras[.pictureType] = .text(pictureType) }
        default:
            item.extras[.info] = .text(identifier)
            if let language { item.languageTag = language }
        }
    }

    /// The text up to the next zero character; `nil` if there is none.
    private static func text(_ bytes: inout ArraySlice<UInt8>, encoding: UInt8) -> String? {
        let width = encoding == 1 || encoding == 2 ? 2 : 1
        var end = bytes.startIndex
        while end + width <= bytes.endIndex, bytes[end..<(end + width)].contains(where: { $0 != 0 }) { end += width }
        guard end + width <= bytes.endIndex else { return nil }
        let text = bytes[bytes.startIndex..<end]
        bytes = bytes[(end + width)...]
        switch encoding {
        case 1, 2: return TextCoding.utf16(text, isBigEndian: encoding == 2)
        case 3: return String(decoding: text, as: UTF8.self)
        default: return String(latin1: text)
        }
    }
}
