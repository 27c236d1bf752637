internal import FuzzDriver
internal import MediaContainers
internal import MediaCore
internal import MediaIO

/// No more samples of a track are gone through, whatever its tables claim.
private let maximumSamples = 1 << 12

/// Reads all that is read of a movie's boxes and samples.
func readBoxes(_ bytes: [UInt8]) {
    let file = RandomAccessFile(bytes: bytes)
    let outline = MovieOutline(file)
    for track in outline?.tracks ?? [] {
        _ = (track.cleanAperture, track.alphaOf, track.isProtected, EditList(track.edits).box.count)
        _ = ImageDescription.bytes(of: Int32(clamping: track.id), in: file)
    }
    if let front = try? MovieFront.rewrite(file, room: 64), let result = bytesOf(front, bytes) {
        _ = MovieOutline(RandomAccessFile(bytes: result))
    }
    var leads: [UInt32: CMTime] = [:]
    for track in outline?.tracks ?? [] { leads[track.id] = CMTime(value: 21, timescale: 1000) }
    if let lead = try? MovieLead.rewrite(file, leads: leads) { _ = bytesOf(lead, bytes) }
    guard let source = try? MovieSource(file: file) else { return }
    for track in source.tracks { readSamples(of: track, source, file) }
}

private func readSamples(of track: MovieTrack, _ source: MovieSource, _ file: RandomAccessFile) {
    guard let tables = try? SampleTables(track, source.reader, maximum: maximumSamples) else { return }
    for sample in tables.samples.prefix(64) {
        let bytes = file.read(at: sample.position, count: Int(min(sample.size, 1 << 16)))
        if let text = TextSample(bytes) { _ = TextSample(text: text.text, link: text.link).bytes.bytes.count }
    }
}

/// A range and what else a cut is asked for, then the movie that is cut.
func cutMovie(_ bytes: [UInt8]) {
    var input = InputNumbers(bytes)
    let flags = input.byte()
    let start = CMTime(value: Int64(input.number(UInt32.self)), timescale: Int32(input.number(UInt16.self)) + 1)
    let length = CMTime(value: Int64(input.number(UInt32.self)), timescale: Int32(input.number(UInt16.self)) + 1)
    let movie = Array(input.rest)
    let file = RandomAccessFile(bytes: movie)
    guard let trim = try? MovieTrim(file: file) else { return }
    var options = MovieTrimOptions()
    options.dropsChapterTracks = flags & 2 != 0
    options.dropsHidden = flags & 4 != 0
    if flags & 8 != 0 { options.targetBrand = MovieBrand.allCases[Int(flags >> 4) % MovieBrand.allCases.count] }
    let range = flags & 1 != 0 ? nil : CMTimeRange(start: start, duration: length)
    let kept = flags & 0x80 != 0 ? Set(trim.tracks.map(\.id).prefix(1)) : nil
    if let plan = try? trim.plan(range: range, keeping: kept, options: options) { check(plan, movie) }
    let graft = MovieGraft(MovieGraft.candidates(of: trim), of: trim, range: range, madeAnew: [:])
    if let addition = graft.addition(to: file).addition { _ = bytesOf(addition.samples, movie) }
}

/// A cut's tables must be those of a movie, and lead to bytes that are there.
private func check(_ plan: MovieTrimPlan, _ movie: [UInt8]) {
    let rewrite = plan.rewrite()
    expect(rewrite.byteCount == plan.byteCount, "\(plan.byteCount) bytes were planned, \(rewrite.byteCount) made")
    guard rewrite.byteCount < 1 << 24, let result = bytesOf(rewrite, movie) else { return }
    let file = RandomAccessFile(bytes: result)
    let source: MovieSource
    do {
        source = try MovieSource(file: file)
    } catch { fatalError("the cut gave no movie: \(error)") }
    for track in source.tracks {
        guard let tables = try? SampleTables(track, source.reader, maximum: maximumSamples) else { continue }
        for sample in tables.samples where sample.size > 0 {
            let (end, isTooFar) = sample.position.addingReportingOverflow(sample.size)
            expect(
                !isTooFar && end <= file.byteCount,
                "track \(track.id) has a sample at \(sample.position) of \(sample.size) bytes, the file \(file.byteCount)"
            )
        }
    }
}
