internal import ArgumentParser
internal import OpenAVFoundation

/// Which part of pictures is shown, and how large.
struct StillShapeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Fit into this box, aspect kept, never enlarged; 0 leaves a side free. Several times for several files of each still.",
            valueName: "WxH"))
    var size: [StillSize] = []

    @Option(
        help: """
            contain: inside of the box. cover: exactly the box, the middle of the picture. pad: exactly the box, with \
            bars. The last two enlarge small pictures.
            """)
    var fit = StillFit.contain

    @Option(
        help: ArgumentHelp(
            "Show only this part, in pixels of the upright picture of full size; auto leaves black bars out.",
            valueName: "WxH+X+Y"))
    var crop: StillCrop?

    @Option(
        help: ArgumentHelp(
            "The colour of bars, and of what shows through clear parts: #rrggbb, white or black. If not given, black, and clear parts stay clear in PNG, WebP and AVIF.",
            valueName: "color"))
    var background: SheetColor?

    func validate() throws {
        guard fit != .contain else { return }
        guard !size.isEmpty, size.allSatisfy({ $0.width > 0 && $0.height > 0 }) else {
            throw ValidationError("--fit \(fit.rawValue) needs --size with a width and a height.")
        }
    }

    /// Sets up a generator of stills.
    ///
    /// - Returns: The part that is shown, if not all of the picture is.
    func apply(to generator: AVAssetImageGenerator) async throws -> PixelRect? {
        generator.sizes = size.map { PixelSize(width: $0.width, height: $0.height) }
        generator.fit = fit.fit
        if let background { generator.backgroundColor = background.color }
        switch crop {
        case .auto: generator.cropRect = try await generator.contentRect()
        case .part(let part): generator.cropRect = part
        case nil: generator.cropRect = nil
        }
        return generator.cropRect
    }
}

extension AVAsset {
    /// What is to be said where pictures are to be clear in parts and come out opaque.
    func loadAlphaWarning() async throws -> String? {
        guard try await loadDescription().videoTrack?.video?.hasUndecodedAlpha == true else { return nil }
        return "the alpha of HEVC cannot be decoded; the pictures are opaque"
    }
}

/// How pictures are brought into a box.
enum StillFit: String, ExpressibleByArgument, CaseIterable {
    case contain, cover, pad

    var fit: AVAssetImageGenerator.Fit {
        switch self {
        case .contain: .contain
        case .cover: .cover
        case .pad: .pad
        }
    }
}

/// The part of pictures that is shown.
enum StillCrop: ExpressibleByArgument {
    /// What is inside of black bars.
    case auto
    case part(PixelRect)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
            return
        }
        let numbers = argument.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "+" }
        let signs = argument.filter { !("0"..."9").contains($0) }
        let values = numbers.compactMap { Int($0) }
        guard signs == "x++", values.count == 4, values.allSatisfy({ $0 <= 1_000_000 }), values[0] > 0, values[1] > 0
        else { return nil }
        self = .part(PixelRect(x: values[2], y: values[3], width: values[0], height: values[1]))
    }
}

/// A part of pictures as JSON has it.
struct JSONCrop: Encodable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int

    init(_ part: PixelRect) { (x, y, width, height) = (part.x, part.y, part.width, part.height) }
}
