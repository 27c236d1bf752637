internal import MediaContainers
package import MediaIO
package import MediaMetadata

extension FileMetadata.Container {
    package static let ogg = FileMetadata.Container(
        "ogg", typeIdentifiers: ["org.xiph.ogg", "org.xiph.opus"], keySpaces: [.vorbisComment],
        chapterForms: [.vorbisComment], structure: .blocks)
}

/// Ogg files: the comments of Vorbis, Opus, FLAC, Speex, Theora and VP8 streams, and chapters among them.
///
/// The asset's entries are those of the first stream that has any; those of
/// further streams belong to tracks, whose numbers are the streams' positions, counted from 1. Of chained files only
/// the first link is written; the entries of the others are told apart.
///
/// Source: RFC 3533; RFC 7845; RFC 5334; Vorbis I, section 5.
package struct OggFormat: MetadataFormat {
    package static let containers = [FileMetadata.Container.ogg]
    private let file: RandomAccessFile
    private let headers: OggHeaders
    /// The comments of each stream.
    private let tags: [TaggedBlocks]
    package let metadata: FileMetadata

    package static func recognizes(_ head: [UInt8], _ file: RandomAccessFile) -> Bool {
        head.starts(with: OggPage.marker) && head.count > 4 && head[4] == 0
    }

    package init(reading file: RandomAccessFile) throws(MetadataError) {
        let headers = OggHeaders(file)
        guard !headers.streams.isEmpty else { throw MetadataError(.damaged, "this Ogg file has no stream") }
        let tags = headers.tags
        var metadata = FileMetadata(container: .ogg)
        let main = Self.mainStream(headers.streams, tags)
        if let main { metadata.entries = tags[main].entries }
        metadata.tracks = tags.indices.filter { $0 != main && !tags[$0].entries.isEmpty }.map {
            FileMetadata.Track(trackID: Self.trackID($0), entries: tags[$0].entries)
        }
        metadata.labels = headers.streams.indices.map { TrackLabel(trackID: Self.trackID($0)) }
        metadata.links = OggChain.entries(in: file, after: headers)
        metadata.chapterLists = ChapterPlan.lists(tags.map(\.chapters))
        metadata.problems = headers.problems + tags.flatMap(\.problems)
        (self.file, self.headers, self.tags, self.metadata) = (file, headers, tags, metadata)
    }

    /// Where the links of a chained file begin, after the first.
    package static func linkStarts(in file: RandomAccessFile) -> [UInt64] {
        OggChain.starts(in: file, after: OggHeaders(file))
    }

    /// A stream's number, as all commands count: its first page's position among those of all streams.
    private static func trackID(_ index: Int) -> Int64 { Int64(index) + 1 }

    /// The stream whose comments are the asset's: the first that has some, else
    /// the first of audio, else the first that can have some.
    ///
    /// - Parameter tracks: Streams that have entries of their own, by number.
    static func mainStream(_ streams: [OggStream], _ tags: [TaggedBlocks], besides tracks: Set<Int64> = []) -> Int? {
        let complete = streams.indices.filter { streams[$0].state == .complete }
        let others = complete.filter { !tracks.contains(trackID($0)) }
        let able = others.isEmpty ? complete : others
        return able.first { !tags[$0].entries.isEmpty } ?? able.first { streams[$0].codec?.isAudio == true }
            ?? able.first
    }

    package func rewritten(with metadata: FileMetadata) throws(MetadataError) -> MetadataRewrite {
        let main = Self.mainStream(
            headers.streams, tags, besides: Set(metadata.tracks.filter { !$0.entries.isEmpty }.map(\.trackID)))
        let plan = ChapterPlan(old: tags.map(\.chapters), lists: metadata.chapterLists, main: main)
        var losses = plan.losses
        var edit = OggFileEdit(file)
        for (index, stream) in headers.streams.enumerated() where stream.state == .complete {
            let entries = index == main ? metadata.entries : metadata.entries(ofTrack: Self.trackID(index))
            let start = stream.codec == .flac ? 0 : 1
            let change = try tags[index].edited(entries: entries, chapters: plan.changes[index], start: start)
            losses += change.losses
            try edit.change(stream, to: change.pieces, tail: tags[index].tail)
        }
        losses += Self.homeless(metadata, headers.streams, main: main)
        return MetadataRewrite(rewrite: try edit.rewrite, losses: losses)
    }

    /// Entries of streams that are not there, or cannot hold any.
    private static func homeless(_ metadata: FileMetadata, _ streams: [OggStream], main: Int?) -> [MetadataLoss] {
        var entries = main == nil ? metadata.entries : []
        let tracks = streams.indices.filter { streams[$0].state == .complete && $0 != main }
        for track in metadata.tracks where !tracks.contains(where: { trackID($0) == track.trackID }) {
            entries += track.entries
        }
        var losses = entries.map {
            MetadataLoss(item: $0.identifier.rawValue, reason: "the file has no stream that can hold it")
        }
        if main == nil, metadata.chapterLists.contains(where: { !$0.chapters.isEmpty }) {
            losses.append(MetadataLoss.chapters(reason: "the file has no stream that can hold them"))
        }
        return losses
    }
}

