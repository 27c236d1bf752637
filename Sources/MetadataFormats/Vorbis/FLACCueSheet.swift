internal import MediaCore
internal import MediaIO
internal import MediaMetadata

/// The tracks of a CD that a FLAC file was made of, as chapters.
///
/// They are the file's chapters as long as no comments are: comments have titles, so programs that write both mean those
/// to be seen. New chapters are comments, and the cue sheet goes: FFmpeg and all players that use it show its tracks in
/// place of comments of the same numbers, and would show them again where all chapters are removed. Whoever changes
/// anything else keeps it.
///
/// Source: RFC 9639, section 8.7.
enum FLACCueSheet {
    static let blockType: UInt8 = 5
    /// Catalogue number, lead-in, flags, and how many tracks there are.
    private static let headSize = 396
    private static let trackSize = 36
    private static let indexSize = 12
    /// A cue sheet has no more than 255 tracks with 255 points each.
    static let maximumSize = headSize + 255 * (trackSize + 255 * indexSize)

    /// Where a track begins, and what it is called.
    private struct Track {
        let start: CMTime
        let isLeadOut: Bool
        let recordingCode: String
    }

    /// The chapters of a block's content: a track for each but the lead-out, which only ends the last.
    ///
    /// A cue sheet has no titles: the ISRC, a code for the recording, stands in for one where it is known.
    ///
    /// - Returns: None if the content is damaged.
    static func chapters(_ content: [UInt8], sampleRate: Int32) -> [Chapter] {
        guard sampleRate > 0, let tracks = tracks(content[...], sampleRate) else { return [] }
        var chapters: [Chapter] = []
        for (index, track) in tracks.enumerated() where !track.isLeadOut {
            let next = index + 1 < tracks.count ? tracks[index + 1] : nil
            let titles = track.recordingCode.isEmpty ? [] : [Chapter.Title(track.recordingCode)]
            let end = next.map { $0.isLeadOut && $0.start > track.start ? $0.start : .invalid } ?? .invalid
            chapters.append(Chapter(start: track.start, end: end, titles: titles))
        }
        return chapters
    }

    private static func tracks(_ content: ArraySlice<UInt8>, _ sampleRate: Int32) -> [Track]? {
        guard content.count >= headSize, let count = content.dropFirst(headSize - 1).first else { return nil }
        let isCD = content[content.startIndex + 136] & 0x80 != 0
        var rest = content.dropFirst(headSize)
        var tracks: [Track] = []
        for position in 0..<Int(count) {
            guard rest.count >= trackSize, let offset = rest.bigEndian64(at: 0).flatMap(Int64.init(exactly:)) else {
                return nil
            }
            let head = Array(rest.prefix(trackSize))
            let points = Int(head[35]) * indexSize
            guard rest.count - trackSize >= points else { return nil }
            rest = rest.dropFirst(trackSize + points)
            tracks.append(
                Track(
                    start: CMTime(value: offset, timescale: sampleRate),
                    isLeadOut: position == Int(count) - 1 || head[8] == (isCD ? 170 : 255),
                    recordingCode: String(latin1: head[9..<21].prefix { $0 != 0 })))
        }
        return tracks
    }

    /// The sample rate that a block of stream information tells.
    static func sampleRate(_ information: [UInt8]) -> Int32? {
        guard let word = information[...].bigEndian32(at: 10) else { return nil }
        return Int32(word >> 12)
    }
}
