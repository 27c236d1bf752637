internal import FFmpegKit
package import MediaAsset
internal import MediaCore
internal import MediaIO

/// What encoding tracks side by side is estimated to take of memory, told before anything is opened for it.
///
/// One track takes what it takes, however large its pictures are; many small ones in a file of a megabyte would take
/// gigabytes together.
struct EncodingMemory {
    /// Pictures that a decoder holds: references, and those of its threads.
    private static let decodedPictures = 10
    /// Pictures that an encoder looks ahead at, and its references.
    private static let encodedPictures = 50
    /// What either takes besides.
    private static let base: Int64 = 6 << 20
    /// Bytes of a pixel with its share of colour.
    private static let bytesPerPixel = (eightBits: 1.5, more: 3.0)

    /// Bytes of each track.
    private(set) var tracks: [Int64] = []

    /// Adds a track.
    ///
    /// - Parameter source: The size of the pictures that are decoded; `nil` for sound, and what is not known.
    mutating func add(source: PixelSize?, _ settings: EncoderSettings) {
        var bytes = Self.base
        if case .video(let video) = settings.media {
            let isDeep = video.pixelFormat.contains("10") || video.pixelFormat.contains("12")
            let size = isDeep ? Self.bytesPerPixel.more : Self.bytesPerPixel.eightBits
            let decoded = Double(source?.width ?? 0) * Double(source?.height ?? 0) * Double(Self.decodedPictures)
            let encoded = Double(video.width) * Double(video.height) * Double(Self.encodedPictures)
            bytes += Int64(min((decoded + encoded) * size, 1e15))
        }
        tracks.append(bytes)
    }

    /// Fails if the tracks beside the one that takes most take more than they may.
    func check(_ limits: MediaLimits) throws {
        let others = tracks.sorted().dropLast().reduce(Int64(0)) { $0.addingReportingOverflow($1).partialValue }
        guard others > limits[.encodingMemory] else { return }
        throw MediaLimitError(
            reason:
                "\(tracks.count) tracks would be encoded side by side, which takes about \(others >> 20) MiB for those "
                + "beside the largest, over the limit of \(limits[.encodingMemory] >> 20) MiB",
            limit: .encodingMemory)
    }
}
