package import MediaCore
internal import MediaIO
package import MediaMetadata

/// What chunks of a WAV file say of places among its samples: markers with labels, loops, beats, the time of the first
/// sample.
///
/// Source: Microsoft, Multimedia Programming Interface and Data Specifications 1.0 (`cue `, `adtl`, `plst`) and New
/// Multimedia Data Types and Data Techniques (`smpl`); EBU Tech 3285 (`bext`); what Sony's programs write (`acid`).
package struct WaveMarkers: Sendable {
    static let cuePoints = "cue "
    static let labels = "adtl"

    /// The first sample that is kept, and how many are.
    private let samples: Range<Int64>
    private let sampleRate: Int

    /// - Parameters:
    ///   - range: What is kept of the sound, from its first sample on.
    ///   - sampleRate: Samples for each second; the new file has the same.
    package init?(_ range: CMTimeRange, sampleRate: Int) {
        guard let rate = Int32(exactly: sampleRate), rate > 0, range.start.isNumeric, range.end.isNumeric else {
            return nil
        }
        let start = range.start.convertScale(rate, method: .roundHalfAwayFromZero).value
        let end = range.end.convertScale(rate, method: .roundHalfAwayFromZero).value
        guard start >= 0, start <= end else { return nil }
        (samples, self.sampleRate) = (start..<end, sampleRate)
    }

    /// The items for a WAV file that has only a part of the sound, and what of them cannot be moved.
    package func moved(_ entries: [MetadataEntry]) -> (entries: [MetadataEntry], losses: [MetadataLoss]) {
        var losses: [MetadataLoss] = []
        let points = entries.first { $0.keyName == Self.cuePoints }.flatMap(\.bytes).map(CuePoint.parse) ?? []
        let kept = points.filter { samples.contains(Int64($0.sample)) }
        let gone = Set(points.map(\.identifier)).subtracting(kept.map(\.identifier))
        var seen: Set<String> = []
        let moved = entries.compactMap { entry -> MetadataEntry? in
            var entry = entry
            if let name = entry.keyName, Self.counting.contains(name), !seen.insert(name).inserted {
                losses.append(MetadataLoss(item: entry.identifier.rawValue, reason: "a file has one such chunk"))
                return nil
            }
            switch entry.keyName {
            case Self.timeReference:
                guard let text = entry.text, let time = UInt64(text) else { return entry }
                entry.value = .text(String(time &+ UInt64(samples.lowerBound)))
            case "iXML": if let text = entry.text { entry.value = .text(movedXML(text)) }
            case Self.cuePoints where !points.isEmpty:
                guard !kept.isEmpty else { return nil }
                entry.value = .data(CuePoint.encoded(kept.map { $0.moved(by: samples.lowerBound) }))
            case Self.labels:
                guard let bytes = entry.bytes else { return entry }
                let left = CueLabel.encoded(CueLabel.parse(bytes).filter { !gone.contains($0.identifier) })
                guard !left.isEmpty else { return nil }
                entry.value = .data(left)
            case "plst" where !gone.isEmpty:
                losses.append(
                    MetadataLoss(
                        item: entry.identifier.rawValue, reason: "some of its markers lie outside of the range"))
                return nil
            case "smpl": if let bytes = entry.bytes { entry.value = .data(movedLoops(bytes, &losses)) }
            case "acid": if let bytes = entry.bytes { entry.value = .data(movedBeats(bytes)) }
            default: break
            }
            return entry
        }
        let isBroadcast = entries.contains { $0.keyName?.hasPrefix(BroadcastExtension.prefix) == true }
        let isTimed = entries.contains { $0.keyName == Self.timeReference }
        guard isBroadcast, !isTimed, samples.lowerBound > 0 else { return (moved, losses) }
        let time = MetadataEntry(.audioFile, .text(Self.timeReference), .text(String(samples.lowerBound)))
        return (moved + [time], losses)
    }

    private static let timeReference = BroadcastExtension.prefix + "time-reference"

    /// The lists with those chapters of markers that the range has the markers of: a marker before it goes with its sample.
    package func marked(_ lists: [ChapterList]) -> [ChapterList] {
        let start = CMTime(value: samples.lowerBound, timescale: Int32(clamping: sampleRate))
        return lists.map { list in
            var list = list
            if list.form == .cuePoints { list.chapters.removeAll { $0.start < start } }
            return list
        }
    }

    /// The items without markers whose labels have become chapters.
    package static func withoutChapters(_ entries: [MetadataEntry]) -> [MetadataEntry] {
        let labels = entries.first { $0.keyName == Self.labels }.flatMap(\.bytes).map(CueLabel.parse) ?? []
        let gone: Set<String> = labels.contains { $0.name != CueLabel.title } ? [cuePoints] : [cuePoints, Self.labels]
        var seen: Set<String> = []
        return entries.filter { entry in
            guard let name = entry.keyName, gone.contains(name) else { return true }
            return !seen.insert(name).inserted
        }
    }

    /// The items without those that count samples, which come to lie elsewhere.
    ///
    /// - Parameter areChapters: Whether the labels of markers become chapters.
    package static func dropped(
        from entries: [MetadataEntry], areChapters: Bool
    ) -> (entries: [MetadataEntry], losses: [MetadataLoss]) {
        let counting = Self.counting.union([timeReference])
        let gone = (areChapters ? withoutChapters(entries) : entries).filter {
            $0.keyName.map(counting.contains) ?? false
        }
        let losses = gone.map {
            MetadataLoss(item: $0.identifier.rawValue, reason: "it counts samples, which are others in the new file")
        }
        return (entries.filter { !($0.keyName.map(counting.contains) ?? false) }, losses)
    }

    /// Chunks that count samples, of which a file has one each.
    private static let counting: Set<String> = [cuePoints, labels, "plst", "smpl", "acid"]

    /// The chapters that markers make: each begins at one, and goes on to the next.
    static func chapters(_ entries: [MetadataEntry], sampleRate: Int) -> [Chapter] {
        guard let rate = Int32(exactly: sampleRate), rate > 0,
            let points = entries.first(where: { $0.keyName == cuePoints })?.bytes.map(CuePoint.parse)
        else { return [] }
        let labels = entries.first { $0.keyName == Self.labels }.flatMap(\.bytes).map(CueLabel.parse) ?? []
        let titles = Dictionary(
            labels.filter { $0.name == CueLabel.title }.map { ($0.identifier, $0.text) },
            uniquingKeysWith: { first, _ in first })
        return points.sorted { $0.sample < $1.sample }.map { point in
            let title = titles[point.identifier].map { [Chapter.Title($0)] } ?? []
            return Chapter(start: CMTime(value: Int64(point.sample), timescale: rate), titles: title)
        }
    }

    /// Whether lists say what markers do.
    static func say(_ list: ChapterList, _ markers: [Chapter]) -> Bool {
        list.chapters.count == markers.count
            && zip(list.chapters, markers).allSatisfy { $0.start == $1.start && $0.title == $1.title }
    }

    // MARK: Chunks

    /// Loops count from the first sample; one that is cut is none.
    private func movedLoops(_ bytes: [UInt8], _ losses: inout [MetadataLoss]) -> [UInt8] {
        let (head, size) = (36, 24)
        guard let count = bytes.littleEndian32(at: 28), let loopsEnd = Int(exactly: UInt64(count) * UInt64(size)),
            loopsEnd <= bytes.count - head
        else { return bytes }
        var loops: [[UInt8]] = []
        var cut = 0
        for index in 0..<Int(count) {
            var loop = Array(bytes[(head + index * size)..<(head + (index + 1) * size)])
            guard let first = loop.littleEndian32(at: 8), let last = loop.littleEndian32(at: 12) else { continue }
            guard samples.contains(Int64(first)), samples.contains(Int64(last)) else {
                if Int64(last) >= samples.lowerBound, Int64(first) < samples.upperBound { cut += 1 }
                continue
            }
            loop.replaceSubrange(8..<12, with: Self.bytes(UInt32(Int64(first) - samples.lowerBound)))
            loop.replaceSubrange(12..<16, with: Self.bytes(UInt32(Int64(last) - samples.lowerBound)))
            loops.append(loop)
        }
        if cut > 0 {
            let what = cut == 1 ? "a loop" : "\(cut) loops"
            losses.append(MetadataLoss(item: "caaf/smpl", reason: "\(what) of it does not lie within the range"))
        }
        var new = Array(bytes[..<head])
        new.replaceSubrange(28..<32, with: Self.bytes(UInt32(loops.count)))
        return new + loops.flatMap { $0 } + bytes[(head + loopsEnd)...]
    }

    /// How many beats there are is told by the tempo.
    private func movedBeats(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 24, let bits = bytes.littleEndian32(at: 20) else { return bytes }
        let beats = Double(Float(bitPattern: bits)) * Double(samples.count) / Double(sampleRate) / 60
        guard beats.isFinite, beats > 0, beats < 1e9 else { return bytes }
        var new = bytes
        new.replaceSubrange(12..<16, with: Self.bytes(UInt32(beats.rounded())))
        return new
    }

    /// The same time as in `bext`, in two halves.
    private func movedXML(_ text: String) -> String {
        var text = text
        for name in ["TIMESTAMP_SAMPLES_SINCE_MIDNIGHT", "BWF_TIME_REFERENCE"] {
            for (low, high) in [("_LO", "_HI"), ("_LOW", "_HIGH")] {
                guard let lower = Self.element(name + low, in: text), let low32 = UInt32(text[lower]) else { continue }
                let upper = Self.element(name + high, in: text).flatMap { range in
                    UInt32(text[range]).map { (range: range, number: $0) }
                }
                let time = (UInt64(upper?.number ?? 0) << 32 | UInt64(low32)) &+ UInt64(samples.lowerBound)
                var parts = [(lower, String(UInt32(truncatingIfNeeded: time)))]
                if let upper { parts.append((upper.range, String(time >> 32))) }
                for (range, value) in parts.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
                    text.replaceSubrange(range, with: value)
                }
            }
        }
        return text
    }

    /// Where the content of an element of XML is that has no attributes.
    private static func element(_ name: String, in text: String) -> Range<String.Index>? {
        guard let start = text.firstRange(of: "<\(name)>"),
            let end = text[start.upperBound...].firstRange(of: "</\(name)>")
        else { return nil }
        return start.upperBound..<end.lowerBound
    }

    fileprivate static func bytes(_ number: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: number)
        return bytes
    }
}

