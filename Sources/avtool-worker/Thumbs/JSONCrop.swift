internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A part of pictures as JSON has it.
struct JSONCrop: Codable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int

    init(_ part: PixelRect) { (x, y, width, height) = (part.x, part.y, part.width, part.height) }
}
