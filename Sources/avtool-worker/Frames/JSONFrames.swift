internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The pictures of a film, or one of them, as JSON has them.
struct JSONFrames: ResultDocument {
    let source: String
    /// Where they are; `nil` for standard output.
    var file: String?
    /// Which picture, from 1; `nil` for all.
    var index: Int?
    /// How many there are; `nil` for one.
    var frames: Int?
    var time: JSONTime?
    var actual: JSONTime?
    var duration: JSONTime?
    let width: Int
    let height: Int
    let pixelFormat: String
    /// Of each picture.
    var byteCount: Int
    /// Pictures in a second, as numerator and denominator; `nil` if they come at no fixed rate.
    var frameRate: [Int32]?

    init(source: String, of frame: PackedFrame) {
        (self.source, width, height) = (source, frame.width, frame.height)
        (pixelFormat, byteCount) = (frame.pixelFormat, frame.bytes.count)
        frameRate = frame.frameRate.map { [$0.0, $0.1] }
    }
}
