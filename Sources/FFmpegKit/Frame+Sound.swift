internal import CFFmpeg

/// Parts of frames of sound, and silence.
extension Frame {
    /// How many bytes the samples or pixels take up in memory.
    package var byteCount: Int {
        withUnsafeBytes(of: pointer.pointee.buf) { buffers in
            buffers.assumingMemoryBound(to: UnsafeMutablePointer<AVBufferRef>?.self)
                .reduce(0) { $0 + Int($1?.pointee.size ?? 0) }
        }
    }

    /// The channels that there are by WAVE's bits, in whose order samples lie; `nil` for channels of unknown meaning.
    package var channelMask: UInt64? {
        let layout = pointer.pointee.ch_layout
        return layout.order == AV_CHANNEL_ORDER_NATIVE && layout.u.mask != 0 ? layout.u.mask : nil
    }

    /// Lends the samples: one plane for each channel where they lie apart, one plane otherwise.
    ///
    /// - Parameter body: The planes last as long as the call.
    package func withSamples<Result>(_ body: ([UnsafeRawBufferPointer]) throws -> Result) rethrows -> Result {
        let format = AVSampleFormat(rawValue: pointer.pointee.format)
        let isPlanar = av_sample_fmt_is_planar(format) != 0
        let (planes, width) = isPlanar ? (channels, 1) : (1, channels)
        let bytes = sampleCount * width * Int(av_get_bytes_per_sample(format))
        return try body(
            (0..<planes).map {
                UnsafeRawBufferPointer(start: pointer.pointee.extended_data?[$0], count: max(0, bytes))
            })
    }

    /// Silence in the format of this frame of sound, without a time.
    package func silence(samples count: Int) throws(FFmpegError) -> Frame {
        let frame = try sound(samples: count)
        let code = av_samples_set_silence(
            frame.pointer.pointee.extended_data, 0, Int32(clamping: count), frame.pointer.pointee.ch_layout.nb_channels,
            AVSampleFormat(rawValue: frame.pointer.pointee.format))
        guard code >= 0 else {
            throw FFmpegError(kind: .other, operation: .filter, reason: "silence cannot be made")
        }
        return frame
    }

    /// A part of this frame of sound, without a time.
    package func part(of samples: Range<Int>) throws(FFmpegError) -> Frame {
        let wanted = samples.clamped(to: 0..<sampleCount)
        if wanted == 0..<sampleCount { return self }
        let frame = try sound(samples: wanted.count)
        let code = av_samples_copy(
            frame.pointer.pointee.extended_data, pointer.pointee.extended_data, 0, Int32(clamping: wanted.lowerBound),
            Int32(clamping: wanted.count), pointer.pointee.ch_layout.nb_channels,
            AVSampleFormat(rawValue: pointer.pointee.format))
        guard code >= 0 else {
            throw FFmpegError(kind: .other, operation: .filter, reason: "the samples cannot be copied")
        }
        return frame
    }

    private func sound(samples count: Int) throws(FFmpegError) -> Frame {
        let frame = Frame()
        frame.pointer.pointee.format = pointer.pointee.format
        frame.pointer.pointee.sample_rate = pointer.pointee.sample_rate
        frame.pointer.pointee.nb_samples = Int32(clamping: count)
        guard av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &pointer.pointee.ch_layout) >= 0,
            av_frame_get_buffer(frame.pointer, 0) >= 0
        else {
            throw FFmpegError(kind: .limit, operation: .filter, reason: "not enough memory")
        }
        return frame
    }
}