extension FileMetadata {
    fileprivate func entries(ofTrack trackID: Int64) -> [MetadataEntry] {
        tracks.filter { $0.trackID == trackID }.flatMap(\.entries)
    }
}

/// What a stream of an Ogg file holds, as far as its comments can be read.
enum OggCodec: Hashable, CaseIterable {
    case vorbis
    case opus
    case flac
    case speex
    case theora
    case vp8

    /// The codec of a stream's first packet, `nil` if it is none of these.
    init?(firstPacket: [UInt8]) {
        guard let codec = Self.allCases.first(where: { firstPacket.starts(with: $0.firstSign) }) else { return nil }
        self = codec
    }

    private var firstSign: [UInt8] {
        switch self {
        case .vorbis: [1] + Array("vorbis".utf8)
        case .opus: Array("OpusHead".utf8)
        case .flac: [0x7F] + Array("FLAC".utf8)
        case .speex: Array("Speex   ".utf8)
        case .theora: [0x80] + Array("theora".utf8)
        case .vp8: Array("OVP80".utf8) + [1]
        }
    }

    /// What the packet of comments begins with; not known of FLAC's, which has blocks.
    var commentSign: [UInt8] {
        switch self {
        case .vorbis: [3] + Array("vorbis".utf8)
        case .opus: Array("OpusTags".utf8)
        case .flac, .speex: []
        case .theora: [0x81] + Array("theora".utf8)
        case .vp8: Array("OVP80".utf8) + [2, 0x20]
        }
    }

    /// The largest packet of comments, or block of metadata, that can be written.
    var packetLimit: Int {
        switch self {
        case .flac: FLACChain.maximumContent
        // FFmpeg keeps the lengths of Theora's headers in 16 bits, and plays nothing of files with longer ones.
        case .theora: 0xFFFF
        case .vorbis, .opus, .speex, .vp8: OggHeaders.contentLimit
        }
    }

    var isAudio: Bool { self != .theora && self != .vp8 }

    /// Whether a set bit must follow the comments.
    private var hasFramingBit: Bool { self == .vorbis }

    /// What follows the comments at the least, and whether padding may follow that.
    ///
    /// - Parameter tail: What follows them in the file.
    func ending(after tail: ArraySlice<UInt8>) -> (bytes: [UInt8], mayBePadded: Bool) {
        let framing: [UInt8] = hasFramingBit ? [1] : []
        let rest = tail.dropFirst(framing.count)
        // RFC 7845, section 5.2: data whose first bit is set is to be kept, all other is padding.
        let isPadding = self == .opus ? (rest.first ?? 0) & 1 == 0 : rest.allSatisfy { $0 == 0 }
        return isPadding ? (framing, true) : (framing + rest, false)
    }
}
