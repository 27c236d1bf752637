import Foundation
import ImageGeneration
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

private let formats = [
    RawFormat(name: "yuv420p", chroma: (2, 2)), RawFormat(name: "yuv420p10le", depth: 10, chroma: (2, 2)),
    RawFormat(name: "yuv420p12le", depth: 12, chroma: (2, 2)), RawFormat(name: "yuv422p", chroma: (2, 1)),
    RawFormat(name: "yuv422p10le", depth: 10, chroma: (2, 1)),
    RawFormat(name: "yuv422p12le", depth: 12, chroma: (2, 1)), RawFormat(name: "yuv444p"),
    RawFormat(name: "yuv444p10le", depth: 10), RawFormat(name: "yuv444p12le", depth: 12),
    RawFormat(name: "yuv444p16le", depth: 16), RawFormat(name: "yuv411p", chroma: (4, 1)),
    RawFormat(name: "yuv440p", chroma: (1, 2)), RawFormat(name: "yuv410p", chroma: (4, 4)),
]

/// A file whose samples are RGB or grey, without loss.
private struct PlainSource: Sendable, CustomTestStringConvertible {
    let format: RawFormat
    /// Where R, G and B are among the format's components.
    var order = [0, 1, 2]
    let fileName: String
    let arguments: String

    init(_ format: RawFormat, order: [Int] = [0, 1, 2], _ fileName: String, _ arguments: String) {
        (self.format, self.order, self.fileName, self.arguments) = (format, order, fileName, arguments)
    }

    var testDescription: String { "\(format.name) in \(fileName): \(arguments)" }

    /// The codes of a colour in the format's order.
    func codes(of rgb: [Double]) -> [Int] {
        var codes = [Int](repeating: 0, count: format.components)
        for (component, place) in order.enumerated() { codes[place] = format.code(rgb[component]) }
        return codes
    }

    static let rgb = [
        PlainSource(.packed("rgb24", 3), "a.mov", "-c:v png"),
        PlainSource(.packed("rgb24", 3), "a.mov", "-c:v qtrle"),
        PlainSource(.packed("rgb24", 3), "a.mkv", "-c:v libx264rgb -qp 0 -preset ultrafast"),
        PlainSource(
            .packed("rgb24", 3), "a.gif",
            "-filter_complex split[a][b];[a]palettegen=reserve_transparent=0[p];[b][p]paletteuse=dither=none"),
        PlainSource(.packed("rgb48be", 3, depth: 16, isBigEndian: true), "a.mov", "-c:v png"),
        PlainSource(.packed("rgb48le", 3, depth: 16), "a.mkv", "-c:v ffv1"),
        PlainSource(.packed("bgr0", 4), order: [2, 1, 0], "a.mkv", "-c:v ffv1"),
        PlainSource(RawFormat(name: "gbrp"), order: [2, 0, 1], "a.webm", "-c:v libvpx-vp9 -lossless 1"),
        PlainSource(RawFormat(name: "gbrp10le", depth: 10), order: [2, 0, 1], "a.mkv", "-c:v ffv1"),
        PlainSource(RawFormat(name: "gbrp12le", depth: 12), order: [2, 0, 1], "a.mkv", "-c:v ffv1"),
        PlainSource(RawFormat(name: "gbrp16le", depth: 16), order: [2, 0, 1], "a.mkv", "-c:v ffv1"),
    ]

    static let grey = [
        PlainSource(RawFormat(name: "gray", components: 1), "a.mkv", "-c:v ffv1"),
        PlainSource(RawFormat(name: "gray10le", depth: 10, components: 1), "a.mkv", "-c:v ffv1"),
        PlainSource(RawFormat(name: "gray12le", depth: 12, components: 1), "a.mkv", "-c:v ffv1"),
        PlainSource(RawFormat(name: "gray16le", depth: 16, components: 1), "a.mkv", "-c:v ffv1"),
        PlainSource(
            RawFormat(name: "gray", components: 1), "a.mp4", "-c:v libx265 -x265-params lossless=1:log-level=0"),
    ]
}

/// A file that holds YCbCr, but not in one plane for each component.
private struct PackedSource: Sendable, CustomTestStringConvertible {
    /// The planar format of the same subsampling.
    let format: RawFormat
    /// ffmpeg's name of what is stored, empty where the codec settles it.
    let stored: String
    let codec: String
    let fileName: String

    init(_ format: RawFormat, _ stored: String, _ codec: String, _ fileName: String) {
        (self.format, self.stored, self.codec, self.fileName) = (format, stored, codec, fileName)
    }

    var testDescription: String { "\(stored) \(codec) in \(fileName)" }

    static let all = [
        PackedSource(RawFormat(name: "yuv422p", chroma: (2, 1)), "uyvy422", "rawvideo", "a.mov"),
        PackedSource(RawFormat(name: "yuv422p", chroma: (2, 1)), "yuyv422", "rawvideo", "a.avi"),
        PackedSource(RawFormat(name: "yuv422p10le", depth: 10, chroma: (2, 1)), "", "v210", "a.mov"),
        PackedSource(RawFormat(name: "yuv420p", chroma: (2, 2)), "nv12", "rawvideo", "a.nut"),
    ]
}

/// How many lines a picture without tags has, and which matrix is taken for that.
private struct UntaggedCase: Sendable, CustomTestStringConvertible {
    let height: Int
    let matrix: ColorMatrix

    var testDescription: String { "\(height) lines: \(matrix.name)" }
}

