import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

/// A colour of three equal components.
private func grey(_ value: Double) -> [Double] { [value, value, value] }

/// Signals from black to the top.
private let ramp = (0..<64).map { Double($0) / 63 }

@Suite(.serialized, .timeLimit(.minutes(5))) struct `HDR shown as SDR` {
    @Test(arguments: HDRCurve.allCases)
    func `HDR shown as SDR is sRGB of 8 bits`(_ curve: HDRCurve) async throws {
        let image = try await PatchClip(transfer: curve.rawValue, signals: [grey(0.3)]).still()
        #expect(image.colorSpace?.name == CGColorSpace.sRGB)
        #expect(image.bitsPerComponent == 8)
    }

    @Test(arguments: HDRCurve.allCases)
    func `HDR shown as SDR leaves greys up to mid-grey as bright as they are`(_ curve: HDRCurve) async throws {
        let signals = [0.0, 1, 5, 10, 26, 40, 60].map { curve.signals(of: grey($0)) }
        let clip = PatchClip(transfer: curve.rawValue, signals: signals)
        let expected = clip.storedSignals.map { grey(codeOfSRGB(curve.light(ofGrey: $0[1]) / referenceWhite)) }
        let found = try await clip.still().barComponents(signals.count)
        #expect(greatestDifference(found, expected) <= 2, "\(found) for \(expected.map { $0[1] })")
    }

    @Test(arguments: HDRCurve.allCases, [Primaries.bt709, .bt2020, .displayP3])
    func `HDR shown as SDR leaves colours of modest light as they are`(
        _ curve: HDRCurve, _ primaries: Primaries
    ) async throws {
        // In cd/m², of BT.709's primaries.
        let colors: [[Double]] = [[60, 40, 30], [20, 30, 45], [12, 25, 8], [50, 45, 12], [40, 15, 35]]
        let signals = colors.map { curve.signals(of: primaries.light(ofBT709: $0), luma: primaries.luma) }
        let clip = PatchClip(primaries: primaries.name, transfer: curve.rawValue, signals: signals)
        let expected = colors.map { $0.map { codeOfSRGB($0 / referenceWhite) } }
        let found = try await clip.still().barComponents(colors.count)
        #expect(greatestDifference(found, expected) <= 3, "\(found) for \(expected)")
    }

    @Test(arguments: HDRCurve.allCases)
    func `HDR shown as SDR stays neutral and rises with the source's brightness`(_ curve: HDRCurve) async throws {
        let found = try await PatchClip(transfer: curve.rawValue, signals: ramp.map(grey)).still().barComponents(64)
        #expect(found.allSatisfy { ($0.max() ?? 0) - ($0.min() ?? 0) <= 1 })
        let greens = found.map { $0[1] }
        #expect(greens == greens.sorted())
        #expect(greens.first == 0 && greens.last == 255)
    }

    @Test(arguments: HDRCurve.allCases)
    func `HDR shown as SDR keeps reference white bright and leaves room above it`(_ curve: HDRCurve) async throws {
        let lights = [referenceWhite, 400, 1000]
        let signals = lights.map { curve.signals(of: grey($0)) }
        let image = try await PatchClip(transfer: curve.rawValue, signals: signals).still()
        let greens = image.barComponents(3).map { $0[1] }
        #expect((215...250).contains(greens[0]))
        #expect(greens[0] < greens[1] && greens[1] < greens[2])
        #expect(greens[2] >= 250)
    }

    @Test func `HDR shown as SDR looks alike in both curves`() async throws {
        let lights = [2.0, 5, 20, 50, 100, 150, 203, 300, 500, 800, 1000].map(grey)
        var found: [[[Int]]] = []
        for curve in HDRCurve.allCases {
            let clip = PatchClip(transfer: curve.rawValue, signals: lights.map { curve.signals(of: $0) })
            found.append(try await clip.still().barComponents(lights.count))
        }
        #expect(greatestDifference(found[0], found[1].map { $0.map(Double.init) }) <= 3, "\(found)")
    }

    @Test(arguments: HDRCurve.allCases, [Primaries.bt2020, .displayP3])
    func `HDR shown as SDR keeps the hue of a saturated colour`(
        _ curve: HDRCurve, _ primaries: Primaries
    ) async throws {
        let kinds: [[Double]] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1]]
        for light in [20.0, 203, 700] {
            let signals = kinds.map { curve.signals(of: $0.map { $0 * light }, luma: primaries.luma) }
            let clip = PatchClip(primaries: primaries.name, transfer: curve.rawValue, signals: signals)
            let found = try await clip.still().barComponents(kinds.count)
            for (pixel, kind) in zip(found, kinds) {
                let lit = zip(pixel, kind).filter { $0.1 == 1 }.map(\.0)
                let dark = zip(pixel, kind).filter { $0.1 == 0 }.map(\.0)
                #expect((lit.min() ?? 0) > (dark.max() ?? 255) + 20, "\(light) cd/m² of \(kind): \(pixel)")
            }
        }
    }

    /// A code that runs over or under shows as a step.
    @Test(arguments: HDRCurve.allCases)
    func `HDR shown as SDR has no steps in saturated colours`(_ curve: HDRCurve) async throws {
        let kinds: [[Double]] = [
            [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 0.4, 0.1],
        ]
        for kind in kinds {
            let signals = (0..<100).map { step in kind.map { $0 * Double(step) / 99 } }
            let found = try await PatchClip(transfer: curve.rawValue, signals: signals).still().barComponents(100)
            let steps = zip(found, found.dropFirst()).map { zip($0, $1).map { abs($0 - $1) }.max() ?? 0 }
            #expect((steps.max() ?? 255) <= 14, "\(kind): \(steps)")
        }
    }

    /// With the content's brightest light at reference white there is nothing to roll off.
    @Test func `HDR shown as SDR is not darkened where it is no brighter than reference white`() async throws {
        let signals = [5.0, 26, 60, 100, 150, 180].map { HDRCurve.pq.signals(of: grey($0)) }
        let clip = PatchClip(
            codec: "-c:v libx265 -x265-params lossless=1:log-level=0:max-cll=203,100:hdr10=1", signals: signals)
        let expected = clip.storedSignals.map { grey(codeOfSRGB(HDRCurve.pq.light(ofGrey: $0[1]) / referenceWhite)) }
        let found = try await clip.still().barComponents(signals.count)
        #expect(greatestDifference(found, expected) <= 2, "\(found) for \(expected.map { $0[1] })")
    }
}

