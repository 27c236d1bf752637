internal import CFFmpeg

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
