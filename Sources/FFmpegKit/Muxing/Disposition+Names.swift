internal import CLibAV

extension Disposition {
    /// FFmpeg's names of what the stream is for, in no order: `forced`, `hearing_impaired`.
    package var names: Set<String> {
        Set(
            (0..<31).compactMap { bit in
                rawValue & (1 << bit) == 0 ? nil : av_disposition_to_string(1 << bit).map { String(cString: $0) }
            })
    }
}
