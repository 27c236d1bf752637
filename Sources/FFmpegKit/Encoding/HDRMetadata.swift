internal import CFFmpeg
internal import MediaCore

/// The light of HDR content and of the display that it was graded on
/// (SMPTE ST 2086, CTA-861.3).
package struct HDRMetadata: Sendable, Equatable {
    package struct Chromaticity: Sendable, Equatable {
        package var x: Double
        package var y: Double
        package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    }

    package struct MasteringDisplay: Sendable, Equatable {
        var red: Chromaticity
        var green: Chromaticity
        var blue: Chromaticity
        var white: Chromaticity
        /// In cd/m².
        var minimumLuminance: Double
        var maximumLuminance: Double

        package init(
            red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity, minimumLuminance: Double,
            maximumLuminance: Double
        ) {
            (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
            (self.minimumLuminance, self.maximumLuminance) = (minimumLuminance, maximumLuminance)
        }
    }

    package struct ContentLight: Sendable, Equatable {
        /// The brightest pixel in cd/m².
        var maximum: Int
        /// The brightest average of a picture in cd/m².
        var maximumAverage: Int

        package init(maximum: Int, maximumAverage: Int) {
            (self.maximum, self.maximumAverage) = (maximum, maximumAverage)
        }
    }

    package var masteringDisplay: MasteringDisplay?
    package var contentLight: ContentLight?

    package init() {}
    package var isEmpty: Bool { masteringDisplay == nil && contentLight == nil }
}

extension HDRMetadata {
    init(masteringDisplay: UnsafeRawBufferPointer?, contentLight: UnsafeRawBufferPointer?) {
        self.masteringDisplay = masteringDisplay.flatMap { MasteringDisplay($0) }
        if let contentLight, contentLight.count >= MemoryLayout<AVContentLightMetadata>.size {
            let light = contentLight.loadUnaligned(as: AVContentLightMetadata.self)
            self.contentLight = ContentLight(
                maximum: Int(min(light.MaxCLL, 65535)), maximumAverage: Int(min(light.MaxFALL, 65535)))
        }
    }

    /// The same for a stream that is to be written.
    var sideData: [SideData] {
        var result: [SideData] = []
        if let masteringDisplay {
            var value = masteringDisplay.avMetadata
            result.append(SideData(kind: .masteringDisplay, bytes: withUnsafeBytes(of: &value) { Array($0) }))
        }
        if let contentLight {
            var value = AVContentLightMetadata(
                MaxCLL: UInt32(clamping: contentLight.maximum), MaxFALL: UInt32(clamping: contentLight.maximumAverage))
            result.append(SideData(kind: .contentLight, bytes: withUnsafeBytes(of: &value) { Array($0) }))
        }
        return result
    }
}

extension StreamTraits {
    /// The light of the stream's content, as its container tells it.
    package var hdr: HDRMetadata {
        get {
            func bytes(_ kind: SideData.Kind) -> [UInt8]? { sideData.first { $0.kind == kind }?.bytes }
            var result = HDRMetadata()
            bytes(.masteringDisplay)?.withUnsafeBytes {
                result.masteringDisplay = HDRMetadata(masteringDisplay: $0, contentLight: nil).masteringDisplay
            }
            bytes(.contentLight)?.withUnsafeBytes {
                result.contentLight = HDRMetadata(masteringDisplay: nil, contentLight: $0).contentLight
            }
            return result
        }
        set {
            sideData.removeAll { $0.kind == .masteringDisplay || $0.kind == .contentLight }
            sideData += newValue.sideData
        }
    }
}

extension Frame {
    /// The light of the content, as the stream itself tells it.
    package var hdr: HDRMetadata {
        func bytes(_ type: AVFrameSideDataType) -> UnsafeRawBufferPointer? {
            av_frame_get_side_data(pointer, type).map {
                UnsafeRawBufferPointer(start: $0.pointee.data, count: Int($0.pointee.size))
            }
        }
        return HDRMetadata(
            masteringDisplay: bytes(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA),
            contentLight: bytes(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL))
    }
}

extension HDRMetadata.MasteringDisplay {
    /// `nil` unless both the primaries and the luminance are there and make sense.
    fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= MemoryLayout<AVMasteringDisplayMetadata>.size else { return nil }
        let metadata = bytes.loadUnaligned(as: AVMasteringDisplayMetadata.self)
        guard metadata.has_primaries != 0, metadata.has_luminance != 0 else { return nil }
        func value(_ ratio: AVRational) -> Double? { Ratio(positive: ratio)?.value }
        func point(_ pair: (AVRational, AVRational)) -> HDRMetadata.Chromaticity? {
            guard let x = value(pair.0), let y = value(pair.1), x <= 1, y <= 1 else { return nil }
            return .init(x: x, y: y)
        }
        let primaries = metadata.display_primaries
        guard let red = point(primaries.0), let green = point(primaries.1), let blue = point(primaries.2),
            let white = point(metadata.white_point), let maximum = value(metadata.max_luminance), maximum <= 10_000_000
        else { return nil }
        self.init(
            red: red, green: green, blue: blue, white: white, minimumLuminance: value(metadata.min_luminance) ?? 0,
            maximumLuminance: maximum)
    }

    fileprivate var avMetadata: AVMasteringDisplayMetadata {
        func chromaticity(_ value: Double) -> AVRational { AVRational(num: Int32(value * 50000 + 0.5), den: 50000) }
        func point(_ point: HDRMetadata.Chromaticity) -> (AVRational, AVRational) {
            (chromaticity(point.x), chromaticity(point.y))
        }
        func luminance(_ value: Double) -> AVRational {
            AVRational(num: Int32(clamping: Int64(value * 10000 + 0.5)), den: 10000)
        }
        var metadata = AVMasteringDisplayMetadata()
        metadata.display_primaries = (point(red), point(green), point(blue))
        metadata.white_point = point(white)
        (metadata.min_luminance, metadata.max_luminance) = (luminance(minimumLuminance), luminance(maximumLuminance))
        (metadata.has_primaries, metadata.has_luminance) = (1, 1)
        return metadata
    }

    /// In 50000ths and 10000ths, as x264 and x265 take it.
    var integerText: String {
        func point(_ point: HDRMetadata.Chromaticity) -> String {
            "(\(Int(point.x * 50000 + 0.5)),\(Int(point.y * 50000 + 0.5)))"
        }
        return "G\(point(green))B\(point(blue))R\(point(red))WP\(point(white))"
            + "L(\(Int(maximumLuminance * 10000 + 0.5)),\(Int(minimumLuminance * 10000 + 0.5)))"
    }

    /// In fractions and cd/m², as SVT-AV1 takes it.
    var decimalText: String {
        func point(_ point: HDRMetadata.Chromaticity) -> String { "(\(text(point.x)),\(text(point.y)))" }
        func text(_ value: Double) -> String {
            Int(value * 100_000 + 0.5).fixedPointText(decimals: 5)
        }
        return "G\(point(green))B\(point(blue))R\(point(red))WP\(point(white))"
            + "L(\(text(maximumLuminance)),\(text(minimumLuminance)))"
    }
}
