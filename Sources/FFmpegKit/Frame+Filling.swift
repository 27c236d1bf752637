internal import CFFmpeg
package import MediaCore

/// Frames that are filled from memory of somebody else.
extension Frame {
    /// A picture, without a time.
    ///
    /// - Parameters:
    ///   - pixelFormat: FFmpeg's name of the layout of samples.
    ///   - sampleAspectRatio: Width to height of a pixel; `nil` for unknown.
    ///   - fill: Given the planes to fill, whose rows have room for more than the picture's samples.
    package static func picture(
        width: Int, height: Int, pixelFormat: String, color: ColorInfo, sampleAspectRatio: Ratio?,
        fill: ([PlaneConverter.Plane]) -> Void
    ) throws(FFmpegError) -> Frame {
        let frame = try allocate(width: width, height: height, format: av_get_pix_fmt(pixelFormat))
        let tags = try color.tags()
        frame.pointer.pointee.color_primaries = tags.primaries
        frame.pointer.pointee.color_trc = tags.transfer
        frame.pointer.pointee.colorspace = tags.matrix
        frame.pointer.pointee.color_range = tags.range
        frame.pointer.pointee.chroma_location = tags.location
        frame.pointer.pointee.sample_aspect_ratio = AVRational(sampleAspectRatio ?? Ratio(1, 1))
        fill((0..<4).compactMap { frame.plane($0) })
        return frame
    }

    /// Sound, without a time.
    ///
    /// - Parameter fill: Given the planes to fill: one for each channel where samples lie apart, one plane otherwise.
    package static func sound(
        samples count: Int, like format: FrameFormat.AudioFormat, fill: ([UnsafeMutableRawBufferPointer]) -> Void
    ) throws(FFmpegError) -> Frame {
        let frame = try silence(samples: count, like: format)
        frame.withSamples { planes in fill(planes.map { UnsafeMutableRawBufferPointer(mutating: $0) }) }
        return frame
    }
}
