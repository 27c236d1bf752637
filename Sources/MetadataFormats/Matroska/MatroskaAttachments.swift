internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// A file within the file.
struct MatroskaAttachedFile {
    let element: EBMLElement
    var name = ""
    var mimeType = ""
    var description: String?
    var uid: UInt64 = 0
    /// Where its bytes lie.
    var data: Range<UInt64>
    /// The entry for it, if it is cover art.
    var cover: MetadataEntry?

    /// Longer names and descriptions are not read.
    private static let maximumText = 1 << 13

    /// Reads an attached file's description.
    init?(_ element: EBMLElement, in file: RandomAccessFile) {
        guard !element.isUnknownSize else { return nil }
        self.element = element
        data = element.content.upperBound..<element.content.upperBound
        var hasData = false
        for field in EBMLReader(file: file).elements(in: element.content, count: 64) {
            if field.id == MatroskaID.fileData, !hasData {
                data = field.content
                hasData = true
                continue
            }
            guard let bytes = file.read(field.content, limit: Self.maximumText) else { continue }
            let node = EBMLNode(id: field.id, bytes: [], content: bytes[...])
            switch field.id {
            case MatroskaID.fileName: name = node.text
            case MatroskaID.fileMediaType: mimeType = node.text
            case MatroskaID.fileDescription: description = node.text
            case MatroskaID.fileUID: uid = node.unsigned ?? 0
            default: break
            }
        }
    }

    /// Whether players take it for a picture of the whole file.
    var isCover: Bool { mimeType.lowercased().hasPrefix("image/") && FileMetadata.Attachment.isCoverName(name) }

    /// The entry for cover art.
    func coverEntry(_ bytes: [UInt8]) -> MetadataEntry {
        var entry = MetadataEntry(.matroska, .text(MatroskaElementName.coverKey), .data(bytes))
        entry.dataType =
            switch mimeType.lowercased() {
            case "image/jpeg", "image/jpg": MetadataDataType.jpeg
            case "image/png": MetadataDataType.png
            default: MetadataDataType.ofPicture(bytes) ?? MetadataDataType.raw
            }
        entry.extras = [
            .element: .text(MatroskaElementName.attachedFile), .info: .text(name), .dataType: .text(mimeType),
            .dataTypeNamespace: .text(MetadataDataType.mimeTypeNamespace),
        ]
        if let description { entry.extras[.fileDescription] = .text(description) }
        return entry
    }

    var attachment: FileMetadata.Attachment {
        FileMetadata.Attachment(name: name, mimeType: mimeType, description: description, uid: uid, range: data)
    }

    /// Whether an entry is to be an attached file.
    static func holds(_ entry: MetadataEntry) -> Bool {
        guard case .data = entry.value, entry.keySpace == .matroska, entry.key == .text(MatroskaElementName.coverKey)
        else { return false }
        return entry.extras[.element] == nil || entry.extras[.element] == .text(MatroskaElementName.attachedFile)
    }
}

/// New content for the attachments of a file.
struct MatroskaAttachmentWriter {
    let files: [MatroskaAttachedFile]
    /// Elements among the attached files that are none, which stay.
    let others: [EBMLElement]

    /// The content with other cover art, `nil` if nothing changes.
    ///
    /// A new picture takes the place and the UID of one that goes, so that tags
    /// about that one are about it.
    func content(covers: [MetadataEntry], adding added: [FileMetadata.NewAttachment] = []) -> [FileRewrite.Segment]? {
        let units = files.enumerated().compactMap { index, file in file.cover.map { (index, $0) } }
        let matches = EntryMatcher.matches(covers, units.map { [$0.1] })
        let kept = Set(matches.values.map { units[$0].0 })
        var new = covers.indices.filter { matches[$0] == nil }.map { covers[$0] }
        guard !new.isEmpty || !added.isEmpty || kept.count != units.count else { return nil }
        var result: [FileRewrite.Segment] = []
        var uids = Set(files.map(\.uid))
        var names = Set(files.indices.filter { files[$0].cover == nil || kept.contains($0) }.map { files[$0].name })
        for (index, file) in files.enumerated() {
            if file.cover == nil || kept.contains(index) {
                result.append(.source(file.element.range))
            } else if !new.isEmpty {
                result.append(.bytes(Self.bytes(of: new.removeFirst(), uid: file.uid, names: &names, &uids)))
            }
        }
        for entry in new {
            result.append(.bytes(Self.bytes(of: entry, uid: nil, names: &names, &uids)))
        }
        for file in added { result.append(.bytes(Self.bytes(of: file, &uids))) }
        return result + others.map { .source($0.range) }
    }

