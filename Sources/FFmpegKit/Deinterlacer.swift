internal import CLibAV

/// Makes whole pictures of frames that hold two fields of different moments.
///
/// The lines of the second field are drawn anew from those of the first along
/// edges (FFmpeg's `estdif`), so the picture shows one moment, the earlier one.
/// No other frame is needed.
package final class Deinterlacer {
    private struct Key: Equatable {
        var width: Int32, height: Int32, format: Int32
    }

    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    private var key: Key?

    package init() {}

    deinit { avfilter_graph_free(&graph) }

    /// The frame with its first field only, at full height; the frame itself
    /// where its format cannot be treated.
    package func deinterlaced(_ frame: Frame, topFieldFirst: Bool) throws(FFmpegError) -> Frame {
        let picture = frame.pointer.pointee
        // A graph that has ended takes no more frames, and one that has not holds the last one back.
        try prepare(Key(width: picture.width, height: picture.height, format: frame.formatWithoutRange.rawValue))
        let input = Frame()
        guard av_frame_ref(input.pointer, frame.pointer) >= 0 else { throw Self.failure("not enough memory") }
        input.pointer.pointee.format = frame.formatWithoutRange.rawValue
        oav_frame_set_fields(input.pointer, 1, topFieldFirst ? 1 : 0)
        // estdif writes about the middle one of three frames.
        for time in Int64(0)..<3 {
            input.pointer.pointee.pts = time
            let flags = Int32(AV_BUFFERSRC_FLAG_KEEP_REF)
            guard av_buffersrc_add_frame_flags(source, input.pointer, flags) >= 0 else {
                throw Self.failure("the picture cannot be deinterlaced")
            }
        }
        let output = Frame()
        guard av_buffersink_get_frame(sink, output.pointer) >= 0 else {
            throw Self.failure("the picture cannot be deinterlaced")
        }
        avfilter_graph_free(&graph)
        return try described(output, like: frame)
    }

    /// The new picture with the tags of the old one.
    private func described(_ output: Frame, like frame: Frame) throws(FFmpegError) -> Frame {
        let (format, from) = (frame.pointer.pointee.format, frame.pointer)
        guard av_frame_copy_props(output.pointer, from) >= 0 else { throw Self.failure("not enough memory") }
        output.pointer.pointee.format = format
        return output
    }

    private func prepare(_ wanted: Key) throws(FFmpegError) {
        avfilter_graph_free(&graph)
        graph = avfilter_graph_alloc()
        guard let graph, let buffer = avfilter_get_by_name("buffer"), let filter = avfilter_get_by_name("estdif"),
            let buffersink = avfilter_get_by_name("buffersink")
        else { throw Self.failure("this FFmpeg has no deinterlacer (estdif)") }
        graph.pointee.nb_threads = 1
        let size = "video_size=\(wanted.width)x\(wanted.height):pix_fmt=\(wanted.format)"
        var deinterlace: UnsafeMutablePointer<AVFilterContext>?
        guard avfilter_graph_create_filter(&source, buffer, "in", "\(size):time_base=1/1", nil, graph) >= 0,
            avfilter_graph_create_filter(
                &deinterlace, filter, "deinterlace", "mode=frame:parity=auto:deint=all", nil, graph) >= 0,
            avfilter_graph_create_filter(&sink, buffersink, "out", nil, nil, graph) >= 0,
            avfilter_link(source, 0, deinterlace, 0) >= 0, avfilter_link(deinterlace, 0, sink, 0) >= 0,
            avfilter_graph_config(graph, nil) >= 0
        else { throw Self.failure("pictures of this format cannot be deinterlaced") }
    }

    private static func failure(_ reason: String) -> FFmpegError {
        FFmpegError(kind: .other, operation: "render", reason: reason)
    }
}

extension Frame {
    /// Whether the top field is the earlier one.
    package var isTopFieldFirst: Bool { oav_frame_top_field_first(pointer) != 0 }

    /// Whether lines of the two fields stand apart: the comb that motion leaves
    /// in an interlaced picture.
    ///
    /// Many progressive films are coded as interlaced; their pictures show no
    /// comb and need no treatment. A luma sample counts as combed if it is far
    /// from both its vertical neighbours on the same side while these agree.
    package var isCombed: Bool {
        guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: pointer.pointee.format)),
            !hasFormatFlag(AV_PIX_FMT_FLAG_RGB), !hasFormatFlag(AV_PIX_FMT_FLAG_BE),
            hasFormatFlag(AV_PIX_FMT_FLAG_PLANAR), height > 4,
            let data = pointer.pointee.dataPlane(0)
        else { return false }
        let depth = Int(descriptor.pointee.comp.0.depth)
        let stride = pointer.pointee.stride(ofPlane: 0)
        return depth > 8
            ? isCombed(threshold: 12 << (depth - 8)) { row, column in
                Int(UnsafeRawPointer(data + row * stride).load(fromByteOffset: column * 2, as: UInt16.self))
            } : isCombed(threshold: 12) { row, column in Int((data + row * stride)[column]) }
    }

    private func isCombed(threshold: Int, sample: (_ row: Int, _ column: Int) -> Int) -> Bool {
        var combed = 0
        for row in 2..<(height - 2) {
            for column in Swift.stride(from: row & 1, to: width, by: 2) {
                let here = sample(row, column)
                let (above, below) = (sample(row - 1, column), sample(row + 1, column))
                let (up, down) = (here - above, here - below)
                guard up * down > threshold * threshold, abs(above - below) < threshold else { continue }
                // A thin line stands alone; a comb goes on in the lines beyond.
                if abs(here - sample(row - 2, column)) < threshold, abs(here - sample(row + 2, column)) < threshold {
                    combed += 1
                }
            }
        }
        return combed * 1000 > width * height / 2
    }
}
