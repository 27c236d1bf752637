internal import CFFmpeg

/// Where a muxer's bytes go.
package protocol MuxerSink: AnyObject {
    /// Whether bytes before the end may be written again, as most containers
    /// want to do with their headers.
    var isSeekable: Bool { get }

    /// Takes bytes for a position: usually the end, sometimes before it or beyond it.
    ///
    /// What it throws is what the muxer's call throws. It is not called again
    /// afterwards.
    func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws
}

/// The sink as C sees it, and the error that it threw.
final class SinkBox {
    private let sink: any MuxerSink
    private(set) var error: (any Error)?

    init(_ sink: any MuxerSink) { self.sink = sink }

    /// Gives a format context this sink for its output.
    ///
    /// The context has to be done with it before the box goes.
    func attach(to context: UnsafeMutablePointer<AVFormatContext>) -> Int32 {
        let opaque = Unmanaged.passUnretained(self).toOpaque()
        let write: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int32, Int64) -> Int32 = {
            opaque, bytes, count, position in
            guard let opaque, let bytes, count >= 0, position >= 0 else { return oav_error_posix(EINVAL) }
            let box = Unmanaged<SinkBox>.fromOpaque(opaque).takeUnretainedValue()
            return box.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: UInt64(position))
        }
        return oav_output_attach(context, opaque, write, sink.isSeekable ? 1 : 0)
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) -> Int32 {
        guard error == nil else { return oav_error_posix(EIO) }
        do {
            try sink.write(bytes, at: position)
            return 0
        } catch {
            self.error = error
            return oav_error_posix(EIO)
        }
    }
}
