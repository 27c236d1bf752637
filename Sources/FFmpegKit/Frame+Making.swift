internal import CFFmpeg

/// Frames that no decoder made.
extension Frame {
    /// A black picture in video range, without a time.
    ///
    /// - Parameter pixelFormat: FFmpeg's name of the layout of samples.
    package static func black(width: Int, height: Int, pixelFormat: String) throws(FFmpegError) -> Frame {
        let format = av_get_pix_fmt(pixelFormat)
        let frame = try allocate(width: width, height: height, format: format)
        let lengths = withUnsafeBytes(of: frame.pointer.pointee.linesize) { lines in
            lines.assumingMemoryBound(to: Int32.self).prefix(4).map { Int($0) }
        }
        let code = withUnsafeMutableBytes(of: &frame.pointer.pointee.data) { planes in
            av_image_fill_black(
                planes.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self).baseAddress, lengths, format,
                AVCOL_RANGE_MPEG, Int32(clamping: width), Int32(clamping: height))
        }
        guard code >= 0 else {
            throw FFmpegError(
                kind: .other, operation: .filter, reason: "a black picture of \(pixelFormat) cannot be made")
        }
        return frame
    }

    /// Silence, without a time.
    package static func silence(samples count: Int, like format: FrameFormat.AudioFormat) throws(FFmpegError) -> Frame {
        let frame = Frame()
        frame.pointer.pointee.format = av_get_sample_fmt(format.sampleFormat).rawValue
        frame.pointer.pointee.sample_rate = Int32(clamping: format.sampleRate)
        frame.pointer.pointee.nb_samples = Int32(clamping: count)
        guard av_channel_layout_from_string(&frame.pointer.pointee.ch_layout, format.channelLayout) >= 0,
            av_frame_get_buffer(frame.pointer, 0) >= 0
        else {
            throw FFmpegError(kind: .limit, operation: .filter, reason: "not enough memory")
        }
        return try frame.silence(samples: count)
    }

    /// The sum of this frame of sound and another one as long, both of planes of 32-bit floating-point samples.
    package func adding(_ other: Frame) throws(FFmpegError) -> Frame {
        let sum = try silence(samples: sampleCount)
        let (count, channels) = (sampleCount, min(channels, other.channels))
        guard sampleFormat == "fltp", other.sampleFormat == "fltp", other.sampleCount == count,
            let mine = pointer.pointee.extended_data, let theirs = other.pointer.pointee.extended_data,
            let sums = sum.pointer.pointee.extended_data
        else { throw FFmpegError(kind: .other, operation: .filter, reason: "sounds of two kinds cannot be added") }
        for channel in 0..<channels {
            guard let first = mine[channel], let second = theirs[channel], let result = sums[channel] else { continue }
            first.withMemoryRebound(to: Float.self, capacity: count) { first in
                second.withMemoryRebound(to: Float.self, capacity: count) { second in
                    result.withMemoryRebound(to: Float.self, capacity: count) { result in
                        for index in 0..<count { result[index] = first[index] + second[index] }
                    }
                }
            }
        }
        return sum
    }
}

extension Frame {
    /// The samples of this frame of sound and then those of another one of the same format.
    package func followed(by other: Frame) throws(FFmpegError) -> Frame {
        let joined = try silence(samples: sampleCount + other.sampleCount)
        let format = AVSampleFormat(rawValue: pointer.pointee.format)
        let channels = pointer.pointee.ch_layout.nb_channels
        let first = av_samples_copy(
            joined.pointer.pointee.extended_data, pointer.pointee.extended_data, 0, 0, Int32(clamping: sampleCount),
            channels, format)
        let second = av_samples_copy(
            joined.pointer.pointee.extended_data, other.pointer.pointee.extended_data, Int32(clamping: sampleCount), 0,
            Int32(clamping: other.sampleCount), channels, format)
        guard first >= 0, second >= 0, other.pointer.pointee.format == pointer.pointee.format else {
            throw FFmpegError(kind: .other, operation: .filter, reason: "the samples cannot be copied")
        }
        return joined
    }
}
