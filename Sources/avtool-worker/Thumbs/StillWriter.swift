internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// When a still was wanted, and when its frame is shown.
struct StillTimes {
    let requested: CMTime
    let actual: CMTime
    let duration: CMTime
}

/// Encodes stills and writes them to their names.
struct StillWriter: Sendable {
    let source: String
    let pattern: ResultNaming
    /// Which request each still is for, counted from 0.
    var indices: [Int] = []
    /// Digits of the index.
    let width: Int
    let output: StillOutput
    /// What all pictures are laid over; `nil` for black where the format has no alpha.
    var background: RGBColor?
    /// The part of pictures that is shown, `nil` for all of it.
    var crop: PixelRect?
    let files: RunFiles

    /// Fails before anything is decoded, if a name that is known by then is that of an input.
    func checkNames(for times: [CMTime]) throws {
        if pattern.isStandardOutput { return try files.check("-", replaces: output.replaces) }
        guard !pattern.contains("{actual}", "{size}", "{width}", "{height}") else { return }
        for (index, time) in zip(indices, times) {
            let times = StillTimes(requested: time, actual: time, duration: .invalid)
            try files.checkIsNoInput(path(index: index, size: (0, 0), times))
        }
    }

    /// Encodes one still in all its sizes, on whatever thread decoded it.
    ///
    /// - Throws: If the name is taken, before any work is done for nothing.
    func encode(_ still: Still) throws -> [EncodedStill] {
        try Self.distinct(still.images).map { image in
            let times = StillTimes(
                requested: still.requestedTime, actual: still.actualTime, duration: still.duration)
            let index = indices[still.index]
            let data = try data(of: image, index: index, times: times)
            return EncodedStill(
                source: source, index: index, requestedTime: times.requested, actualTime: times.actual,
                duration: still.duration, isSyncSample: still.isSyncSample, isExact: still.isExact,
                damage: still.damage, choice: still.choice, width: image.width, height: image.height, crop: crop,
                data: data)
        }
    }

    /// Pictures of different sizes: what is not enlarged comes out alike for several boxes.
    static func distinct(_ images: [CGImage]) -> [CGImage] {
        var sizes: Set<PixelSize> = []
        return images.filter { sizes.insert(PixelSize(width: $0.width, height: $0.height)).inserted }
    }

    /// A picture as a file.
    ///
    /// - Throws: If the name is taken, before any work is done for nothing.
    func data(of image: CGImage, index: Int, times: StillTimes? = nil) throws -> Data {
        if !pattern.isStandardOutput {
            try files.check(path(of: image, index: index, times: times), replaces: output.replaces)
        }
        return try bytes(of: background.map { image.composited(over: $0) } ?? image, times)
    }

    /// Writes one encoded still.
    ///
    /// - Returns: The path it got.
    func write(_ still: EncodedStill) throws -> String { try write(still.data, to: path(of: still)) }

    /// Writes a file.
    ///
    /// - Returns: The path it got.
    func write(_ data: Data, to path: String) throws -> String {
        let place = try files.output(path, replaces: output.replaces, makesFolder: pattern.makesFolder)
        try AtomicFile.write(data, to: place)
        return path
    }

    /// The name that a still gets.
    private func path(of still: EncodedStill) -> String {
        path(
            index: still.index, size: (still.width, still.height),
            StillTimes(requested: still.requestedTime, actual: still.actualTime, duration: still.duration))
    }

    /// The name that a picture gets.
    func path(of image: CGImage, index: Int, times: StillTimes? = nil) -> String {
        path(index: index, size: (image.width, image.height), times)
    }

    private func path(index: Int, size: (width: Int, height: Int), _ times: StillTimes?) -> String {
        var values = [
            "{index}": (index + 1).zeroPadded(to: width),
            "{width}": String(size.width), "{height}": String(size.height), "{size}": "\(size.width)x\(size.height)",
        ]
        if let times {
            values["{requested}"] = times.requested.secondsText()
            values["{actual}"] = times.actual.secondsText(lasting: times.duration)
        }
        return pattern.path(source: source, filenameExtension: output.format.filenameExtension, values: values)
    }

    private func bytes(of image: CGImage, _ times: StillTimes?) throws -> Data {
        guard !output.naming.streams else { return image.rgbData() }
        guard output.format == .png else { return try output.format.data(of: image, quality: output.quality) }
        var text = [("Source", SourceFile.displayName(source))]
        if let times {
            text.append(("Requested Time", "\(times.requested.value)/\(times.requested.timescale)"))
            text.append(("Actual Time", "\(times.actual.value)/\(times.actual.timescale)"))
        }
        return try image.pngData(text: text)
    }
}
