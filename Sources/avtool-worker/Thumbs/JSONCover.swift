internal import AVToolCommands

/// An embedded picture as JSON has it.
struct JSONCover: Codable {
    let source: String
    let index: Int
    let track: Int32
    let width: Int
    let height: Int
    let crop: JSONCrop?
    let file: String
}
