package import FFmpegKit
internal import MediaAsset
package import MediaCore

/// What a layer shows from a time on.
package enum LayerItem: Sendable {
    case picture(Frame, Int64)
    case nothing(Int64)

    package var ticks: Int64 {
        switch self {
        case .picture(_, let ticks), .nothing(let ticks): ticks
        }
    }
}

/// Takes the pictures of a track for what draws them.
package struct LayerOutlet: PictureOutlet {
    package let channel: BoundedChannel<LayerItem>

    package func show(_ frame: Frame, at ticks: Int64) throws {
        _ = try channel.send(.picture(frame, ticks), bytes: frame.byteCount)
    }

    package func showNothing(at ticks: Int64) throws { _ = try channel.send(.nothing(ticks)) }

    package func end(at ticks: Int64) throws {
        _ = try channel.send(.nothing(ticks))
        channel.finish()
    }
}

/// The pictures of one layer in the order of time, of which one is there at a time.
package final class LayerFeed {
    package let layer: PictureCanvas.Layer
    private let channel: BoundedChannel<LayerItem>
    private var current: Frame?
    private var following: LayerItem?
    private var hasEnded = false
    private var pixels: PicturePixels?
    /// How many pictures there were: tells whether another one is shown.
    package private(set) var count = 0

    package init(_ layer: PictureCanvas.Layer, _ channel: BoundedChannel<LayerItem>) {
        (self.layer, self.channel) = (layer, channel)
    }

    /// When something else is shown; `nil` if that stays to the end.
    package func nextTicks() throws -> Int64? {
        if following == nil, !hasEnded {
            following = try channel.receive()
            hasEnded = following == nil
        }
        return following?.ticks
    }

    /// Goes on to what is shown at a time.
    package func advance(to ticks: Int64) throws {
        while let next = try nextTicks(), next <= ticks {
            if case .picture(let frame, _) = following { current = frame } else { current = nil }
            (following, pixels) = (nil, nil)
            count += 1
        }
    }

    /// Takes no more pictures, so that nobody waits to hand them over.
    package func close() { channel.close() }

    /// What is shown; `nil` for nothing.
    package func picture() throws -> PicturePixels? {
        guard let current else { return nil }
        if let pixels { return pixels }
        pixels = PicturePixels(
            try current.components(), width: current.width, height: current.height, hasAlpha: layer.hasAlpha)
        return pixels
    }
}