/// What a file is tagged with, and the colour space of its still.
private struct TagCase: Sendable, CustomTestStringConvertible {
    let primaries: String
    let transfer: String
    let space: String
    var testDescription: String { "\(primaries) \(transfer)" }

    init(_ primaries: String, _ transfer: String, _ space: String) {
        (self.primaries, self.transfer, self.space) = (primaries, transfer, space)
    }

    static let hdr = [
        TagCase("bt2020", "smpte2084", CGColorSpace.itur_2100_PQ),
        TagCase("bt2020", "arib-std-b67", CGColorSpace.itur_2100_HLG),
        TagCase("unknown", "smpte2084", CGColorSpace.itur_2100_PQ),
        TagCase("unknown", "arib-std-b67", CGColorSpace.itur_2100_HLG),
        TagCase("smpte432", "smpte2084", CGColorSpace.displayP3_PQ),
        TagCase("smpte432", "arib-std-b67", CGColorSpace.displayP3_HLG),
        TagCase("bt709", "smpte2084", CGColorSpace.itur_709_PQ),
        TagCase("bt709", "arib-std-b67", CGColorSpace.itur_709_HLG),
    ]

    static let sdr = [
        TagCase("smpte432", "bt709", CGColorSpace.displayP3), TagCase("smpte432", "unknown", CGColorSpace.displayP3),
        TagCase("bt2020", "bt2020-10", CGColorSpace.itur_2020_sRGBGamma), TagCase("bt709", "bt709", CGColorSpace.sRGB),
        TagCase("unknown", "unknown", CGColorSpace.sRGB), TagCase("smpte170m", "smpte170m", CGColorSpace.sRGB),
    ]
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `HDR kept as it is` {
    @Test(arguments: TagCase.hdr)
    fileprivate func `HDR kept as it is has 16 bits and the samples of the source`(_ c: TagCase) async throws {
        let clip = PatchClip(primaries: c.primaries, transfer: c.transfer, signals: Bars.colors)
        let image = try await clip.still { $0.dynamicRangePolicy = .matchSource }
        #expect(image.bitsPerComponent == 16)
        #expect(image.colorSpace?.name == c.space)
        let expected = clip.storedSignals.map { $0.map { $0 * 65535 } }
        let difference = greatestDifference(image.barComponents(Bars.colors.count), expected)
        #expect(difference <= 40)
    }

    @Test(
        arguments: [
            RawFormat(name: "yuv420p10le", depth: 10, chroma: (2, 2)),
            RawFormat(name: "yuv422p10le", depth: 10, chroma: (2, 1)),
            RawFormat(name: "yuv420p12le", depth: 12, chroma: (2, 2)), RawFormat(name: "yuv444p12le", depth: 12),
        ], [1, 4])
    func `HDR kept as it is has the source's samples in every pixel format, reduced too`(
        _ format: RawFormat, _ reduction: Int
    ) async throws {
        let clip = PatchClip(format: format, signals: Bars.colors)
        let image = try await clip.still {
            $0.dynamicRangePolicy = .matchSource
            $0.maximumSize = CGSize(width: Bars.width / reduction, height: 0)
        }
        #expect(image.size == [Bars.width / reduction, PatchClip.height / reduction])
        let expected = clip.storedSignals.map { $0.map { $0 * 65535 } }
        let difference = greatestDifference(image.barComponents(Bars.colors.count), expected)
        #expect(difference <= 40)
    }

    @Test(arguments: [ColorMatrix.bt2020nc, .bt709])
    func `HDR kept as it is has the source's samples in full range`(_ matrix: ColorMatrix) async throws {
        let clip = PatchClip(coding: ColorCoding(matrix: matrix, isFull: true), signals: Bars.colors)
        let image = try await clip.still { $0.dynamicRangePolicy = .matchSource }
        let expected = clip.storedSignals.map { $0.map { $0 * 65535 } }
        // One code of the source.
        let difference = greatestDifference(image.barComponents(Bars.colors.count), expected)
        #expect(difference <= 64)
    }

    @Test func `HDR kept as it is has its alpha`() async throws {
        let format = RawFormat(name: "yuva444p10le", depth: 10, components: 4)
        let alphas = [0, 256, 700, 1023]
        let folder = try TemporaryFolder()
        let coding = ColorCoding(matrix: .bt2020nc, isFull: false)
        let codes = alphas.map { coding.codes(of: [0.5, 0.4, 0.3], in: format) + [$0] }
        let tags = coding.filter + ":color_primaries=bt2020:color_trc=smpte2084"
        try await folder.encode(
            format.picture(codes, height: 32), format.name, width: 128, height: 32,
            ["-vf", tags, "-c:v", "ffv1", "a.mkv"])
        let generator = exactGenerator(of: folder.asset("a.mkv"))
        let plain = try await generator.image(at: .zero).image
        generator.dynamicRangePolicy = .matchSource
        let deep = try await generator.image(at: .zero).image
        #expect(plain.hasAlpha && deep.hasAlpha)
        let found = (plain.barComponents(4).map { $0[3] }, deep.barComponents(4).map { $0[3] })
        #expect(greatestDifference([found.0], [alphas.map { Double($0) / 1023 * 255 }]) <= 1, "\(found.0)")
        #expect(greatestDifference([found.1], [alphas.map { Double($0) / 1023 * 65535 }]) <= 64, "\(found.1)")
    }

    @Test(arguments: [AVAssetImageGenerator.DynamicRangePolicy.forceSDR, .matchSource])
    func `HDR in ICtCp is refused`(_ policy: AVAssetImageGenerator.DynamicRangePolicy) async throws {
        // The matrix of H.273 has no formula here: a wrong picture would be worse than none.
        let clip = PatchClip(signals: [grey(0.5)])
        let folder = try TemporaryFolder()
        let tags = "setparams=range=tv:colorspace=ictcp:color_primaries=bt2020:color_trc=smpte2084"
        try await folder.encode(
            clip.format.picture(clip.codes, height: 32), clip.format.name, width: 32, height: 32,
            ["-vf", tags, "-c:v", "ffv1", "a.mkv"])
        let generator = exactGenerator(of: folder.asset("a.mkv"))
        generator.dynamicRangePolicy = policy
        #expect(await (generator.failure(at: .zero) as? AVError)?.code == .operationNotSupportedForAsset)
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `SDR and its colour space` {
    @Test(arguments: TagCase.sdr, [AVAssetImageGenerator.DynamicRangePolicy.forceSDR, .matchSource])
    fileprivate func `SDR stills have 8 bits, the source's colour space and its samples`(
        _ c: TagCase, _ policy: AVAssetImageGenerator.DynamicRangePolicy
    ) async throws {
        let clip = PatchClip(
            coding: ColorCoding(matrix: .bt709, isFull: false), primaries: c.primaries, transfer: c.transfer,
            signals: Bars.colors)
        let image = try await clip.still { $0.dynamicRangePolicy = policy }
        #expect(image.bitsPerComponent == 8)
        #expect(image.colorSpace?.name == c.space)
        let expected = clip.storedSignals.map { $0.map { $0 * 255 } }
        #expect(greatestDifference(image.barComponents(Bars.colors.count), expected) <= 2)
    }
}
