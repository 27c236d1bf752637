internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore

/// Composes pictures of those of layers, and makes of them what the encoder expects, on a thread of its own.
final class CanvasStage: Stage {
    private let canvas: PictureCanvas
    private let feeds: [CMPersistentTrackID: LayerFeed]
    private let timeBase: TimeBase
    private let output: BoundedChannel<EncodeStage.Item>
    private let graph: FilterGraph
    private let cancellation: Cancellation
    private var components: [UInt16] = []
    private var last: (key: DrawingKey, frame: Frame)?

    /// What a composed picture depends on.
    private struct DrawingKey: Equatable {
        struct Layer: Equatable {
            var trackID: CMPersistentTrackID
            var picture: Int
            var placement: LayerPlacement
        }

        var background: CanvasColor
        var layers: [Layer]
    }

    /// - Parameter filters: What makes of composed pictures what the encoder expects.
    init(
        _ canvas: PictureCanvas, _ feeds: sending [LayerFeed], filters: @escaping FilterChoice,
        timeBase: TimeBase, output: BoundedChannel<EncodeStage.Item>, cancellation: Cancellation
    ) {
        (self.canvas, self.timeBase, self.output, self.cancellation) = (canvas, timeBase, output, cancellation)
        self.feeds = Dictionary(feeds.map { ($0.layer.trackID, $0) }) { first, _ in first }
        var configuration = FilterGraph.Configuration(timeBase: timeBase, filters: filters)
        configuration.threads = 1
        graph = FilterGraph(configuration)
    }

    func run() throws {
        defer { for feed in feeds.values { feed.close() } }
        let end = timeBase.ticks(nearest: canvas.duration)
        switch canvas.timing {
        case .every(let step): try runEvenly(step, upTo: end)
        case .asTrack(let trackID, _): try runAsTrack(trackID, upTo: end)
        }
        _ = try output.send(.end(end))
        output.finish()
    }

    private func runEvenly(_ step: CMTime, upTo end: Int64) throws {
        for number in 0...Int32.max {
            let time = CMTimeMultiply(step, multiplier: number)
            let ticks = timeBase.ticks(nearest: time)
            guard time.isNumeric, ticks < end else { return }
            try draw(at: ticks)
        }
    }

    private func runAsTrack(_ trackID: CMPersistentTrackID, upTo end: Int64) throws {
        try draw(at: 0)
        guard let feed = feeds[trackID] else { return }
        while let ticks = try feed.nextTicks(), ticks < end { try draw(at: max(0, ticks)) }
    }

    // MARK: Drawing

    private func draw(at ticks: Int64) throws {
        // Tracks that are not drawn go on too, so that nothing waits for them.
        for feed in feeds.values { try feed.advance(to: ticks) }
        let time = canvas.start + timeBase.time(of: ticks)
        let instruction = canvas.composition.instruction(at: time)
        if let compositor = canvas.compositor, let instruction {
            components = try compositor.compose(at: time, instruction, pictures(for: instruction)) {
                cancellation.isCancelled
            }
            let frame = try frame()
            _ = try output.send(.frame(frame, ticks), bytes: frame.byteCount)
            return
        }
        let content = (instruction as? AVVideoCompositionInstruction)?.configuration
        var key = DrawingKey(background: background(content), layers: [])
        var layers: [PictureLayer] = []
        for layer in content?.layerInstructions ?? [] {
            let layer = layer.configuration
            guard let feed = feeds[layer.trackID], let pixels = try feed.picture() else { continue }
            let placement = layer.placement(at: time)
            key.layers.append(.init(trackID: layer.trackID, picture: feed.count, placement: placement))
            layers.append(PictureLayer(pixels, size: feed.layer.size, placement))
        }
        let frame = try last.flatMap { $0.key == key ? $0.frame : nil } ?? composed(layers, on: key.background)
        last = (key, frame)
        _ = try output.send(.frame(frame, ticks), bytes: frame.byteCount)
    }

    /// What the tracks show that an instruction needs.
    private func pictures(
        for instruction: any AVVideoCompositionInstructionProtocol
    ) throws -> [CMPersistentTrackID: PicturePixels] {
        let needed = instruction.neededTrackIDs
        return try feeds.filter { needed?.contains($0.key) ?? true }.compactMapValues { try $0.picture() }
    }

    private func background(_ instruction: AVVideoCompositionInstruction.Configuration?) -> CanvasColor {
        let color = CanvasColor(instruction?.backgroundColor)
        return canvas.keepsAlpha ? color : color.opaque
    }

