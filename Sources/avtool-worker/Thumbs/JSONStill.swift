internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A still as JSON has it.
struct JSONStill: Encodable {
    let source: String
    let index: Int
    let requested: JSONTime?
    let actual: JSONTime?
    let duration: JSONTime?
    let isSyncSample: Bool
    let exact: Bool
    let damaged: Bool
    let width: Int
    let height: Int
    let representative: JSONChoice?
    let crop: JSONCrop?
    let file: String?
    /// Of pixels that follow: what they are, and how many bytes.
    let pixelFormat: String?
    let byteCount: Int?

    /// - Parameter file: `nil` for pixels that follow.
    init(still: EncodedStill, file: String?) {
        source = still.source
        index = still.index + 1
        requested = JSONTime(still.requestedTime)
        actual = JSONTime(still.actualTime)
        duration = JSONTime(length: still.duration)
        isSyncSample = still.isSyncSample
        exact = still.isExact
        damaged = still.damage != nil
        width = still.width
        height = still.height
        representative = still.choice.map { JSONChoice($0) }
        crop = still.crop.map { JSONCrop($0) }
        self.file = file
        (pixelFormat, byteCount) = file == nil ? ("rgb24", still.data.count) : (nil, nil)
    }
}

/// A still that could not be had, as JSON has it.
struct JSONFailedStill: Encodable {
    let source: String
    let index: Int
    let requested: JSONRequest
    let error: JSONError
}

/// What was asked for: a time, or the text of one that has no place in the film.
enum JSONRequest: Encodable {
    case time(JSONTime?)
    case text(String)

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .time(let time): try container.encode(time)
        case .text(let text): try container.encode(text)
        }
    }
}

/// What `thumbs --json` prints.
enum JSONStillDocument: ResultDocument {
    case still(JSONStill)
    case failed(JSONFailedStill)
    case cover(JSONCover)
    /// There may be more stills, in what a file that is cut short lacks.
    case cut(JSONFailedSource)

    var json: any Encodable {
        switch self {
        case .still(let still): still
        case .failed(let still): still
        case .cover(let cover): cover
        case .cut(let source): source
        }
    }
}

/// Why a representative frame was taken, as JSON has it.
struct JSONChoice: Encodable {
    let considered: Int
    let passedOver: [String: Int]
    let flaw: String?
    let reason: String

    init(_ choice: RepresentativeChoice) {
        considered = choice.considered
        passedOver = Dictionary(uniqueKeysWithValues: choice.passedOver.map { ($0.key.rawValue, $0.value) })
        flaw = choice.flaw?.rawValue
        reason = choice.reason
    }
}

/// An embedded picture as JSON has it.
struct JSONCover: Encodable {
    let source: String
    let index: Int
    let track: Int32
    let width: Int
    let height: Int
    let crop: JSONCrop?
    let file: String
}

/// A part of pictures as JSON has it.
struct JSONCrop: Encodable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int

    init(_ part: PixelRect) { (x, y, width, height) = (part.x, part.y, part.width, part.height) }
}
