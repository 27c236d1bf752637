internal import MediaIO

/// A picture's size and depth; each number is zero if it is not known.
package struct PictureGeometry: Hashable {
    package var width: UInt32
    package var height: UInt32
    package var bitsPerPixel: UInt32
    /// The number of colours in the palette; zero for pictures without one.
    package var paletteSize: UInt32

    package init(width: UInt32 = 0, height: UInt32 = 0, bitsPerPixel: UInt32 = 0, paletteSize: UInt32 = 0) {
        (self.width, self.height) = (width, height)
        (self.bitsPerPixel, self.paletteSize) = (bitsPerPixel, paletteSize)
    }
}

extension PictureGeometry {
    /// Markers and chunks before the one that is looked for; pictures have a few dozen at most.
    private static let maximumParts = 1 << 12

    /// The geometry in a JPEG's or PNG's header, `nil` for other files and damaged ones.
    package init?(ofPicture bytes: [UInt8]) {
        switch MetadataDataType.ofPicture(bytes) {
        case MetadataDataType.png: self.init(ofPNG: bytes)
        case MetadataDataType.jpeg: self.init(ofJPEG: bytes)
        default: return nil
        }
    }

    /// Source: PNG, sections 11.2.1 and 11.2.2.
    private init?(ofPNG bytes: [UInt8]) {
        guard bytes.bigEndian32(at: 12) == 0x4948_4452, let width = bytes.bigEndian32(at: 16),
            let height = bytes.bigEndian32(at: 20), bytes.count >= 33
        else { return nil }
        let channels: [UInt8: UInt32] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
        guard let count = channels[bytes[25]] else { return nil }
        self.init(width: width, height: height, bitsPerPixel: UInt32(bytes[24]) * count)
        guard bytes[25] == 3 else { return }
        var position = 33
        for _ in 0..<Self.maximumParts {
            guard let size = bytes.bigEndian32(at: position), let type = bytes.bigEndian32(at: position + 4) else {
                return
            }
            if type == 0x504C_5445 {
                paletteSize = size / 3
                return
            }
            position += 12 + Int(size)
        }
    }

    /// Source: ITU-T T.81, annex B.
    private init?(ofJPEG bytes: [UInt8]) {
        var position = 2
        for _ in 0..<Self.maximumParts {
            while position + 1 < bytes.count, bytes[position] == 0xFF, bytes[position + 1] == 0xFF { position += 1 }
            guard let marker = bytes.bigEndian16(at: position), let size = bytes.bigEndian16(at: position + 2),
                marker >= 0xFFC0, size >= 2
            else { return nil }
            // All start-of-frame markers; between them lie those of tables: C4, C8, CC.
            if (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) {
                guard let height = bytes.bigEndian16(at: position + 5), let width = bytes.bigEndian16(at: position + 7),
                    position + 9 < bytes.count
                else { return nil }
                self.init(
                    width: UInt32(width), height: UInt32(height),
                    bitsPerPixel: UInt32(bytes[position + 4]) * UInt32(bytes[position + 9]))
                return
            }
            position += 2 + Int(size)
        }
        return nil
    }
}

// MARK: Extras

extension PictureGeometry {
    private static let keys: [(AVMetadataExtraAttributeKey, any WritableKeyPath<PictureGeometry, UInt32> & Sendable)] =
        [
            (.pictureWidth, \.width), (.pictureHeight, \.height), (.pictureDepth, \.bitsPerPixel),
            (.pictureColors, \.paletteSize),
        ]

    /// The numbers that are known as an entry's extras.
    package var extras: [AVMetadataExtraAttributeKey: MetadataValue] {
        var extras: [AVMetadataExtraAttributeKey: MetadataValue] = [:]
        for (key, path) in Self.keys where self[keyPath: path] != 0 {
            extras[key] = .integer(Int64(self[keyPath: path]))
        }
        return extras
    }

    /// The numbers among an entry's extras.
    package init(extras: [AVMetadataExtraAttributeKey: MetadataValue]) {
        self.init()
        for (key, path) in Self.keys {
            if case .integer(let number) = extras[key] { self[keyPath: path] = UInt32(exactly: number) ?? 0 }
        }
    }
}

/// What a picture shows: ID3's words, and the numbers that stand for them.
///
/// FLAC and Ogg have the same numbers, other formats the words at most.
///
/// Source: ID3v2.4, section 4.14; RFC 9639, section 8.8.
package enum PictureType {
    /// What is taken for the cover.
    static let frontCover = "Cover (front)"
    /// What ID3 has for a picture that does not say.
    static let other = "Other"

    /// The words, each at its number.
    static let labels = [
        other, "32x32 pixels 'file icon' (PNG only)", "Other file icon", frontCover, "Cover (back)", "Leaflet page",
        "Media (e.g. label side of CD)", "Lead artist/lead performer/soloist", "Artist/performer", "Conductor",
        "Band/Orchestra", "Composer", "Lyricist/text writer", "Recording Location", "During recording",
        "During performance", "Movie/video screen capture", "A bright coloured fish", "Illustration",
        "Band/artist logotype", "Publisher/Studio logotype",
    ]

    /// The label of a number; numbers without one stand for themselves.
    package static func label(of number: UInt32) -> String {
        number < labels.count ? labels[Int(number)] : String(number)
    }

    /// The number of a label, whatever the case of its letters, or that a text is; else `nil`.
    package static func number(of label: String) -> UInt32? {
        labels.firstIndex { $0.lowercased() == label.lowercased() }.map(UInt32.init) ?? UInt32(label)
    }
}

extension MetadataDataType {
    /// The namespace of entries whose `dataType` attribute is a MIME type.
    package static let mimeTypeNamespace = "org.iana.media-type"

    /// The type of a picture by its first bytes, `nil` if it is none of the known ones.
    package static func ofPicture(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return jpeg }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return png }
        if bytes.starts(with: Array("GIF8".utf8)) { return gif }
        if bytes.starts(with: Array("BM".utf8)) { return bmp }
        return nil
    }

    /// The type of a picture by its MIME type, `nil` if there is none for it.
    package static func ofPicture(mimeType: String) -> String? {
        switch mimeType.lowercased() {
        case "image/jpeg", "image/jpg": jpeg
        case "image/png": png
        case "image/gif": gif
        case "image/bmp": bmp
        default: nil
        }
    }

    /// The MIME type of a type of picture, `nil` for other types.
    package static func mimeType(of type: String?) -> String? {
        switch type {
        case jpeg: "image/jpeg"
        case png: "image/png"
        case gif: "image/gif"
        case bmp: "image/bmp"
        default: nil
        }
    }

    /// The MIME type of a picture by its first bytes, `nil` if it is none of the known ones.
    ///
    /// There is one more of these than types: WebP.
    package static func mimeType(ofPicture bytes: [UInt8]) -> String? {
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "image/webp"
        }
        return mimeType(of: ofPicture(bytes))
    }
}

extension MetadataEntry {
    /// Sets the type of a picture to what its bytes are, where it says that of another kind of picture.
    mutating func correctPictureType() {
        guard case .data(let bytes) = value, let type = MetadataDataType.ofPicture(bytes),
            let mimeType = MetadataDataType.mimeType(of: type)
        else { return }
        if dataType != type, MetadataDataType.mimeType(of: dataType) != nil { dataType = type }
        if case .text(let named) = extras[.dataType], named != mimeType,
            MetadataDataType.ofPicture(mimeType: named) != nil, MetadataDataType.ofPicture(mimeType: named) != type
        {
            extras[.dataType] = .text(mimeType)
        }
    }
}
