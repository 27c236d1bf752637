/// What a layout of samples can hold, as far as presets may ask for it.
package struct PixelLayout: Sendable, Equatable {
    /// Bits of one component.
    package var depth: Int
    /// How many luma samples share one of chroma, as powers of two.
    var chromaShift: (horizontal: Int, vertical: Int)
    package var isRGB = false
    package var isGrey = false
    package var hasAlpha = false

    package static func == (left: PixelLayout, right: PixelLayout) -> Bool {
        left.depth == right.depth && left.chromaShift == right.chromaShift && left.isRGB == right.isRGB
            && left.isGrey == right.isGrey && left.hasAlpha == right.hasAlpha
    }

    /// The layouts that presets may name, by FFmpeg's names.
    package static let known: [String: PixelLayout] = [
        "yuv420p": PixelLayout(depth: 8, chromaShift: (1, 1)),
        "yuv422p": PixelLayout(depth: 8, chromaShift: (1, 0)),
        "yuv444p": PixelLayout(depth: 8, chromaShift: (0, 0)),
        "yuv420p10le": PixelLayout(depth: 10, chromaShift: (1, 1)),
        "yuv422p10le": PixelLayout(depth: 10, chromaShift: (1, 0)),
        "yuv444p10le": PixelLayout(depth: 10, chromaShift: (0, 0)),
        "yuv420p12le": PixelLayout(depth: 12, chromaShift: (1, 1)),
        "yuv422p12le": PixelLayout(depth: 12, chromaShift: (1, 0)),
        "yuv444p12le": PixelLayout(depth: 12, chromaShift: (0, 0)),
        "yuva420p": PixelLayout(depth: 8, chromaShift: (1, 1), hasAlpha: true),
        "yuva444p10le": PixelLayout(depth: 10, chromaShift: (0, 0), hasAlpha: true),
        "gbrp": PixelLayout(depth: 8, chromaShift: (0, 0), isRGB: true),
        "gbrp10le": PixelLayout(depth: 10, chromaShift: (0, 0), isRGB: true),
        // One of its colours may be transparent.
        "pal8": PixelLayout(depth: 8, chromaShift: (0, 0), isRGB: true, hasAlpha: true),
    ]
}