    private static func bytes(of file: FileMetadata.NewAttachment, _ uids: inout Set<UInt64>) -> [UInt8] {
        var fields = [
            EBMLWriter.text(MatroskaID.fileName, file.name), EBMLWriter.text(MatroskaID.fileMediaType, file.mimeType),
        ]
        if let description = file.description {
            fields.append(EBMLWriter.text(MatroskaID.fileDescription, description))
        }
        let uid = MatroskaUID.ofFile(file.name, file.bytes, unlike: &uids)
        fields.append(EBMLWriter.unsigned(MatroskaID.fileUID, uid))
        fields.append(EBMLWriter.element(MatroskaID.fileData, file.bytes))
        return EBMLWriter.element(MatroskaID.attachedFile, Array(fields.joined()))
    }

    private static func bytes(
        of entry: MetadataEntry, uid: UInt64?, names: inout Set<String>, _ uids: inout Set<UInt64>
    ) -> [UInt8] {
        guard case .data(let bytes) = entry.value, let type = mimeType(of: entry) else { return [] }
        let givenName = entry.info.flatMap { FileMetadata.Attachment.isCoverName($0) ? $0 : nil }
        let name = givenName ?? freeName(extension: type.suffix, names)
        names.insert(name)
        var fields = [
            EBMLWriter.text(MatroskaID.fileName, name), EBMLWriter.text(MatroskaID.fileMediaType, type.mimeType),
        ]
        if let description = description(of: entry, isNamed: givenName != nil) {
            fields.append(EBMLWriter.text(MatroskaID.fileDescription, description))
        }
        let own = uid ?? MatroskaUID.ofFile(name, bytes, unlike: &uids)
        fields.append(EBMLWriter.unsigned(MatroskaID.fileUID, own == 0 ? 1 : own))
        fields.append(EBMLWriter.element(MatroskaID.fileData, bytes))
        return EBMLWriter.element(MatroskaID.attachedFile, Array(fields.joined()))
    }

    /// What a picture is: by what the entry says, else by its first bytes; `nil` if neither tells.
    static func mimeType(of entry: MetadataEntry) -> (mimeType: String, suffix: String)? {
        guard case .data(let bytes) = entry.value else { return nil }
        let type = MetadataDataType.mimeType(ofPicture: bytes) ?? MetadataDataType.mimeType(of: entry.dataType)
        let known: (mimeType: String, suffix: String)? = type.map {
            ($0, $0 == "image/jpeg" ? "jpg" : String($0.dropFirst(6)))
        }
        if case .text(let stated) = entry.extras[.dataType], stated.lowercased().hasPrefix("image/") {
            return (stated, known?.suffix ?? String(stated.dropFirst(6)))
        }
        return known
    }

    /// `cover.jpg`, or with a number if there is one.
    private static func freeName(extension suffix: String, _ names: Set<String>) -> String {
        var name = "cover.\(suffix)"
        var number = 2
        while names.contains(name) {
            name = "cover\(number).\(suffix)"
            number += 1
        }
        return name
    }

    private static func description(of entry: MetadataEntry, isNamed: Bool) -> String? {
        if case .text(let text) = entry.extras[.fileDescription] { return text }
        guard !isNamed, let info = entry.info, !info.isEmpty else { return nil }
        return info
    }
}
