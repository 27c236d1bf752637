internal import CFFmpeg

/// Changes coded samples without decoding them: `mpeg4_unpack_bframes`, `hevc_metadata`.
///
/// What a container needs for its own sake, such as start codes or lengths
/// before NAL units, its muxer does by itself.
package final class BitstreamFilter {
    private let context: UnsafeMutablePointer<AVBSFContext>
    private let log = LogCapture()

    package enum Output {
        case packet(Packet)
        case needsPacket
        case end
    }

    private init(adopting context: UnsafeMutablePointer<AVBSFContext>) { self.context = context }

    deinit {
        var owned: UnsafeMutablePointer<AVBSFContext>? = context
        av_bsf_free(&owned)
    }

    /// Makes a filter for the packets of a stream.
    ///
    /// - Parameter description: Names and options in FFmpeg's syntax, `a=x=1,b`.
    package static func open(
        _ description: String, stream index: Int, of demuxer: Demuxer
    ) throws(FFmpegError) -> BitstreamFilter {
        guard let stream = demuxer.avStream(index) else {
            throw FFmpegError(kind: .other, operation: .filter, reason: "there is no stream \(index)")
        }
        var raw: UnsafeMutablePointer<AVBSFContext>?
        let log = LogCapture()
        let code = log.capturing { av_bsf_list_parse_str(description, &raw) }
        guard code >= 0, let raw else {
            throw FFmpegError(code: code, operation: .filter, interrupt: nil, logLine: log.lastError)
        }
        let filter = BitstreamFilter(adopting: raw)
        try filter.log.check(.filter, avcodec_parameters_copy(raw.pointee.par_in, stream.pointee.codecpar))
        raw.pointee.time_base_in = stream.pointee.time_base
        try filter.log.check(.filter) { av_bsf_init(raw) }
        return filter
    }

    /// What comes out, as far as its codec is concerned.
    var parameters: UnsafePointer<AVCodecParameters> { UnsafePointer(context.pointee.par_out) }

    /// The ticks of what comes out.
    package var timeBase: TimeBase { TimeBase(context.pointee.time_base_out) }

    /// Sends a packet, after everything was received; `nil` ends the stream.
    package func send(_ packet: Packet?) throws(FFmpegError) {
        log.clear()
        let copy = try packet?.sharingData()
        try log.check(.filter) { av_bsf_send_packet(context, copy?.pointer) }
    }

    package func receive() throws(FFmpegError) -> Output {
        let packet = Packet()
        let code = log.capturing { av_bsf_receive_packet(context, packet.pointer) }
        switch code {
        case oav_error_posix(EAGAIN): return .needsPacket
        case oav_error_eof: return .end
        default: try log.check(.filter, code)
        }
        return .packet(packet)
    }
}
