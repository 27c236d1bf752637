internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A thumbnail as JSON has it.
struct JSONThumbnail: Codable {
    let source: String
    let file: String
    let state: String
    var width: Int?
    var height: Int?
    /// The number of the picture that comes with the file, if it was made of that.
    var cover: Int32?
    /// When the frame is shown, if it was made of one.
    var actual: JSONTime?
    var representative: JSONChoice?

    /// One that was left as it is.
    init(kept file: String, of source: String) {
        (self.source, self.file, state) = (source, file, "upToDate")
    }

    init(made file: String, of source: String, _ image: CGImage, from origin: ThumbnailPicture.Origin) {
        (self.source, self.file, state) = (source, file, "made")
        (width, height) = (image.width, image.height)
        switch origin {
        case .cover(let track): cover = track
        case .frame(let time, let choice): (actual, representative) = (JSONTime(time), choice.map { JSONChoice($0) })
        }
    }
}

/// What `thumbnail --json` prints.
struct JSONThumbnailDocument: ResultDocument {
    let thumbnail: JSONThumbnail

    var json: any Encodable { thumbnail }
}
