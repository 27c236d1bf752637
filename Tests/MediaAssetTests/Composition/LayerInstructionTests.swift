import Foundation
import MediaAsset
import MediaCore
import Testing

@Suite struct `Layer instructions` {
    @Test func `Layer instructions have no ramps until something is set`() {
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: video(3))
        #expect(layer.trackID == 3)
        #expect(AVMutableVideoCompositionLayerInstruction().trackID == kCMPersistentTrackID_Invalid)
        #expect(!layer.getOpacityRamp(for: .zero, startOpacity: nil, endOpacity: nil, timeRange: nil))
        #expect(layer.transformRamp(at: .zero) == nil)
        #expect(
            layer.configuration.placement(at: t(4))
                == LayerPlacement(transform: .identity, opacity: 1, cropRectangle: .infinite))
    }

    @Test func `Layer instructions give their ramps by pointers and as values`() {
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: video(1))
        let moved = CGAffineTransform(translationX: 100, y: 50)
        layer.setTransform(.init(scaleX: 2, y: 2), at: .zero)
        layer.setTransformRamp(fromStart: .identity, toEnd: moved, timeRange: range(2, 6))
        layer.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0, timeRange: range(4, 5))
        layer.setCropRectangleRamp(
            fromStartCropRectangle: CGRect(x: 0, y: 0, width: 10, height: 10),
            toEndCropRectangle: CGRect(x: 4, y: 4, width: 2, height: 2), timeRange: range(0, 2))

        var (start, end) = (CGAffineTransform.identity, CGAffineTransform.identity)
        var found = CMTimeRange.invalid
        #expect(layer.getTransformRamp(for: t(1), start: &start, end: &end, timeRange: &found))
        #expect(start.a == 2 && end.a == 2 && found == range(0, 2))
        #expect(layer.getTransformRamp(for: t(3), start: &start, end: &end, timeRange: &found))
        #expect(start == .identity && end == moved && found == range(2, 6))
        #expect(!layer.getTransformRamp(for: t(6), start: &start, end: &end, timeRange: &found))
        #expect(found == range(2, 6))

        var opacities: (Float, Float) = (9, 9)
        #expect(layer.getOpacityRamp(for: .zero, startOpacity: &opacities.0, endOpacity: &opacities.1, timeRange: nil))
        #expect(opacities == (1, 0))
        #expect(
            layer.opacityRamp(at: t(4))
                == AVVideoCompositionLayerInstruction.OpacityRamp(timeRange: range(4, 5), start: 1, end: 0))

        var crops = (CGRect.zero, CGRect.zero)
        #expect(
            layer.getCropRectangleRamp(
                for: t(1), startCropRectangle: &crops.0, endCropRectangle: &crops.1, timeRange: &found))
        #expect(crops.0.width == 10 && crops.1.width == 2 && found == range(0, 2))
        #expect(layer.cropRectangleRamp(at: t(2)) == nil)

        let placement = layer.configuration.placement(at: t(4))
        #expect(placement.transform == CGAffineTransform(translationX: 50, y: 25))
        #expect(placement.cropRectangle == CGRect(x: 4, y: 4, width: 2, height: 2))
        #expect(layer.configuration.placement(at: t(9, 2)).opacity == 0.5)
    }

    @Test func `Opacities of layer instructions are clamped`() {
        var configuration = AVVideoCompositionLayerInstruction.Configuration(trackID: 1)
        configuration.setOpacity(5, at: .zero)
        configuration.setOpacity(-5, at: t(1))
        configuration.setOpacity(.nan, at: t(2))
        #expect(configuration.placement(at: .zero).opacity == 1)
        #expect(configuration.placement(at: t(1)).opacity == 0)
        #expect(configuration.placement(at: t(2)).opacity == 0)
    }

    @Test func `Copies of layer instructions do not follow later changes`() throws {
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: video(1))
        layer.setOpacity(0.5, at: .zero)
        let copy = try #require(layer.copy() as? AVVideoCompositionLayerInstruction)
        let mutable = try #require(layer.mutableCopy() as? AVMutableVideoCompositionLayerInstruction)
        layer.setOpacity(0.25, at: .zero)
        layer.trackID = 9
        mutable.setOpacity(0.75, at: .zero)
        #expect(!(copy is AVMutableVideoCompositionLayerInstruction))
        #expect(copy.trackID == 1 && copy.opacityRamp(at: .zero)?.start == 0.5)
        #expect(mutable.trackID == 1 && mutable.opacityRamp(at: .zero)?.start == 0.75)
        #expect(layer.opacityRamp(at: .zero)?.start == 0.25)
    }
}
