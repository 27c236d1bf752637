internal import CFFmpeg

extension Frame {
    /// All planes one after the other, without anything between rows.
    package func packedBytes() throws(FFmpegError) -> [UInt8] {
        let format = AVPixelFormat(rawValue: pointer.pointee.format)
        let size = av_image_get_buffer_size(format, pointer.pointee.width, pointer.pointee.height, 1)
        guard size > 0 else {
            throw FFmpegError(kind: .other, operation: .render, reason: "pictures of \(pixelFormat) cannot be packed")
        }
        let planes = (0..<4).map { pointer.pointee.dataPlane($0).map { UnsafePointer($0) } }
        let strides = (0..<4).map { Int32(pointer.pointee.stride(ofPlane: $0)) }
        let (width, height) = (pointer.pointee.width, pointer.pointee.height)
        return [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            let written = av_image_copy_to_buffer(
                buffer.baseAddress, size, planes, strides, format, width, height, 1)
            count = Int(max(0, written))
        }
    }
}
