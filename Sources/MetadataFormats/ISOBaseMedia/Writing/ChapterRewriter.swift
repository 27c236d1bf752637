internal import MediaContainers
internal import MediaCore
internal import MediaIO
internal import MediaMetadata

/// Puts new lists of chapters into a movie.
///
/// A list that the file has already keeps its track or box. For others, text
/// tracks are made, one a language, and a track of their pictures; tracks of
/// lists that went are removed, their samples stay in the file unused.
struct ChapterRewriter {
    let movie: Box
    let movieFile: MovieFile
    private let reader: BoxReader
    private let children: [Box]
    private let header: MovieHeader?

    private(set) var edits: BoxEdits
    /// A new `chpl` box that wants to be in a `udta` box.
    private(set) var neroBox: [UInt8] = []
    private(set) var tracks: [ISOChapters.NewTrack] = []
    private(set) var losses: [MetadataLoss] = []

    init(_ movie: Box, in movieFile: MovieFile, edits: BoxEdits) {
        self.movie = movie
        self.movieFile = movieFile
        self.edits = edits
        reader = movieFile.reader
        children = reader.boxes(in: movie.content)
        header = MovieHeader(in: children, reader)
    }

    mutating func rewrite(_ new: [ChapterList], replacing old: [ChapterList]) {
        guard new != old else { return }
        for list in new where ![.nero, .quickTimeTrack].contains(list.form) {
            lose("a list of the form \(list.form.rawValue) cannot be stored")
        }
        var lists = [new, old].map { $0.filter { $0.form == .quickTimeTrack } }
        if !lists[0].isEmpty, !movieTracks.contains(where: { ["vide", "soun"].contains($0.handler) }) {
            lose("the file has no track of sound or video that could refer to them")
            lists[0] = lists[1]
        }
        rewriteNero(new.filter { $0.form == .nero }, replacing: old.filter { $0.form == .nero }, beside: lists[0])
        if lists[0] != lists[1] { rewriteTracks(lists[0], replacing: lists[1]) }
    }

    private mutating func lose(_ reason: String) { losses.append(MetadataLoss.chapters(reason: reason)) }

    private var movieDescription: ISOChapters.Movie {
        let timescale = header.flatMap { ISOChapters.timescale(of: $0.timescale) } ?? 1
        var ticks = header?.duration
        if ticks == 0, let box = reader.box(["mvex", "mehd"], in: movie.content) {
            let bytes = reader.bytes(of: box, limit: 16)
            ticks = bytes.first == 1 ? bytes.bigEndian64(at: 4) : bytes.bigEndian32(at: 4).map(UInt64.init)
        }
        var duration = CMTime.indefinite
        if let ticks, ticks != 0, let value = Int64(exactly: ticks) {
            duration = CMTime(value: value, timescale: timescale)
        }
        return ISOChapters.Movie(
            timescale: timescale, duration: duration, isQuickTime: movieFile.isQuickTime)
    }

    /// A list whose last chapter ends, which the movie may not say: fragmented files often do not.
    ///
    /// A second is enough, as players show the last chapter until the end.
    private static func ended(_ list: ChapterList, in movie: ISOChapters.Movie) -> ChapterList {
        guard !movie.duration.isNumeric, let last = list.chapters.indices.last, !list.chapters[last].end.isNumeric
        else {
            return list
        }
        var list = list
        list.chapters[last].end = list.chapters[last].start + CMTime(value: 1, timescale: 1)
        return list
    }

    // MARK: Nero

    private mutating func rewriteNero(
        _ new: [ChapterList], replacing old: [ChapterList], beside trackLists: [ChapterList]
    ) {
        guard new != old else { return }
        if new.count > 1 { lose("of several chpl lists only the first can be stored") }
        let boxes = children.filter { $0.type == "udta" }
            .flatMap { reader.boxes(in: $0.content) }.filter { $0.type == "chpl" }
        var bytes: [UInt8] = []
        if var list = new.first {
            // What a track of the same chapters holds is not lost here.
            let isInTrack = trackLists.contains { $0.chapters == list.chapters }
            if isInTrack {
                for index in list.chapters.indices { list.chapters[index].artwork = nil }
                for index in list.chapters.indices { list.chapters[index].link = nil }
            }
            let result = ISOChapters.neroBox(of: list, movieDuration: movieDescription.duration)
            bytes = result.box
            if !isInTrack { losses += result.losses }
        }
        for (index, box) in boxes.enumerated() {
            edits.replace(box, with: index == 0 && !bytes.isEmpty ? [.bytes(bytes)] : [])
        }
        if boxes.isEmpty { neroBox = bytes }
    }

    // MARK: Tracks

    /// A track of the movie, as far as it matters here.
    private struct Track {
        let box: Box
        let trackID: UInt32
        let handler: FourCC
        /// Whether its samples are still pictures.
        let hasPictures: Bool
        /// The tracks that it takes its chapters from.
        let chapterTracks: [UInt32]
    }

    private var movieTracks: [Track] {
        children.filter { $0.type == "trak" }.compactMap { MovieTrack($0, reader, limit: 0) }.map { track in
            Track(
                box: track.box, trackID: track.id, handler: track.handler,
                hasPictures: ["jpeg", "png "].contains(track.entries.first?.type),
                chapterTracks: ISOChapters.chapterTrackIDs(track.references))
        }
    }

