package import MediaCore
package import MediaIO

/// What a track of a muxed movie has to say that no muxer writes.
package struct MovieTrackDetails: Sendable {
    /// How it is described, in place of what the muxer wrote; `nil` leaves that.
    package var description: DataTrackDescription?
    /// How it refers to other tracks, by their numbers.
    package var references: [TrackReference] = []
    /// When the movie ends, from where on nothing of it is shown; `nil` for with its last sample.
    package var end: CMTime?
    /// The number of the group of tracks of which one is to be played, 0 for none; `nil` leaves that of the muxer.
    package var alternateGroup: UInt16?

    /// A track that says nothing more.
    package init() {}

    /// Whether there is nothing to say.
    package var isEmpty: Bool { description == nil && references.isEmpty && end == nil && alternateGroup == nil }

    /// Has the track refer to another one.
    package mutating func addReference(to track: UInt32, as type: FourCC) {
        guard let index = references.firstIndex(where: { $0.type == type }) else {
            return references.append(TrackReference(type: type, tracks: [track]))
        }
        if !references[index].tracks.contains(track) { references[index].tracks.append(track) }
    }

    /// The movie whose tracks say all this.
    ///
    /// - Parameters:
    ///   - media: A movie whose movie box comes last.
    ///   - details: By the tracks' numbers.
    package static func rewrite(
        _ media: RandomAccessFile, details: [UInt32: MovieTrackDetails]
    ) throws(MovieError) -> FileRewrite {
        let file = MovieFile(media)
        let reader = file.reader
        guard let movie = file.movie, movie.range.upperBound == media.byteCount,
            case let boxes = reader.boxes(in: movie.content), var header = MovieHeader(in: boxes, reader),
            let headerBox = boxes.first(where: { $0.type == MovieHeader.type })
        else { throw MovieError(.damaged, "there is no movie box at the end") }
        var edits = BoxEdits()
        var duration: UInt64 = 0
        for box in boxes where box.type == "trak" {
            guard let track = MovieTrack(box, reader) else { continue }
            var change = TrackChange(track: track, movieTimescale: header.timescale)
            if let own = details[track.id] { change.apply(own, isQuickTime: file.isQuickTime) }
            change.makeEdits(&edits, reader)
            duration = max(duration, change.header.duration ?? 0)
        }
        if duration != header.duration, details.values.contains(where: { $0.end != nil }) {
            header.duration = duration
            edits.replace(headerBox, with: [.bytes(header.box)])
        }
        guard !edits.isEmpty else { return FileRewrite(segments: [.source(0..<media.byteCount)]) }
        return FileRewrite(segments: [.source(0..<movie.start)] + edits.result(for: movie, reader: reader))
    }
}

/// A track as it will be.
private struct TrackChange {
    let track: MovieTrack
    let movieTimescale: UInt32
    var header: TrackHeader
    var editList: [EditList.Segment]
    /// New boxes for those that are there.
    var replacements: [(box: Box, bytes: [UInt8])] = []
    var references: [TrackReference] = []
    /// `nil` for as it is.
    var handler: FourCC?

    init(track: MovieTrack, movieTimescale: UInt32) {
        (self.track, self.movieTimescale, header, editList) = (track, movieTimescale, track.header, track.edits)
    }

    mutating func apply(_ details: MovieTrackDetails, isQuickTime: Bool) {
        if let description = details.description { describe(description, isQuickTime: isQuickTime) }
        if let group = details.alternateGroup { header.alternateGroup = group }
        if let end = details.end { cut(at: end) }
        references = details.references
    }

    private mutating func describe(_ description: DataTrackDescription, isQuickTime: Bool) {
        let entry = description.entry
        if let table = track.tableBoxes.first(where: { $0.type == "stsd" }) {
            replacements.append((table, .box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + .box(entry.type, entry.content))))
        }
        if let box = track.informationBoxes.first(where: { MovieTrack.otherMediaHeaders.contains($0.type) }) {
            let usual = Self.mediaHeader(isQuickTime: isQuickTime)
            replacements.append((box, description.mediaHeader.isEmpty ? usual : description.mediaHeader))
        }
        handler = description.handler
    }

    /// Ends what is shown at a time of the movie.
    private mutating func cut(at end: CMTime) {
        guard let scale = Int32(exactly: movieTimescale), scale > 0, end > .zero,
            let ticks = UInt64(
                exactly: CMTimeConvertScale(end, timescale: scale, method: .roundHalfAwayFromZero).value),
            let duration = header.duration, duration > ticks
        else { return }
        if editList.isEmpty { editList = [EditList.Segment(duration: duration, mediaTime: 0)] }
        var (kept, position): ([EditList.Segment], UInt64) = ([], 0)
        for segment in editList where position < ticks {
            var segment = segment
            segment.duration = min(segment.duration, ticks - position)
            position += segment.duration
            kept.append(segment)
        }
        (editList, header.duration) = (kept, position)
    }

    /// Copying with dithering, grey as the colour of the operation, sound in the middle: as players expect it of media
    /// that are neither seen nor heard.
    private static let graphicsFields: [UInt8] = [0, 0, 0, 0, 0, 0x40, 0x80, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0]

    private static func mediaHeader(isQuickTime: Bool) -> [UInt8] {
        isQuickTime ? .box("gmhd", [UInt8].box("gmin", graphicsFields)) : .box("nmhd", [0, 0, 0, 0])
    }

    func makeEdits(_ edits: inout BoxEdits, _ reader: BoxReader) {
        if let handler, let box = track.mediaBoxes.first(where: { $0.type == "hdlr" }) {
            edits.change(box, reader) { $0.set(bigEndian: handler.rawValue, at: 8) }
        }
        for (box, bytes) in replacements { edits.replace(box, with: [.bytes(bytes)]) }
        if header != track.header, let box = track.children.first(where: { $0.type == TrackHeader.type }) {
            edits.replace(box, with: [.bytes(header.box)])
        }
        let media = track.children.first { $0.type == "mdia" }
        if editList != track.edits {
            put(EditList(editList).box, replacing: "edts", before: media, &edits)
        }
        guard !references.isEmpty else { return }
        let bytes = references.flatMap(\.box)
        if let old = track.children.first(where: { $0.type == "tref" }) {
            edits.append([.bytes(bytes)], to: old)
        } else if let media {
            edits.insert([.bytes(.box("tref", bytes))], into: track.box, at: media.start)
        }
    }

    private func put(_ bytes: [UInt8], replacing type: FourCC, before next: Box?, _ edits: inout BoxEdits) {
        if let old = track.children.first(where: { $0.type == type }) {
            edits.replace(old, with: [.bytes(bytes)])
        } else if let next {
            edits.insert([.bytes(bytes)], into: track.box, at: next.start)
        }
    }
}
