public import MediaCore

/// Why a frame was taken to stand for what is shown around a time.
public struct RepresentativeChoice: Sendable, Hashable {
    /// What speaks against a frame.
    public enum Flaw: String, Sendable, Hashable, CaseIterable {
        /// Black or nearly so.
        case black
        /// One flat colour or nearly so.
        case flat
        /// Less than half as sharp as the sharpest frame nearby.
        case blurred
        /// Part of a cut, a dissolve, a fade or a fast move.
        case transition
    }

    /// How many frames were looked at, up to nine.
    public let considered: Int
    /// How many of them were passed over, by flaw; those without a flaw are not counted.
    public let passedOver: [Flaw: Int]
    /// The flaw of the frame taken, where there was none without; else `nil`.
    public let flaw: Flaw?
    /// How far the frame lies from the requested time, negative before it.
    public let offset: CMTime

    /// The choice in one line.
    public var reason: String {
        let passed = Flaw.allCases.compactMap { flaw in passedOver[flaw].map { "\($0) \(flaw.rawValue)" } }
        if let flaw {
            return "all \(considered) frames nearby have flaws; the least of them: \(flaw.rawValue)"
        }
        let others = passed.isEmpty ? "" : ", passed over " + passed.joined(separator: ", ")
        return "best of \(considered) frames\(others)"
    }
}

/// One frame that could stand for its scene.
struct RepresentativeCandidate: Sendable {
    let measure: PictureMeasure
    /// The mean difference from the picture a moment later, 0 to 255.
    let change: Double
    /// Its distance from the requested time as a share of the window, 0 to 1.
    let distance: Double
}

/// Chooses among the frames around a time.
enum RepresentativeRanking {
    /// What speaks against each candidate, `nil` for nothing.
    static func flaws(of candidates: [RepresentativeCandidate]) -> [RepresentativeChoice.Flaw?] {
        let usable = candidates.filter { !$0.measure.isBlack && !$0.measure.isFlat }
        let contrast = usable.map(\.measure.contrast).max() ?? 0
        let coverage = usable.map(\.measure.coverage).max() ?? 0
        // Fog has some contrast; beside a clear picture it has little, and in few places.
        func isFaint(_ measure: PictureMeasure) -> Bool {
            measure.contrast < contrast / 2 && measure.coverage < 0.6 * coverage
        }
        let clear = usable.filter { !isFaint($0.measure) }
        let sharpest = clear.map(\.measure.sharpness).max() ?? 0
        let changes = clear.map(\.change).sorted()
        let usual = changes.isEmpty ? 0 : changes[changes.count / 2]
        return candidates.map { candidate in
            if candidate.measure.isBlack { return .black }
            if candidate.measure.isFlat || isFaint(candidate.measure) { return .flat }
            if candidate.change > max(4, 2.5 * usual) { return .transition }
            return candidate.measure.sharpness < 0.6 * sharpest ? .blurred : nil
        }
    }

    /// The position of the best candidate: of those without flaws if there are any.
    static func best(of candidates: [RepresentativeCandidate], flaws: [RepresentativeChoice.Flaw?]) -> Int? {
        let sharpest = max(1e-9, candidates.map(\.measure.sharpness).max() ?? 0)
        func score(_ index: Int) -> Double {
            let candidate = candidates[index]
            let exposure = 1 - abs(candidate.measure.brightness - 118) / 137
            let order: Double =
                switch flaws[index] {
                case nil: 0
                case .blurred: -10
                case .transition: -20
                case .flat: -30
                case .black: -40
                }
            return order + 0.3 * candidate.measure.sharpness / sharpest + 0.25 * candidate.measure.coverage
                + 0.3 * min(1, candidate.measure.contrast / 64) + 0.2 * exposure - 0.02 * candidate.change
                - 0.2 * candidate.distance
        }
        return candidates.indices.max { score($0) < score($1) }
    }
}

/// What a small grey picture tells of how well a frame stands for its scene.
///
/// Black bars do not count. What is measured of detail is measured block by
/// block, so that one hard edge does not make up for fog everywhere else.
struct PictureMeasure: Sendable {
    /// 0 to 255.
    let brightness: Double
    /// The standard deviation of brightness.
    let contrast: Double
    /// The strength of detail, next to contrast: the mean over blocks of the Laplacian's root mean square.
    let sharpness: Double
    /// The share of blocks in which there is something to see.
    let coverage: Double
    let isBlack: Bool
    private let luma: [UInt8]

    /// Blocks along each side of the picture.
    private static let blocks = 8
    /// The standard deviation below which nothing is to be seen in a block.
    private static let visibleContrast = 4.0

    /// - Parameter luma: `width × height` samples; rows that are not there do not count.
    init(luma: [UInt8], width: Int, height: Int) {
        self.luma = luma
        let height = width > 0 ? min(height, luma.count / width) : 0
        let whole = Area(columns: 0..<max(0, width), rows: 0..<max(0, height), stride: width)
        let all = whole.spread(of: luma)
        isBlack = all.mean < 20 && all.deviation < 14
        let inside = whole.withoutBars(in: luma)
        (brightness, contrast) = inside.spread(of: luma)
        var (detail, covered, count) = (0.0, 0.0, 0.0)
        for block in inside.parts(Self.blocks) {
            count += 1
            detail += block.laplacian(of: luma, inside: inside)
            if block.spread(of: luma).deviation > Self.visibleContrast { covered += 1 }
        }
        sharpness = detail / max(1, count)
        coverage = covered / max(1, count)
    }

