internal import OpenAVFoundation

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
    let file: String

    init(still: EncodedStill, file: String) {
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