/// A marker of the chunk `cue `.
private struct CuePoint {
    private static let length = 24
    let identifier: UInt32
    /// The whole record.
    private var bytes: [UInt8]

    /// Which sample it marks.
    var sample: UInt32 { bytes.littleEndian32(at: 20) ?? 0 }

    static func parse(_ bytes: [UInt8]) -> [CuePoint] {
        guard let count = bytes.littleEndian32(at: 0) else { return [] }
        let present = min(Int(count), (bytes.count - 4) / length)
        return (0..<present).map { index in
            let record = Array(bytes[(4 + index * length)..<(4 + (index + 1) * length)])
            return CuePoint(identifier: record.littleEndian32(at: 0) ?? 0, bytes: record)
        }
    }

    static func encoded(_ points: [CuePoint]) -> [UInt8] {
        WaveMarkers.bytes(UInt32(points.count)) + points.flatMap(\.bytes)
    }

    func moved(by samples: Int64) -> CuePoint {
        var point = self
        let position = Int64(bytes.littleEndian32(at: 4) ?? 0)
        point.bytes.replaceSubrange(20..<24, with: WaveMarkers.bytes(UInt32(clamping: Int64(sample) - samples)))
        // The place in a playlist, which many programs write as the same.
        point.bytes.replaceSubrange(4..<8, with: WaveMarkers.bytes(UInt32(clamping: position - samples)))
        return point
    }
}