    private mutating func rewriteTracks(_ new: [ChapterList], replacing old: [ChapterList]) {
        let present = movieTracks
        let referenced = Set(present.flatMap(\.chapterTracks))
        var unused = old
        var kept: [UInt32] = []
        var missing: [ChapterList] = []
        for list in new {
            if let index = unused.firstIndex(of: list), let trackID = list.trackID.map(UInt32.init(bitPattern:)) {
                unused.remove(at: index)
                kept.append(trackID)
            } else {
                missing.append(list)
            }
        }
        let gone = Set(unused.compactMap { $0.trackID.map(UInt32.init(bitPattern:)) })
        let pictures = present.filter { referenced.contains($0.trackID) && $0.handler == "vide" && $0.hasPictures }
        let keepsPictures = Self.pictures(of: new) == Self.pictures(of: old)
        var removed = gone
        if keepsPictures {
            kept += pictures.map(\.trackID)
        } else {
            removed.formUnion(pictures.map(\.trackID))
        }
        makeTracks(missing, picturesOf: keepsPictures ? nil : new.first { !Self.pictures(of: [$0]).isEmpty }, present)
        for track in present where removed.contains(track.trackID) { edits.replace(track.box, with: []) }
        // References to what this does not know of stay too.
        let known = Set(old.compactMap { $0.trackID.map(UInt32.init(bitPattern:)) } + pictures.map(\.trackID))
        let wanted = kept + tracks.map(\.trackID)
        for track in present where !removed.contains(track.trackID) && !kept.contains(track.trackID) {
            guard ["soun", "vide"].contains(track.handler) || !track.chapterTracks.isEmpty else { continue }
            refer(track, to: wanted + track.chapterTracks.filter { !known.contains($0) })
        }
        numberNextTrack()
    }

    private struct Picture: Hashable {
        let start: CMTime
        let bytes: [UInt8]
    }

    /// The pictures of the first list that has some.
    private static func pictures(of lists: [ChapterList]) -> [Picture] {
        let all = lists.map {
            $0.chapters.compactMap { item in item.artwork.map { Picture(start: item.start, bytes: $0) } }
        }
        return all.first { !$0.isEmpty } ?? []
    }

    private mutating func makeTracks(_ lists: [ChapterList], picturesOf pictured: ChapterList?, _ present: [Track]) {
        let description = movieDescription
        var next = nextTrackID(present)
        let separate = lists.flatMap(Self.listsByLanguage)
        for list in separate {
            let result = ISOChapters.textTrack(
                of: Self.ended(list, in: description), trackID: next, movie: description,
                alternateGroup: separate.count > 1 ? 1 : 0)
            losses += result.losses
            guard let track = result.track else { continue }
            tracks.append(track)
            next += 1
        }
        guard let pictured else { return }
        let result = ISOChapters.pictureTrack(
            of: Self.ended(pictured, in: description), trackID: next, movie: description)
        losses += result.losses
        if let track = result.track { tracks.append(track) }
    }

    /// A list for each language of its titles.
    private static func listsByLanguage(_ list: ChapterList) -> [ChapterList] {
        let languages = list.titleLanguages
        guard list.languageTag == nil, languages.count > 1 else { return [list] }
        return languages.map { language in
            var part = list
            part.languageTag = language
            part.chapters = list.chapters.map { $0.titled(in: language) }
            return part
        }
    }

    private mutating func refer(_ track: Track, to trackIDs: [UInt32]) {
        guard trackIDs != track.chapterTracks else { return }
        let old = reader.box(["tref"], in: track.box.content)
        let new = ISOChapters.trackReferences(changing: old.map { reader.bytes(of: $0) }, chapterTracks: trackIDs)
        if let old {
            edits.replace(old, with: new.map { [.bytes($0)] } ?? [])
        } else if let new {
            let media = reader.boxes(in: track.box.content).first { $0.type == "mdia" }
            if let media {
                edits.insert([.bytes(new)], into: track.box, at: media.start)
            } else {
                edits.append([.bytes(new)], to: track.box)
            }
        }
    }

    // MARK: Numbers of tracks

    /// The number of the next track: the header's own if no track has it or a higher one.
    private func nextTrackID(_ present: [Track]) -> UInt32 {
        let highest = present.map(\.trackID).filter { $0 < UInt32.max }.max() ?? 0
        let stated = header.map { $0.isWhole ? $0.nextTrackID : 0 } ?? 0
        return max(highest + 1, stated < 1 << 24 ? stated : 0)
    }

    private mutating func numberNextTrack() {
        guard let highest = tracks.map(\.trackID).max(), let box = children.first(where: { $0.type == "mvhd" }),
            var header, header.isWhole, header.nextTrackID <= highest
        else { return }
        header.nextTrackID = highest + 1
        edits.replace(box, with: [.bytes(header.box)])
    }
}

extension Chapter {
    /// The chapter and those within it with one title each: the one in a
    /// language, or the first.
    fileprivate func titled(in language: String?) -> Chapter {
        var chapter = self
        chapter.titles = (titles.first { $0.languageTag == language } ?? titles.first).map { [$0] } ?? []
        chapter.children = children.map { $0.titled(in: language) }
        return chapter
    }
}
