internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaIO
internal import MediaImage

/// Lays tiles out on sheets and hands each sheet on when it is full.
///
/// One sheet is drawn while the one before is encoded; there are never more.
struct SheetWriter {
    private let plan: StoryboardPlan
    private let format: PreviewImageFormat
    private let quality: Int
    /// Gets the sheets as files, in order, counted from 0.
    private let write: (Int, Data) throws -> Void
    private var sheet: ImageCanvas?
    /// That of all tiles, since all are frames of one track.
    private var colorSpace: CGColorSpace?
    private var tileCount = 0
    private var encoding: Task<Data, any Error>?
    private(set) var byteCounts: [Int] = []

    init(
        _ plan: StoryboardPlan, format: PreviewImageFormat, quality: Int, write: @escaping (Int, Data) throws -> Void
    ) {
        self.plan = plan
        self.format = format
        self.quality = quality
        self.write = write
    }

    /// Draws the next tile.
    mutating func add(_ tile: CGImage) async throws {
        let position = tileCount % (plan.columns * plan.rows)
        if position == 0 {
            sheet = ImageCanvas(
                width: plan.columns * plan.tile.width, height: plan.rows * plan.tile.height, color: .black)
        }
        sheet?.draw(tile, x: position % plan.columns * plan.tile.width, y: position / plan.columns * plan.tile.height)
        colorSpace = tile.colorSpace
        tileCount += 1
        if position == plan.columns * plan.rows - 1 { try await encodeSheet() }
    }

    /// Encodes what is left and waits until all is written.
    mutating func finish() async throws {
        if tileCount % (plan.columns * plan.rows) != 0 { try await encodeSheet() }
        try await writeEncoded()
    }

    private mutating func encodeSheet() async throws {
        try await writeEncoded()
        guard let image = sheet?.image(colorSpace: colorSpace) else {
            throw AVError(.unknown, reason: "the sheet has no pixels")
        }
        sheet = nil
        encoding = Task.detached { [format, quality] in try format.data(of: image, quality: quality) }
    }

    private mutating func writeEncoded() async throws {
        guard let data = try await encoding?.value else { return }
        encoding = nil
        try write(byteCounts.count, data)
        byteCounts.append(data.count)
    }
}
