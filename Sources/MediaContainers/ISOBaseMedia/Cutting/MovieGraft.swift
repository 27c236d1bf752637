package import MediaCore
package import MediaIO

/// Tracks of a movie that go into a new one beside tracks that were encoded or muxed anew.
///
/// They are those that only a movie can hold, and no muxer writes: timecode,
/// timed metadata, captions. They are cut to the range by their sample tables.
package struct MovieGraft {
    private let trim: MovieTrim
    private let range: CMTimeRange?
    /// The tracks to take along.
    let tracks: Set<UInt32>
    private let madeAnew: [UInt32: UInt32]

    /// Describes tracks to take along.
    ///
    /// - Parameters:
    ///   - tracks: The tracks, by the source's numbers.
    ///   - trim: The source.
    ///   - range: What the new movie shows of the source; `nil` for all.
    ///   - madeAnew: The new numbers of the source's tracks that the new movie has already.
    package init(
        _ tracks: Set<UInt32>, of trim: MovieTrim, range: CMTimeRange?, madeAnew: [UInt32: UInt32]
    ) {
        self.trim = trim
        self.range = range
        self.madeAnew = madeAnew
        self.tracks = tracks.filter { id in trim.tracks.contains { $0.id == id } && madeAnew[id] == nil }
    }

    /// The tracks of a movie that have samples and are no pictures, sound or subtitles.
    package static func candidates(of trim: MovieTrim) -> Set<UInt32> {
        let others: Set<FourCC> = ["vide", "soun", "text", "sbtl", "subt", "subp", "hint"]
        return Set(trim.tracks.filter { !others.contains($0.handler) && $0.sampleCount > 0 }.map(\.id))
    }

    /// What a movie gets by the tracks.
    package struct Addition {
        /// The box with their samples, of parts of the source; it goes where the movie box began.
        package let samples: FileRewrite
        /// The new movie box, which comes after it.
        package let movieBox: [UInt8]
        /// Where the movie box began.
        package let start: UInt64
    }

    /// The file that the tracks are parts of.
    package var file: RandomAccessFile { trim.source.file }

    /// What a movie gets by the tracks, and which of them it does not get.
    ///
    /// - Parameter media: A movie whose movie box comes last.
    package func addition(to media: RandomAccessFile) -> (addition: Addition?, losses: [MovieLoss]) {
        guard !tracks.isEmpty else { return (nil, []) }
        let target: MovieSource
        do {
            target = try MovieSource(file: media)
        } catch {
            return (nil, tracks.sorted().map { Self.loss(of: $0, error.reason) })
        }
        var losses: [MovieLoss] = []
        guard let movie = target.movieFile.boxes.last, movie.type == "moov", movie.range.upperBound == media.byteCount,
            let plan = plan(for: target, &losses)
        else { return (nil, losses) }
        let extended = ExtendedMovie(
            target: target, boxes: plan.assembly.trackBoxes(mediaBoxAt: movie.start), references: references(target),
            nextTrackID: newIDs(in: target).values.max().map { $0 &+ 1 } ?? 0,
            duration: UInt64(max(0, plan.tracks.map(\.presentedRange.end.value).max() ?? 0)))
        let addition = Addition(
            samples: FileRewrite(segments: plan.assembly.mediaBox), movieBox: extended.movieBox, start: movie.start)
        return (addition, losses + plan.losses)
    }

    private static func loss(of track: UInt32, _ reason: String) -> MovieLoss {
        MovieLoss(item: "track \(track)", reason: reason)
    }

    // MARK: Planning

    /// The cut, without the tracks that cannot be cut or held.
    private func plan(for target: MovieSource, _ losses: inout [MovieLoss]) -> MovieTrimPlan? {
        let brand: MovieBrand = target.movieFile.isQuickTime ? .quickTime : .mp4
        let reasons = trim.reasonsNotToHold(in: brand)
        var keeping = tracks.filter { reasons[$0] == nil }
        losses += tracks.sorted().compactMap { id in reasons[id].map { Self.loss(of: id, $0) } }
        var options = MovieTrimOptions()
        options.targetBrand = brand == .quickTime || trim.brand == .quickTime ? brand : nil
        options.movieTimescale = target.timescale
        options.isForTracks = true
        options.trackIDs = newIDs(in: target)
        while !keeping.isEmpty {
            do throws(MovieError) {
                var planner = try MovieTrimPlanner(
                    trim, range: try cut(to: target), keeping: keeping, options: options)
                return try planner.plan()
            } catch {
                let failing = error.trackID.flatMap { keeping.contains($0) ? [$0] : nil } ?? keeping.sorted()
                losses += failing.map { MovieLoss(item: "track \($0)", reason: error.reason) }
                keeping.subtract(failing)
            }
        }
        return nil
    }

    /// The range on the timeline of the source's edit lists, not longer than the new movie.
    private func cut(to target: MovieSource) throws(MovieError) -> CMTimeRange {
        let range = range ?? trim.presentedRange
        var start = max(.zero, range.start)
        if let video = MovieTrimPlanner.primary(of: trim.tracks) {
            let planner = try MovieTrimPlanner(trim, range: range, keeping: [video], options: MovieTrimOptions())
            start = start + planner.pictureShiftTime
        }
        return CMTimeRange(start: start, duration: min(range.end - range.start, target.duration))
    }

    // MARK: Numbers

    /// The new numbers of all tracks.
    private func newIDs(in target: MovieSource) -> [UInt32: UInt32] {
        var ids = madeAnew
        var next = (target.tracks.map(\.id).max() ?? 0) &+ 1
        for id in trim.tracks.map(\.id) where tracks.contains(id) && ids[id] == nil {
            ids[id] = next
            next &+= 1
        }
        return ids
    }

    /// How the tracks that were made anew refer to the added ones, by their new numbers.
    private func references(_ target: MovieSource) -> [UInt32: [TrackReference]] {
        let ids = newIDs(in: target)
        var result: [UInt32: [TrackReference]] = [:]
        for track in trim.source.tracks {
            guard let own = madeAnew[track.id] else { continue }
            for reference in track.references where reference.type != "chap" {
                let others = reference.tracks.filter(tracks.contains).compactMap { ids[$0] }
                if !others.isEmpty { result[own, default: []].append(.init(type: reference.type, tracks: others)) }
            }
        }
        return result
    }
}

