package import FFmpegKit
internal import MediaContainers
internal import MediaIO
internal import MediaMetadata
internal import MetadataFormats

/// What is waited for of a pipe before libavformat reads it.
struct PipeHeader {
    let spool: PipeSpool
    let limits: MediaLimits

    /// Waits until all that says how much a film asks for has come: a movie's header, a tag at the beginning.
    ///
    /// A demuxer would wait for that too, and more.
    func wait(_ interrupt: Interrupt) throws {
        guard !spool.isComplete else { return }
        do {
            var position: UInt64 = 0
            while let length = FileMetadata.lengthOfTag(try bytes(at: position, count: 16, interrupt)) {
                position += length
                try wait(for: position, interrupt)
            }
            while let box = Self.box(try bytes(at: position, count: 16, interrupt)) {
                let (end, isBeyond) = position.addingReportingOverflow(box.size)
                guard !isBeyond else { return }
                if box.type == "moov" { return try wait(for: end, interrupt) }
                position = end
            }
        } catch let error as PipeError {
            throw FFmpegError(error, operation: .open)
        }
    }

    /// Waits for bytes; time in which some come does not count.
    private func wait(for count: UInt64, _ interrupt: Interrupt) throws {
        defer { interrupt.setDeadline(after: nil) }
        var wanted: UInt64 = 0
        while wanted < count, !spool.isComplete {
            wanted = min(count, wanted + 1 << 18)
            interrupt.setDeadline(after: limits.openTime)
            do {
                try spool.fill(upTo: wanted) { interrupt.state != .none }
            } catch {
                // The deadline goes when this returns, and with it what it says.
                try interrupt.check(.open)
                throw error
            }
        }
    }

    private func bytes(at position: UInt64, count: Int, _ interrupt: Interrupt) throws -> [UInt8] {
        try wait(for: position + UInt64(count), interrupt)
        return spool.contents?.read(at: position, count: count) ?? []
    }

    /// The type and size of a box of a movie's top level; `nil` for what is none, or reaches to the end.
    private static func box(_ head: [UInt8]) -> (type: FourCC, size: UInt64)? {
        guard let type = head.fourCC(at: 4), let size = head.bigEndian32(at: 0),
            head[4..<8].allSatisfy({ 0x20..<0x7F ~= $0 })
        else { return nil }
        let length = size == 1 ? head.bigEndian64(at: 8) ?? 0 : UInt64(size)
        return length >= 8 ? (type, length) : nil
    }
}

extension AssetSource {
    /// That the file is cut short, and why a stream that was read to its end is known not to be whole; `nil` if nothing
    /// tells that.
    package func truncation(ofStream index: Int, readBy demuxer: Demuxer) -> String? {
        let reason =
            demuxer.truncation(ofStream: index)
            ?? file.flatMap { SourceTail($0, container: demuxer.container).truncation }
        return reason.map(Demuxer.cutShort)
    }
}