    private func composed(_ layers: [PictureLayer], on background: CanvasColor) throws -> Frame {
        guard
            let compositor = PictureCompositor(
                width: canvas.width, height: canvas.height, background: background, threads: ProcessorShare.count)
        else {
            throw FFmpegError(
                kind: .limit, operation: .filter,
                reason: "pictures of \(canvas.width)x\(canvas.height) cannot be composed")
        }
        compositor.compose(layers, into: &components)
        return try frame()
    }

    /// What is on the canvas, as the encoder expects it.
    private func frame() throws -> Frame {
        if canvas.keepsAlpha { components.divideByAlpha() }
        try graph.push(
            Frame.picture(width: canvas.width, height: canvas.height, components: components), atTicks: 0)
        guard case .frame(let frame) = try graph.pull() else {
            throw FFmpegError(kind: .other, operation: .filter, reason: "the filters gave no picture")
        }
        return frame
    }
}

/// What the pictures of a track are composed of: layers, drawn as a video composition says.
struct PictureCanvas: Sendable {
    /// The pictures of one track of the asset.
    struct Layer: Sendable {
        let trackID: CMPersistentTrackID
        /// The pieces that the track consists of, whose pictures are of ``Frame/componentFormat``.
        let reel: Reel
        /// The size that its pictures are shown in before the layer's transform.
        let size: CGSize
        /// Whether pictures may be seen through.
        let hasAlpha: Bool
    }

    /// When pictures are composed.
    enum Timing: Sendable {
        /// Each so long after the one before it.
        case every(CMTime)
        /// When a track has another picture.
        case asTrack(CMPersistentTrackID, limit: FrameRateLimit?)
    }

    let composition: AVVideoComposition.Configuration
    /// What composes pictures in place of layer instructions, if a client has something.
    let compositor: CustomCompositor?
    let layers: [Layer]
    let timing: Timing
    /// In pixels.
    let width: Int
    let height: Int
    /// Where on the composition's timeline the new file begins.
    let start: CMTime
    /// How long the new file lasts.
    let duration: CMTime
    /// Whether what is seen through stays so.
    let keepsAlpha: Bool
}

/// What a layer shows from a time on.
enum LayerItem: Sendable {
    case picture(Frame, Int64)
    case nothing(Int64)

    var ticks: Int64 {
        switch self {
        case .picture(_, let ticks), .nothing(let ticks): ticks
        }
    }
}

/// Takes the pictures of a track for what draws them.
struct LayerOutlet: PictureOutlet {
    let channel: BoundedChannel<LayerItem>

    func show(_ frame: Frame, at ticks: Int64) throws {
        _ = try channel.send(.picture(frame, ticks), bytes: frame.byteCount)
    }

    func showNothing(at ticks: Int64) throws { _ = try channel.send(.nothing(ticks)) }

    func end(at ticks: Int64) throws {
        _ = try channel.send(.nothing(ticks))
        channel.finish()
    }
}

/// The pictures of one layer in the order of time, of which one is there at a time.
final class LayerFeed {
    let layer: PictureCanvas.Layer
    private let channel: BoundedChannel<LayerItem>
    private var current: Frame?
    private var following: LayerItem?
    private var hasEnded = false
    private var pixels: PicturePixels?
    /// How many pictures there were: tells whether another one is shown.
    private(set) var count = 0

    init(_ layer: PictureCanvas.Layer, _ channel: BoundedChannel<LayerItem>) {
        (self.layer, self.channel) = (layer, channel)
    }

    /// When something else is shown; `nil` if that stays to the end.
    func nextTicks() throws -> Int64? {
        if following == nil, !hasEnded {
            following = try channel.receive()
            hasEnded = following == nil
        }
        return following?.ticks
    }

    /// Goes on to what is shown at a time.
    func advance(to ticks: Int64) throws {
        while let next = try nextTicks(), next <= ticks {
            if case .picture(let frame, _) = following { current = frame } else { current = nil }
            (following, pixels) = (nil, nil)
            count += 1
        }
    }

    /// Takes no more pictures, so that nobody waits to hand them over.
    func close() { channel.close() }

    /// What is shown; `nil` for nothing.
    func picture() throws -> PicturePixels? {
        guard let current else { return nil }
        if let pixels { return pixels }
        pixels = PicturePixels(
            try current.components(), width: current.width, height: current.height, hasAlpha: layer.hasAlpha)
        return pixels
    }
}