    var isFlat: Bool { contrast < 6 }

    /// The mean difference of brightness from another picture of the same size, 0 to 255.
    func difference(from other: PictureMeasure) -> Double {
        guard luma.count == other.luma.count, !luma.isEmpty else { return 255 }
        let sum = luma.withUnsafeBufferPointer { one in
            other.luma.withUnsafeBufferPointer { two in
                var (sum, index) = (0, 0)
                while index < one.count {
                    sum += abs(Int(one[index]) - Int(two[index]))
                    index += 1
                }
                return sum
            }
        }
        return Double(sum) / Double(luma.count)
    }
}

/// A part of a picture of grey samples.
///
/// Samples are counted by index: without the optimiser, iterators take many times as long.
private struct Area {
    var columns: Range<Int>
    var rows: Range<Int>
    /// Samples from one row to the next.
    let stride: Int

    private var count: Int { columns.count * rows.count }

    /// The mean and the standard deviation.
    func spread(of luma: [UInt8]) -> (mean: Double, deviation: Double) {
        guard count > 0 else { return (0, 0) }
        var (sum, squares) = (0, 0)
        luma.withUnsafeBufferPointer { luma in
            for row in rows {
                var here = row * stride + columns.lowerBound
                let end = here + columns.count
                while here < end {
                    let value = Int(luma[here])
                    sum += value
                    squares += value * value
                    here += 1
                }
            }
        }
        let mean = Double(sum) / Double(count)
        return (mean, max(0, Double(squares) / Double(count) - mean * mean).squareRoot())
    }

    /// The part between dark rows and columns at the edges.
    ///
    /// What is dark by more than two fifths from one side is no bar, but part of the picture.
    func withoutBars(in luma: [UInt8]) -> Area {
        func isBright(_ area: Area) -> Bool { area.spread(of: luma).mean >= 16 }
        let brightColumns = columns.filter { isBright(Area(columns: $0..<($0 + 1), rows: rows, stride: stride)) }
        let brightRows = rows.filter { isBright(Area(columns: columns, rows: $0..<($0 + 1), stride: stride)) }
        return Area(
            columns: Self.shortened(columns, to: brightColumns), rows: Self.shortened(rows, to: brightRows),
            stride: stride)
    }

    /// From the first to the last of some numbers; where that takes something off, a scaled picture's mixed row too.
    private static func shortened(_ range: Range<Int>, to kept: [Int]) -> Range<Int> {
        guard let first = kept.first, let last = kept.last,
            max(first - range.lowerBound, range.upperBound - 1 - last) * 5 <= range.count * 2
        else { return range }
        let start = first > range.lowerBound ? first + 1 : first
        let end = last + 1 < range.upperBound ? last : last + 1
        return start..<max(start, end)
    }

    /// Blocks of nearly equal size, so many along each side, fewer where there are not as many samples.
    func parts(_ number: Int) -> [Area] {
        func split(_ range: Range<Int>) -> [Range<Int>] {
            (0..<number).map { part in
                (range.lowerBound + range.count * part / number)..<(range.lowerBound + range.count * (part + 1) / number)
            }.filter { !$0.isEmpty }
        }
        return split(rows).flatMap { rows in
            split(columns).map { Area(columns: $0, rows: rows, stride: stride) }
        }
    }

    /// The root mean square of the Laplacian at the samples that have all neighbours inside of another area.
    func laplacian(of luma: [UInt8], inside whole: Area) -> Double {
        let rows = rows.clamped(
            to: (whole.rows.lowerBound + 1)..<max(whole.rows.lowerBound + 1, whole.rows.upperBound - 1))
        let columns = columns.clamped(
            to: (whole.columns.lowerBound + 1)..<max(whole.columns.lowerBound + 1, whole.columns.upperBound - 1))
        var detail = 0
        luma.withUnsafeBufferPointer { luma in
            for row in rows {
                var here = row * stride + columns.lowerBound
                let end = here + columns.count
                while here < end {
                    let around =
                        Int(luma[here - 1]) + Int(luma[here + 1]) + Int(luma[here - stride]) + Int(luma[here + stride])
                    let laplacian = 4 * Int(luma[here]) - around
                    detail += laplacian * laplacian
                    here += 1
                }
            }
        }
        return (Double(detail) / Double(max(1, rows.count * columns.count))).squareRoot()
    }
}

extension AVAssetImageGenerator {
    /// How far representative frames may lie from their times: no further than
    /// halfway to the next one.
    package static func representativeWindow(_ wanted: CMTime, for times: [CMTime]) -> CMTime {
        let sorted = times.filter(\.isNumeric).sorted()
        let gaps = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.filter { $0 > .zero }
        guard let gap = gaps.min() else { return wanted }
        // A half that is rounded up would give two windows a frame in common.
        let (timescale, overflow) = gap.timescale.multipliedReportingOverflow(by: 2)
        let half =
            overflow
            ? CMTime(value: gap.value / 2, timescale: gap.timescale) : CMTime(value: gap.value, timescale: timescale)
        return min(wanted, half)
    }
}
