internal import ArgumentParser
internal import Foundation
internal import MediaPreviews
internal import OpenAVFoundation

/// Which moments a sheet shows.
struct SheetTimes: ParsableArguments {
    @Option(help: ArgumentHelp("Stills in a row.", valueName: "n"))
    var columns = 4

    @Option(help: ArgumentHelp("Rows of stills, spread evenly; 4 if not given.", valueName: "n"))
    var rows: Int?

    @Option(
        help: ArgumentHelp("So many stills, spread evenly: each in the middle of its share.", valueName: "n"))
    var count: Int?

    @Option(parsing: .unconditional, help: .timeList("Stills at these times"))
    var at: String?

    @Flag(help: "One still for each chapter's start, with the chapter's title.")
    var chapters = false

    @OptionGroup var part: PartOptions

    @OptionGroup var scenes: SceneStillOptions
    @OptionGroup var representation: RepresentativeOptions

    func validate() throws {
        guard (1...1000).contains(columns) else { throw ValidationError("--columns takes 1 to 1000.") }
        if let rows, !(1...1000).contains(rows) { throw ValidationError("--rows takes 1 to 1000.") }
        if let count, !(1...100_000).contains(count) { throw ValidationError("--count takes 1 to 100000.") }
        guard [rows != nil, count != nil, at != nil, chapters, scenes.scenes].count(where: { $0 }) <= 1 else {
            throw ValidationError("Give one of --rows, --count, --at, --chapters and --scenes.")
        }
        try part.validate(withTimes: at)
        do {
            if let at { _ = try TimeExpression.parseList(at) }
        } catch {
            throw ValidationError(error.description)
        }
    }

    func apply(to settings: inout ContactSheet.Settings) throws {
        settings.columns = columns
        settings.rows = rows ?? settings.rows
        settings.count = count
        settings.representativeWindow = try representation.wantedWindow()
    }

    /// What decides which moments are shown, as it was asked for.
    var texts: [String] {
        [
            at ?? "", chapters ? "chapters" : "", part.from ?? "", part.to ?? "",
            scenes.scenes ? "scenes \(scenes.sceneMethod?.rawValue ?? "")" : "",
        ]
    }

    func moments(of asset: AVURLAsset) async throws -> ContactSheet.Moments {
        if chapters { return .chapters }
        if scenes.scenes {
            let range = try await part.range(of: asset)
            let middles = try await scenes.find(in: asset, file: asset.url.path).middles
            return .times(middles.filter { range?.containsTime($0) ?? true })
        }
        guard let at else { return .even }
        return .times(try await asset.loadTimes(at).map { try $0.place.get() })
    }
}

/// How a sheet looks.
struct SheetLooks: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Width of the whole sheet in pixels, 1440 if not given; less where stills would have to be enlarged.",
            valueName: "n"))
    var width: Int?

    @Option(
        help: ArgumentHelp(
            "Make each still fit into this box, never enlarged; 0 leaves a side free.", valueName: "WxH"))
    var tile: StillSize?

    @Option(help: ArgumentHelp("Pixels around everything.", valueName: "n"))
    var margin: Int?

    @Option(help: ArgumentHelp("Pixels between stills.", valueName: "n"))
    var gap: Int?

    @Option(
        help: ArgumentHelp(
            "The colour behind everything: #rrggbb, white or black. Text is black or white.", valueName: "color"))
    var background: SheetColor?

    @Option(help: "Where times stand: under, on (the stills) or none.")
    var labels: SheetLabelPlace?

    @Flag(help: "No times; the same as --labels none.")
    var noLabels = false

    @OptionGroup var timeline: TimelineOptions

    @Flag(help: "No lines about the file above the stills.")
    var noHeader = false

    func validate() throws {
        guard width == nil || tile == nil else { throw ValidationError("Give one of --width and --tile.") }
        guard !noLabels || labels == nil || labels == SheetLabelPlace.none else {
            throw ValidationError("Give one of --labels and --no-labels.")
        }
        if let width, !(64...65535).contains(width) { throw ValidationError("--width takes 64 to 65535.") }
        if let tile, [tile.width, tile.height].contains(where: { (1..<8).contains($0) }) {
            throw ValidationError("--tile takes sides of 8 to 65535.")
        }
        for (name, value) in [("--margin", margin), ("--gap", gap)] {
            if let value, !(0...4096).contains(value) { throw ValidationError("\(name) takes 0 to 4096.") }
        }
    }

    var settings: ContactSheet.Settings {
        var settings = ContactSheet.Settings()
        if let width { settings.scale = .sheetWidth(width) }
        if let tile {
            settings.scale = .tile(
                width: tile.width == 0 ? 65535 : tile.width, height: tile.height == 0 ? 65535 : tile.height)
        }
        settings.margin = margin
        settings.gap = gap
        if let background { settings.background = background.color }
        settings.labels = noLabels ? .none : labels?.labels ?? settings.labels
        settings.timeline = timeline.timeline ?? .asset
        settings.showsHeader = !noHeader
        return settings
    }
}

/// Where sheets go.
struct SheetFiles: ParsableArguments {
    @Option(help: "png, jpeg, webp or avif; if not given, what the name given with -o ends in, or png.")
    var format: PreviewImageFormat?

    @Option(help: ArgumentHelp("Quality of JPEG, WebP and AVIF from 1 to 100.", valueName: "n"))
    var quality = 90

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Name of the sheet, with {name} and {ext} for several; a folder; or - for standard output.",
            valueName: "file"))
    var output: String?

    @Flag(help: "Leave films alone whose sheet is there, made in the same way of the film as it is; replace others.")
    var ifNewer = false

    @Flag(help: "Replace existing files.")
    var force = false

    func validate() throws {
        guard (1...100).contains(quality) else { throw ValidationError("--quality takes 1 to 100.") }
        guard !ifNewer || !OutputPlace.isStandardOutput(output ?? "") else {
            throw ValidationError("--if-newer needs a file, not -o -.")
        }
        guard !ifNewer || !force else { throw ValidationError("Give one of --if-newer and --force.") }
    }
}

/// The colour behind everything.
struct SheetColor: ExpressibleByArgument {
    let color: RGBColor

    init?(argument: String) {
        guard let color = RGBColor(argument) else { return nil }
        self.color = color
    }
}

/// Where times stand on a sheet.
enum SheetLabelPlace: String, ExpressibleByArgument, CaseIterable {
    case under, on, none

    var labels: ContactSheet.Labels {
        switch self {
        case .under: .under
        case .on: .on
        case .none: .none
        }
    }
}
