/// A format of picture files, as its first bytes tell it.
enum PictureFormat: String, CaseIterable {
    case png = "public.png"
    case jpeg = "public.jpeg"
    case webP = "org.webmproject.webp"
    case avif = "public.avif"
    case tiff = "public.tiff"
    case gif = "com.compuserve.gif"
    case bmp = "com.microsoft.bmp"

    /// Those that are written.
    static let written: [PictureFormat] = [.png, .jpeg, .webP, .avif, .tiff, .gif]

    /// The format of a file that begins so; `nil` for all that is no picture.
    init?(_ start: [UInt8]) {
        func begins(_ bytes: [UInt8], at place: Int = 0) -> Bool { start.dropFirst(place).starts(with: bytes) }
        func text(_ text: String) -> [UInt8] { Array(text.utf8) }
        if begins([0x89] + text("PNG") + [0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if begins([0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if begins(text("RIFF")), begins(text("WEBP"), at: 8) {
            self = .webP
        } else if begins(text("ftypavif"), at: 4) || begins(text("ftypavis"), at: 4) {
            self = .avif
        } else if begins([0x49, 0x49, 42, 0]) || begins([0x4d, 0x4d, 0, 42]) {
            self = .tiff
        } else if begins(text("GIF87a")) || begins(text("GIF89a")) {
            self = .gif
        } else if begins(text("BM")), begins([0, 0, 0, 0], at: 6) {
            self = .bmp
        } else {
            return nil
        }
    }

    /// Whether a file may hold more images than one.
    var holdsMany: Bool { self == .gif }
}
