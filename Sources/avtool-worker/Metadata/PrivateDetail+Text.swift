internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension PrivateDetail {
    /// The detail in one line: `message: track 1, samples: unregistered user data (125 times)`.
    var line: String {
        let times = count > 1 ? " (\(count) times)" : ""
        return "\(kind.rawValue): \(place.oneLine): \(reason.oneLine)\(times)"
    }
}

/// A private detail as JSON has it.
struct JSONPrivateDetail: Codable {
    let kind: String
    let place: String
    let reason: String
    let count: Int

    init(_ detail: PrivateDetail) {
        (kind, place, reason, count) = (detail.kind.rawValue, detail.place, detail.reason, detail.count)
    }
}

/// What a file holds and does not show, as JSON has it.
struct JSONHiddenMaterial: Codable {
    struct Part: Codable {
        let frames: Int
        let duration: JSONTime?

        init(_ part: HiddenMaterial.Part) { (frames, duration) = (part.count, JSONTime(part.duration)) }
    }

    let track: Int32
    let mediaType: String
    let start: Part
    let end: Part

    init(_ hidden: HiddenMaterial) {
        (track, mediaType) = (hidden.trackID, hidden.isSound ? "audio" : "video")
        (start, end) = (Part(hidden.start), Part(hidden.end))
    }
}

/// What of a file is private, as JSON has it.
struct JSONPrivateDetails: Codable {
    let source: String
    let `private`: [JSONPrivateDetail]
    let hidden: [JSONHiddenMaterial]
}
