public import Foundation
public import MediaCore
public import MediaImage

extension PreviewImageFormat {
    /// A sheet as a file of this format that carries its mark.
    ///
    /// The mark stands where each format has a place for text that changes no
    /// pixel: a text chunk of PNG, a comment of JPEG, XMP of WebP, a free box of AVIF.
    ///
    /// - Parameters:
    ///   - quality: From 1 to 100; without meaning for PNG.
    ///   - mark: `nil` for a file without one.
    /// - Throws: `ImageEncodingError`, as `data(of:quality:background:)`.
    public func data(of image: CGImage, quality: Int, mark: SheetMark?) throws -> Data {
        guard let mark else { return try data(of: image, quality: quality) }
        if self == .png { return try image.pngData(text: [("Comment", mark.text)]) }
        let file = [UInt8](try data(of: image, quality: quality))
        switch self {
        case .png: return Data(file)
        case .jpeg: return Data(Self.jpeg(file, commented: mark.text))
        case .webp: return Data(Self.webP(file, of: image, marked: mark.text))
        case .avif: return Data(file + Self.bigEndian(8 + mark.text.utf8.count, 4) + Array("free\(mark.text)".utf8))
        }
    }

    private static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Puts a comment behind the application segments that a JPEG file begins with.
    static func jpeg(_ file: [UInt8], commented text: String) -> [UInt8] {
        var position = 2
        while position + 4 <= file.count, file[position] == 0xFF, (0xE0...0xEF).contains(file[position + 1]) {
            position += 2 + Int(file[position + 2]) << 8 + Int(file[position + 3])
        }
        guard file.starts(with: [0xFF, 0xD8]), position <= file.count else { return file }
        let comment = [0xFF, 0xFE] + bigEndian(2 + text.utf8.count, 2) + Array(text.utf8)
        return file[..<position] + comment + file[position...]
    }

    /// Puts XMP behind the image of a WebP file, which needs the header of extended files.
    static func webP(_ file: [UInt8], of image: CGImage, marked text: String) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { bigEndian(value, count).reversed() }
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            Array(name.utf8) + little(data.count, 4) + data + [UInt8](repeating: 0, count: data.count % 2)
        }
        guard file.count > 30, file.starts(with: Array("RIFF".utf8)) else { return file }
        var body = Array(file[12...])
        let hasXMP: UInt8 = 0x04
        if body.starts(with: Array("VP8X".utf8)) {
            body[8] |= hasXMP
        } else {
            let flags = hasXMP | (image.hasAlpha ? 0x10 : 0)
            body = chunk("VP8X", [flags, 0, 0, 0] + little(image.width - 1, 3) + little(image.height - 1, 3)) + body
        }
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Label="\(text)"/>\
            </rdf:RDF></x:xmpmeta>
            """
        body = Array("WEBP".utf8) + body + chunk("XMP ", Array(packet.utf8))
        return Array("RIFF".utf8) + little(body.count, 4) + body
    }
}

extension PreviewImageFormat {
    /// An image as a file of this format.
    ///
    /// - Parameters:
    ///   - quality: From 1 to 100; without meaning for PNG.
    ///   - background: What shows through clear parts where the format has none, which is JPEG.
    /// - Throws: `ImageEncodingError` above `maximumDimension`, for HDR in JPEG and WebP, and where FFmpeg lacks the
    ///   encoder of WebP or AVIF.
    /// - Complexity: Encodes on the calling thread; the file is held in memory.
    public func data(of image: CGImage, quality: Int, background: RGBColor = .black) throws -> Data {
        switch self {
        case .jpeg: try image.jpegData(quality: quality, background: background)
        case .png: try image.pngData()
        case .webp: try image.webPData(quality: quality)
        case .avif: try image.avifData(quality: quality)
        }
    }
}
