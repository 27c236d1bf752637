internal import Foundation

/// Writes a TIFF file: one strip without compression, in 8 or 16 bits, alpha kept.
///
/// Source: TIFF 6.0, sections 6 and 18.
enum TIFFFile {
    /// - Returns: `nil` for a picture of 4 GiB or more, which such a file cannot hold.
    static func data(of image: CGImage, _ properties: ImageProperties) -> Data? {
        var writer = DirectoryWriter(properties)
        let channels = image.hasAlpha ? 4 : 3
        writer.set(0x0100, long: image.width)
        writer.set(0x0101, long: image.height)
        writer.set(0x0102, shorts: [Int](repeating: image.bitsPerComponent, count: channels))
        writer.set(0x0103, shorts: [1])
        writer.set(0x0106, shorts: [2])
        writer.set(0x0115, shorts: [channels])
        writer.set(0x0116, long: image.height)
        writer.set(0x011c, shorts: [1])
        // Alpha that colours are not multiplied by.
        if image.hasAlpha { writer.set(0x0152, shorts: [2]) }
        if let space = image.colorSpace, !space.isSRGB, let profile = space.copyICCData() {
            writer.set(0x8773, bytes: Array(profile))
        }
        guard image.pixels.count < Int(UInt32.max) - 1 << 20 else { return nil }
        // Components of 16 bits are in the machine's order, and so is the file.
        return Data(writer.data(stripSize: image.pixels.count)) + image.pixels
    }
}
