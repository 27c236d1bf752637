internal import FFmpegKit
internal import MediaContainers
internal import MediaIO
internal import MetadataFormats

/// What a file was put together of, as far as its container lets whole files stand behind each other.
struct FileParts: Sendable {
    private var wholeness: UnitWholeness?
    private var joined: JoinedParts?
    private var tagged: RandomAccessFile?

    /// - Parameters:
    ///   - demuxer: Of the file; nothing is read from it.
    ///   - open: Another demuxer of it.
    /// - Complexity: Some MiB of a transport stream; two passes over a file that was put together.
    init(of file: RandomAccessFile, _ demuxer: Demuxer, open: () throws -> Demuxer) throws {
        switch demuxer.container {
        case .mpegTransportStream: try findRecordings(in: file, demuxer, open: open)
        case .ogg:
            let starts = OggFormat.linkStarts(in: file).compactMap { Int64(exactly: $0) }
            joined = starts.isEmpty ? nil : try JoinedParts(startingAt: starts, in: open())
        case .mp3: tagged = file
        default: break
        }
    }

    private mutating func findRecordings(
        in file: RandomAccessFile, _ demuxer: Demuxer, open: () throws -> Demuxer
    ) throws {
        let identifiers = demuxer.mediaIdentifiers
        guard let stream = TransportStreamFile(file), let first = identifiers.first else { return }
        var seams: [Int64]?
        if TransportStreamJoins.mayJump(in: stream, of: first) {
            let interrupt = demuxer.interrupt
            let joins = TransportStreamJoins(in: stream, of: identifiers) { interrupt.state != .none }
            try interrupt.check(.open)
            seams = joins.starts.map(\.position)
            if !joins.isContinuous { joined = try JoinedParts(joins, in: open()) }
        }
        wholeness = UnitWholeness(stream, of: identifiers, seams: seams)
    }

    /// Has a demuxer that nothing was read from yet go by it.
    func apply(to demuxer: Demuxer) {
        (demuxer.wholeness, demuxer.joinedParts, demuxer.taggedFile) = (wholeness, joined, tagged)
    }
}
