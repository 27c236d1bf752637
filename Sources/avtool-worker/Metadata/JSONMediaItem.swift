internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The normalised view of metadata as JSON has it.
struct JSONMediaItem: Codable {
    struct Artwork: Codable {
        let mimeType: String
        let byteCount: Int
    }

    let name: String?
    let artist: String?
    let albumArtist: String?
    let album: String?
    let grouping: String?
    let composer: String?
    let comments: String?
    let genre: String?
    let year: Int?
    let bpm: Int?
    let trackNumber: Int?
    let trackCount: Int?
    let discNumber: Int?
    let discCount: Int?
    let artwork: Artwork?

    init(_ item: MediaItem) {
        name = item.name
        artist = item.artist
        albumArtist = item.albumArtist
        album = item.album
        grouping = item.grouping
        composer = item.composer
        comments = item.comments
        genre = item.genre
        year = item.year
        bpm = item.bpm
        trackNumber = item.trackNumber
        trackCount = item.trackCount
        discNumber = item.discNumber
        discCount = item.discCount
        artwork = item.artwork.map { Artwork(mimeType: $0.mimeType, byteCount: $0.data.count) }
    }
}
