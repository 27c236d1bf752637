import Foundation
import ImageGeneration
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

/// A file whose bars are ever clearer from left to right.
private struct ClearSource: Sendable, CustomTestStringConvertible {
    let format: RawFormat
    /// Where R, G, B and A are among the format's components; `nil` for YCbCr or grey with alpha behind it.
    var order: [Int]?
    let fileName: String
    let arguments: String
    /// How far a component may be off, of 255.
    let tolerance: Double

    init(
        _ format: RawFormat, order: [Int]? = nil, _ fileName: String, _ arguments: String, within tolerance: Double = 1
    ) {
        (self.format, self.order, self.fileName) = (format, order, fileName)
        (self.arguments, self.tolerance) = (arguments, tolerance)
    }

    var testDescription: String { "\(format.name) in \(fileName): \(arguments)" }

    private static func yuva(_ layout: String, _ across: Int, _ down: Int, depth: Int = 8) -> RawFormat {
        RawFormat(
            name: "yuva\(layout)p" + (depth == 8 ? "" : "\(depth)le"), depth: depth, components: 4,
            chroma: (across, down))
    }

    static let all = [
        ClearSource(.packed("bgra", 4), order: [2, 1, 0, 3], "a.mkv", "-c:v ffv1"),
        ClearSource(.packed("rgba", 4), order: [0, 1, 2, 3], "a.mov", "-c:v png"),
        ClearSource(.packed("argb", 4), order: [1, 2, 3, 0], "a.mov", "-c:v qtrle"),
        ClearSource(
            .packed("rgba64be", 4, depth: 16, isBigEndian: true), order: [0, 1, 2, 3], "a.mov", "-c:v png", within: 2),
        ClearSource(
            RawFormat(name: "gbrap10le", depth: 10, components: 4), order: [2, 0, 1, 3], "a.mkv", "-c:v ffv1", within: 2
        ),
        ClearSource(.packed("ya8", 2), "a.mov", "-c:v png"),
        ClearSource(yuva("420", 2, 2), "a.mkv", "-c:v ffv1", within: 2),
        ClearSource(yuva("444", 1, 1), "a.mkv", "-c:v ffv1", within: 2),
        ClearSource(yuva("422", 2, 1, depth: 10), "a.mkv", "-c:v ffv1", within: 2),
        ClearSource(yuva("444", 1, 1, depth: 10), "a.mkv", "-c:v ffv1", within: 2),
        ClearSource(yuva("444", 1, 1, depth: 16), "a.mkv", "-c:v ffv1", within: 2),
        ClearSource(yuva("444", 1, 1, depth: 10), "a.mov", "-c:v prores_ks -profile:v 4444 -alpha_bits 16", within: 4),
        ClearSource(
            yuva("420", 2, 2), "a.webm", "-c:v libvpx -auto-alt-ref 0 -qmin 0 -qmax 4 -crf 4 -b:v 9M", within: 4),
        ClearSource(yuva("420", 2, 2), "b.webm", "-c:v libvpx-vp9 -qmin 0 -qmax 4 -crf 0 -b:v 0", within: 4),
    ]

    /// VP8 is BT.601 by definition (RFC 6386, 9.2).
    private var coding: ColorCoding {
        ColorCoding(matrix: arguments.contains("libvpx ") ? .bt470bg : .bt709, isFull: false)
    }

    /// The codes of a colour in the format's order.
    func codes(of rgb: [Double], alpha: Double) -> [Int] {
        if let order {
            let shares = rgb + [alpha]
            return (0..<4).map { place in format.code(shares[order.firstIndex(of: place) ?? 0]) }
        }
        let color = format.components == 2 ? [format.code(rgb[0])] : coding.codes(of: rgb, in: format)
        return color + [format.code(alpha)]
    }

    /// R, G, B and A of codes, of 255.
    func color(of codes: [Int]) -> [Double] {
        let shares = codes.map { Double($0) / format.top * 255 }
        if let order { return order.map { shares[$0] } }
        let color = format.components == 2 ? [shares[0], shares[0], shares[0]] : coding.color(of: codes, in: format)
        return color + [shares[shares.count - 1]]
    }

    /// The tags of the file; RGB and grey need none.
    var tags: [String] { order == nil && format.components == 4 ? ["-vf", coding.filter] : [] }
}

@Suite(.serialized) struct `The clear parts of a still` {
    @Test(arguments: ClearSource.all)
    fileprivate func `Clear parts of a still have the stored alpha and colours`(_ source: ClearSource) async throws {
        let folder = try TemporaryFolder()
        let codes = zip(Bars.colors, Bars.alphas).map { source.codes(of: $0, alpha: $1) }
        let picture = source.format.picture(codes, height: Bars.height)
        let arguments = source.tags + source.arguments.words
        try await folder.encode(picture, source.format.name, arguments + [source.fileName])
        let image = try await folder.still(of: source.fileName)
        #expect(image.hasAlpha)
        let expected = codes.map(source.color)
        #expect(image.mismatches(with: expected, within: source.tolerance) == [])
        // Alpha keeps its place where a matrix rounds the colours.
        let alphas = image.alphas
        #expect(zip(alphas, expected).allSatisfy { abs(Double($0) - $1[3]) <= min(2, source.tolerance) }, "\(alphas)")
    }

    @Test func `Stills of a video without alpha have no alpha`() async throws {
        let folder = try TemporaryFolder()
        let format = RawFormat(name: "yuv420p", chroma: (2, 2))
        let picture = format.picture(Bars.colors.map { $0.map(format.code) }, height: Bars.height)
        try await folder.encode(picture, format.name, ["-c:v", "libvpx-vp9", "a.webm"])
        #expect(try await folder.still(of: "a.webm").hasAlpha == false)
    }

    @Test func `Clear parts of a still stay when the image is made smaller`() async throws {
        let folder = try TemporaryFolder()
        let format = RawFormat.packed("rgba", 4)
        let codes = zip(Bars.colors, Bars.alphas).map { color, alpha in (color + [alpha]).map(format.code) }
        try await folder.encode(format.picture(codes, height: Bars.height), "rgba", ["-c:v", "png", "a.mov"])
        let generator = exactGenerator(of: folder.asset("a.mov"))
        generator.maximumSize = CGSize(width: Bars.width / 4, height: 0)
        let image = try await generator.image(at: .zero).image
        #expect(image.hasAlpha)
        #expect(image.size == [Bars.width / 4, Bars.height / 4])
        let row = image.pixels[(8 * image.packedBytesPerRow)...]
        for (bar, code) in codes.enumerated() {
            let found = row.dropFirst((bar * Bars.barWidth / 4 + 4) * 4).prefix(4).map { Int($0) }
            #expect(zip(found, code).allSatisfy { abs($0 - $1) <= 1 }, "bar \(bar): \(found) for \(code)")
        }
    }
}

extension CGImage {
    /// The alpha in the middle of each bar.
    fileprivate var alphas: [UInt8] {
        guard hasAlpha, width == Bars.width else { return [] }
        return Bars.colors.indices.map { bar in
            pixels[height / 2 * packedBytesPerRow + (bar * Bars.barWidth + Bars.barWidth / 2) * 4 + 3]
        }
    }
}
