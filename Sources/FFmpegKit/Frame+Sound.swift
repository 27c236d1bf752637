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

/// Sound that is made louder or quieter.
extension Frame {
    /// The samples multiplied by a gain each, which is the same for all channels; what does not fit is clipped.
    ///
    /// - Parameter gains: As many as there are samples.
    package func amplified(by gains: [Float]) throws(FFmpegError) -> Frame {
        let result = try silence(samples: sampleCount)
        let format = AVSampleFormat(rawValue: pointer.pointee.format)
        let isPlanar = av_sample_fmt_is_planar(format) != 0
        guard gains.count == sampleCount, let source = pointer.pointee.extended_data,
            let target = result.pointer.pointee.extended_data
        else { throw FFmpegError(kind: .other, operation: .filter, reason: "the sound has no samples") }
        let (planes, step) = isPlanar ? (channels, 1) : (1, channels)
        for plane in 0..<planes {
            guard let input = source[plane], let output = target[plane] else { continue }
            let span = (UnsafeRawPointer(input), UnsafeMutableRawPointer(output), step)
            switch av_get_packed_sample_fmt(format) {
            case AV_SAMPLE_FMT_FLT: Self.multiply(span, gains, Float.self) { $0 * $1 }
            case AV_SAMPLE_FMT_DBL: Self.multiply(span, gains, Double.self) { $0 * Double($1) }
            case AV_SAMPLE_FMT_S16:
                Self.multiply(span, gains, Int16.self) { Int16(max(-32768, min(32767, (Float($0) * $1).rounded()))) }
            case AV_SAMPLE_FMT_S32:
                Self.multiply(span, gains, Int32.self) { Int32(clamping: Int64((Double($0) * Double($1)).rounded())) }
            default:
                throw FFmpegError(
                    kind: .other, operation: .filter, reason: "sound of \(sampleFormat) cannot be made louder")
            }
        }
        return result
    }

    private static func multiply<Sample: BitwiseCopyable>(
        _ span: (source: UnsafeRawPointer, target: UnsafeMutableRawPointer, step: Int), _ gains: [Float],
        _ type: Sample.Type, _ product: (Sample, Float) -> Sample
    ) {
        let source = span.source.assumingMemoryBound(to: Sample.self)
        let target = span.target.assumingMemoryBound(to: Sample.self)
        for (index, gain) in gains.enumerated() {
            for sample in (index * span.step)..<((index + 1) * span.step) {
                target[sample] = product(source[sample], gain)
            }
        }
    }

    /// What filters have found out about the frame, by FFmpeg's keys.
    package func note(_ key: String) -> String? {
        av_dict_get(pointer.pointee.metadata, key, nil, 0).map { String(cString: $0.pointee.value) }
    }

    /// The largest of the samples of all channels at each time, of 1.
    package var peaks: [Float] {
        var peaks = [Float](repeating: 0, count: sampleCount)
        let format = AVSampleFormat(rawValue: pointer.pointee.format)
        let isPlanar = av_sample_fmt_is_planar(format) != 0
        guard let data = pointer.pointee.extended_data else { return peaks }
        let (planes, step) = isPlanar ? (channels, 1) : (1, channels)
        for plane in 0..<planes {
            guard let bytes = data[plane] else { continue }
            let source = (UnsafeRawPointer(bytes), step)
            switch av_get_packed_sample_fmt(format) {
            case AV_SAMPLE_FMT_FLT: Self.measure(source, &peaks, Float.self) { $0 }
            case AV_SAMPLE_FMT_DBL: Self.measure(source, &peaks, Double.self) { Float($0) }
            case AV_SAMPLE_FMT_S16: Self.measure(source, &peaks, Int16.self) { Float($0) / 32768 }
            case AV_SAMPLE_FMT_S32: Self.measure(source, &peaks, Int32.self) { Float($0) / 2_147_483_648 }
            default: break
            }
        }
        return peaks
    }

    private static func measure<Sample: BitwiseCopyable>(
        _ source: (bytes: UnsafeRawPointer, step: Int), _ peaks: inout [Float], _ type: Sample.Type,
        _ value: (Sample) -> Float
    ) {
        let samples = source.bytes.assumingMemoryBound(to: Sample.self)
        for index in peaks.indices {
            for sample in (index * source.step)..<((index + 1) * source.step) {
                peaks[index] = max(peaks[index], abs(value(samples[sample])))
            }
        }
    }
}
