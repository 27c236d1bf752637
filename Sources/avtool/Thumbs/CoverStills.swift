internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// Whether embedded pictures are wanted instead of frames.
struct CoverOptions: ParsableArguments {
    @Flag(
        help: "The embedded pictures, such as cover art, instead of frames; --track chooses one. Works on sound files.")
    var cover = false
}

/// Writes embedded pictures as stills.
struct CoverStills {
    let writer: StillWriter
    let json: Bool

    /// Writes all pictures of one file.
    func write(_ pictures: [AttachedPicture]) throws {
        for (index, picture) in pictures.enumerated() {
            for image in StillWriter.distinct(picture.images) {
                let path = writer.path(of: image, index: index)
                let file = try writer.write(try writer.data(of: image, index: index), to: path)
                guard !writer.pattern.isStandardOutput else { continue }
                if json {
                    try JSONLine.print(
                        JSONCover(
                            source: writer.source, index: index + 1, track: picture.trackID, width: image.width,
                            height: image.height, crop: writer.crop.map { JSONCrop($0) }, file: file))
                } else {
                    try Console.print("picture \(picture.trackID) → \(file.oneLine)")
                }
            }
        }
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
