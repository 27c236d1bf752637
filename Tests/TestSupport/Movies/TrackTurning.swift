package import Foundation

/// Has all tracks of a movie file be shown turned clockwise.
///
/// The `ffmpeg` command has another way to do so in each version.
///
/// - Parameter url: A file whose track headers are of version 0, as ffmpeg's are.
package func turnTracks(of url: URL, by degrees: Double) throws {
    var data = try Data(contentsOf: url)
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    let matrix = [cosine, sine, 0, -sine, cosine, 0, 0, 0, 16384].map { Int32(($0 * 65536).rounded()) }
    let bytes = matrix.flatMap { value in withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    var position = data.startIndex
    while let found = data.range(of: Data("tkhd\0".utf8), in: position..<data.endIndex) {
        // Behind version, dates, number, duration, layer and volume.
        let start = found.lowerBound + 44
        data.replaceSubrange(start..<(start + bytes.count), with: bytes)
        position = found.upperBound
    }
    try data.write(to: url)
}