@Suite(.serialized) struct `The colours of bars` {
    /// Makes a file for each coding, in one run, and looks at their stills.
    ///
    /// - Parameter reduction: How many times smaller the stills are.
    private func check(_ codings: [ColorCoding], in format: RawFormat, reduction: Int = 1) async throws {
        let folder = try TemporaryFolder()
        var pictures = Data()
        var arguments: [String] = []
        for (index, coding) in codings.enumerated() {
            pictures += format.picture(Bars.colors.map { coding.codes(of: $0, in: format) }, height: Bars.height)
            let filter = "trim=start_frame=\(index):end_frame=\(index + 1),setpts=PTS-STARTPTS,\(coding.filter)"
            arguments += ["-vf", filter, "-c:v", "ffv1", "\(index).mkv"]
        }
        try await folder.encode(pictures, format.name, arguments)
        for (index, coding) in codings.enumerated() {
            let generator = exactGenerator(of: folder.asset("\(index).mkv"))
            generator.maximumSize = CGSize(width: Bars.width / reduction, height: 0)
            let image = try await generator.image(at: .zero).image
            #expect(image.size == [Bars.width / reduction, Bars.height / reduction])
            let expected = Bars.colors.map { coding.color(of: coding.codes(of: $0, in: format), in: format) }
            #expect(image.mismatches(with: expected, within: 2.2) == [], "\(coding.testDescription)")
        }
    }

    @Test(arguments: formats)
    func `Colours of bars are right in every matrix and range`(_ format: RawFormat) async throws {
        try await check(
            ColorMatrix.weighted.flatMap { [ColorCoding(matrix: $0, isFull: false), .init(matrix: $0, isFull: true)] },
            in: format)
    }

    @Test(
        arguments: formats.filter { ["yuv420p", "yuv422p10le", "yuv444p", "yuv444p16le"].contains($0.name) },
        [true, false])
    func `Colours of bars are right in YCgCo`(_ format: RawFormat, isFull: Bool) async throws {
        try await check([ColorCoding(matrix: .ycgco, isFull: isFull)], in: format)
    }

    @Test(arguments: formats)
    func `Colours of bars stay right when the image is made smaller`(_ format: RawFormat) async throws {
        let codings = [
            ColorCoding(matrix: .bt709, isFull: false), .init(matrix: .bt470bg, isFull: true),
            .init(matrix: .ycgco, isFull: true),
        ]
        try await check(codings, in: format, reduction: 4)
    }

    @Test(arguments: PackedSource.all)
    fileprivate func `Colours of bars are right where components are stored in another order`(
        _ source: PackedSource
    ) async throws {
        let folder = try TemporaryFolder()
        let (format, coding) = (source.format, ColorCoding(matrix: .smpte170m, isFull: false))
        let codes = Bars.colors.map { coding.codes(of: $0, in: format) }
        let tags = ["-vf", coding.filter + (source.stored.isEmpty ? "" : ",format=\(source.stored)")]
        try await folder.encode(
            format.picture(codes, height: Bars.height), format.name, tags + ["-c:v", source.codec, source.fileName])
        let image = try await folder.still(of: source.fileName)
        #expect(image.mismatches(with: codes.map { coding.color(of: $0, in: format) }, within: 2) == [])
    }

    @Test(arguments: [
        UntaggedCase(height: 576, matrix: .bt470bg), UntaggedCase(height: 719, matrix: .bt470bg),
        UntaggedCase(height: 720, matrix: .bt709),
    ])
    fileprivate func `Colours of bars follow the number of lines where no matrix is tagged`(
        _ c: UntaggedCase
    ) async throws {
        let folder = try TemporaryFolder()
        let format = RawFormat(name: "yuv444p")
        let coding = ColorCoding(matrix: c.matrix, isFull: false)
        let codes = Bars.colors.map { coding.codes(of: $0, in: format) }
        let picture = format.picture(codes, height: c.height)
        try await folder.encode(picture, format.name, height: c.height, ["-c:v", "ffv1", "a.mkv"])
        let image = try await folder.still(of: "a.mkv")
        #expect(image.mismatches(with: codes.map { coding.color(of: $0, in: format) }, within: 2) == [])
    }

    @Test(arguments: PlainSource.rgb)
    fileprivate func `Colours of bars are as stored where a file holds RGB`(_ source: PlainSource) async throws {
        let folder = try TemporaryFolder()
        let codes = Bars.colors.map(source.codes)
        let picture = source.format.picture(codes, height: Bars.height)
        try await folder.encode(picture, source.format.name, source.arguments.words + [source.fileName])
        let image = try await folder.still(of: source.fileName)
        let expected = codes.map { code in source.order.map { Double(code[$0]) / source.format.top * 255 } }
        #expect(image.mismatches(with: expected, within: source.format.depth == 8 ? 0 : 2) == [])
        // A palette may always hold a clear colour.
        #expect(image.hasAlpha == source.fileName.hasSuffix("gif"))
    }

    @Test(arguments: PlainSource.grey, [false, true])
    fileprivate func `Colours of bars are grey where a file holds only grey`(
        _ source: PlainSource, isFull: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let format = source.format
        // Grey is luma alone, of any matrix.
        let coding = ColorCoding(matrix: .bt709, isFull: isFull)
        let codes = (0..<16).map { coding.codes(of: [Double](repeating: Double($0) / 15, count: 3), in: format) }
        let tags = ["-color_range", isFull ? "pc" : "tv", "-vf", "setparams=range=\(isFull ? "pc" : "tv")"]
        try await folder.encode(
            format.picture(codes, height: Bars.height), format.name, tags + source.arguments.words + [source.fileName])
        let image = try await folder.still(of: source.fileName)
        #expect(image.mismatches(with: codes.map { coding.color(of: $0, in: format) }, within: 2) == [])
    }
}
