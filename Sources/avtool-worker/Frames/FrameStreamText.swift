internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A picture as another program reads it from a pipe.
struct FrameStreamText {
    /// What goes before the first picture; `nil` for all others.
    var header: [UInt8]?
    let bytes: [UInt8]

    /// - Parameter first: The first picture, if this is not it: all have to be like it.
    init(_ frame: PackedFrame, _ format: FrameStreamFormat, after first: PackedFrame?) throws {
        if let first, format != .png {
            guard frame.width == first.width, frame.height == first.height, frame.pixelFormat == first.pixelFormat
            else {
                throw Failure(
                    .operationNotSupportedForAsset,
                    "at \(frame.time.secondsText()) s pictures become \(frame.width)x\(frame.height) \(frame.pixelFormat), "
                        + "which \(format.rawValue) cannot say; --size and --pixel-format keep them alike")
            }
        }
        switch format {
        case .raw: bytes = frame.bytes
        case .png: bytes = try Self.png(frame)
        case .y4m:
            if first == nil { header = Array(try Self.header(frame).utf8) }
            bytes = Array("FRAME\n".utf8) + frame.bytes
        }
    }

    /// Source: yuv4mpeg(5) of MJPEG tools, with FFmpeg's names for deep samples.
    private static func header(_ frame: PackedFrame) throws -> String {
        let names = [
            "yuv420p": "420mpeg2", "yuv422p": "422", "yuv444p": "444", "gray": "mono",
            "yuv420p10le": "420p10", "yuv422p10le": "422p10", "yuv444p10le": "444p10",
        ]
        let samples = frame.pixelFormat.replacingOccurrences(of: "yuvj", with: "yuv")
        guard var name = names[samples], let rate = frame.frameRate else {
            throw Failure(
                .operationNotSupportedForAsset,
                "y4m has no name for pictures of \(frame.pixelFormat); give --pixel-format yuv420p or the like")
        }
        let deep = frame.pixelFormat.hasSuffix("10le") ? " XYSCSS=\(name.uppercased())" : ""
        let (across, down) = frame.sampleAspect
        if frame.isFullRange, name == "420mpeg2" { name = "420jpeg" }
        let fields = frame.isInterlaced ? (frame.isTopFieldFirst ? "t" : "b") : "p"
        return
            "YUV4MPEG2 W\(frame.width) H\(frame.height) F\(rate.0):\(rate.1) I\(fields) A\(across):\(down) C\(name)\(deep)"
            + " XCOLORRANGE=\(frame.isFullRange ? "FULL" : "LIMITED")\n"
    }

    private static func png(_ frame: PackedFrame) throws -> [UInt8] {
        let isDeep = frame.pixelFormat == FrameSampleFormat.rgb48le.rawValue
        guard
            let image = CGImage(
                width: frame.width, height: frame.height,
                hasAlpha: frame.pixelFormat == FrameSampleFormat.rgba.rawValue,
                pixels: frame.bytes, bitsPerComponent: isDeep ? 16 : 8)
        else { throw Failure(.operationNotSupportedForAsset, "pictures of \(frame.pixelFormat) cannot be made PNG") }
        return [UInt8](try image.pngData())
    }
}