/// A movie box with further tracks.
private struct ExtendedMovie {
    let target: MovieSource
    /// The boxes of the further tracks.
    let boxes: [UInt8]
    /// What the tracks that are there refer to in addition.
    let references: [UInt32: [TrackReference]]
    let nextTrackID: UInt32
    /// The longest of the further tracks, in the movie's timescale.
    let duration: UInt64

    var movieBox: [UInt8] {
        let last = target.movieBoxes.lastIndex { $0.type == "trak" }
        var content: [UInt8] = []
        for (index, box) in target.movieBoxes.enumerated() {
            switch box.type {
            case "mvhd": content += header
            case "trak": content += track(box)
            default: content += target.reader.wholeBytes(of: box)
            }
            if index == last { content += boxes }
        }
        return .box("moov", content)
    }

    private func bytes(_ range: Range<UInt64>) -> [UInt8] {
        target.reader.file.read(at: range.lowerBound, count: Int(clamping: range.length))
    }

    private var header: [UInt8] {
        var header = target.header
        if let old = header.duration { header.duration = max(old, duration) }
        header.nextTrackID = max(nextTrackID, header.nextTrackID)
        return header.box
    }

    private func track(_ box: Box) -> [UInt8] {
        guard let track = target.tracks.first(where: { $0.box == box }), let added = references[track.id] else {
            return target.reader.wholeBytes(of: box)
        }
        var all: [UInt8] = []
        for reference in added where !track.references.contains(where: { $0.type == reference.type }) {
            all += reference.box
        }
        var content: [UInt8] = []
        let hasReferences = track.children.contains { $0.type == "tref" }
        for child in track.children {
            if child.type == "tref" {
                content += .box("tref", bytes(child.content) + all)
                continue
            }
            if child.type == "mdia", !hasReferences { content += .box("tref", all) }
            content += target.reader.wholeBytes(of: child)
        }
        return .box("trak", content)
    }
}

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