/// What the list `adtl` says of a marker.
private struct CueLabel {
    static let title = "labl"
    let name: String
    let identifier: UInt32
    /// The chunk with its header and padding.
    private let bytes: [UInt8]

    var text: String { TextCoding.utf8OrLatin1(bytes.dropFirst(12).prefix { $0 != 0 }) }

    static func parse(_ bytes: [UInt8]) -> [CueLabel] {
        var labels: [CueLabel] = []
        var rest = bytes[...]
        while rest.count >= 12, let size = rest.littleEndian32(at: 4), size >= 4, Int(size) <= rest.count - 8 {
            let chunk = Array(rest.prefix(8 + Int(size) + Int(size % 2)))
            let name = String(latin1: chunk[..<4])
            labels.append(CueLabel(name: name, identifier: chunk.littleEndian32(at: 8) ?? 0, bytes: chunk))
            rest = rest.dropFirst(chunk.count)
        }
        return labels
    }

    static func encoded(_ labels: [CueLabel]) -> [UInt8] { labels.flatMap(\.bytes) }
}

extension MetadataEntry {
    /// The name of an item of WAV files; `nil` for others.
    fileprivate var keyName: String? {
        guard keySpace == .audioFile, case .text(let name) = key else { return nil }
        return name
    }

    fileprivate var bytes: [UInt8]? { if case .data(let bytes) = value { bytes } else { nil } }
}
