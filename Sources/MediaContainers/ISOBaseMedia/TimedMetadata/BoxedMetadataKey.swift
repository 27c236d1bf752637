internal import MediaIO

/// A key of boxed metadata: what values with its number mean, and how they are stored.
package struct BoxedMetadataKey: Hashable, Sendable {
    /// How values are stored.
    package enum DataType: Hashable, Sendable {
        /// By QuickTime's numbers of well-known types.
        case wellKnown(UInt32)
        /// By a name in reverse domain order.
        case named(String)
        /// By what is not known.
        case other(namespace: UInt32, [UInt8])
    }

    /// What samples call it; 0 in no key.
    package var localID: UInt32
    /// `mdta`, `uiso` and so on; `fiel` for what is part of another key's values.
    package var namespace: FourCC
    /// Its name in the namespace.
    package var value: [UInt8]
    package var dataType: DataType?
    /// A BCP 47 tag; `nil` if the file names no language.
    package var languageTag: String?
    /// What programs leave for those who decode values; `nil` for nothing.
    package var setupData: [UInt8]?
    /// The well-known types that the type of its values is a kind of.
    package var conformingTypes: [UInt32]

    /// A key of its facts.
    package init(
        localID: UInt32, namespace: FourCC, value: [UInt8], dataType: DataType?, languageTag: String? = nil,
        setupData: [UInt8]? = nil, conformingTypes: [UInt32] = []
    ) {
        (self.localID, self.namespace, self.value, self.dataType) = (localID, namespace, value, dataType)
        (self.languageTag, self.setupData, self.conformingTypes) = (languageTag, setupData, conformingTypes)
    }

    /// Reads a box of the key table, whose type is the number; `nil` if it declares no key, or one that is out of use.
    init?(_ box: Box, _ reader: BoxReader) {
        guard box.type.rawValue != 0 else { return nil }
        let boxes = reader.boxes(in: box.content)
        func content(_ type: FourCC) -> [UInt8]? {
            boxes.first { $0.type == type }.map { reader.bytes(of: $0) }
        }
        guard let declaration = content("keyd"), let namespace = declaration.fourCC(at: 0) else { return nil }
        self.init(
            localID: box.type.rawValue, namespace: namespace, value: Array(declaration.dropFirst(4)),
            dataType: content("dtyp").flatMap { DataType($0) })
        languageTag = content("loca").flatMap { bytes in
            String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self).flatMap { $0.isEmpty ? nil : $0 }
        }
        setupData = content("setu")
        if let types = boxes.first(where: { $0.type == "ctps" }) {
            conformingTypes = reader.boxes(in: types.content).compactMap { box in
                guard case .wellKnown(let code) = DataType(reader.bytes(of: box)) else { return nil }
                return code
            }
        }
    }

    /// The box.
    var box: [UInt8] {
        var content = [UInt8].box("keyd", namespace.bytes + value)
        if let dataType { content += .box("dtyp", dataType.bytes) }
        if let languageTag { content += .box("loca", Array(languageTag.utf8) + [0]) }
        if let setupData { content += .box("setu", setupData) }
        if !conformingTypes.isEmpty {
            content += .box("ctps", conformingTypes.flatMap { [UInt8].box("dtyp", DataType.wellKnown($0).bytes) })
        }
        return .box(FourCC(rawValue: localID), content)
    }
}

extension BoxedMetadataKey.DataType {
    /// What some bytes mean in a namespace: 0 counts well-known types, 1 has names.
    package init?(namespace: UInt32, _ content: [UInt8]) {
        switch namespace {
        case 0: if let code = content.bigEndian32(at: 0) { self = .wellKnown(code) } else { return nil }
        case 1: if let name = String(validating: content, as: UTF8.self) { self = .named(name) } else { return nil }
        default: self = .other(namespace: namespace, content)
        }
    }

    /// The namespace, and the bytes in it.
    package var parts: (namespace: UInt32, content: [UInt8]) {
        switch self {
        case .wellKnown(let code):
            var content: [UInt8] = []
            content.append(bigEndian: code)
            return (0, content)
        case .named(let name): return (1, Array(name.utf8))
        case .other(let namespace, let content): return (namespace, content)
        }
    }

    /// Reads the content of `dtyp`.
    init?(_ content: [UInt8]) {
        guard let namespace = content.bigEndian32(at: 0) else { return nil }
        self.init(namespace: namespace, Array(content.dropFirst(4)))
    }

    /// The content of `dtyp`.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: parts.namespace)
        return bytes + parts.content
    }
}
