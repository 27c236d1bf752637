/// What a small grey picture tells of how well a frame stands for its scene.
struct PictureMeasure: Sendable {
    /// 0 to 255.
    let brightness: Double
    /// The standard deviation of brightness.
    let contrast: Double
    /// The strength of detail, next to contrast: the mean square of the Laplacian.
    let sharpness: Double
    private let luma: [UInt8]

    /// - Parameter luma: `width × height` samples.
    init(luma: [UInt8], width: Int, height: Int) {
        self.luma = luma
        let count = Double(max(1, luma.count))
        let sum = luma.reduce(0) { $0 + Double($1) }
        let mean = sum / count
        brightness = mean
        contrast = (luma.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count).squareRoot()
        var detail = 0
        for row in 1..<max(1, height - 1) {
            for column in 1..<max(1, width - 1) {
                let here = row * width + column
                let around =
                    Int(luma[here - 1]) + Int(luma[here + 1]) + Int(luma[here - width]) + Int(luma[here + width])
                let laplacian = 4 * Int(luma[here]) - around
                detail += laplacian * laplacian
            }
        }
        sharpness = Double(detail) / count
    }

    var isBlack: Bool { brightness < 20 && contrast < 14 }
    var isFlat: Bool { contrast < 6 }

    /// The mean difference of brightness from another picture of the same size, 0 to 255.
    func difference(from other: PictureMeasure) -> Double {
        guard luma.count == other.luma.count, !luma.isEmpty else { return 255 }
        return Double(zip(luma, other.luma).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(luma.count)
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
        let sharpest = usable.map(\.measure.sharpness).max() ?? 0
        let changes = usable.map(\.change).sorted()
        let usual = changes.isEmpty ? 0 : changes[changes.count / 2]
        return candidates.map { candidate in
            if candidate.measure.isBlack { return .black }
            if candidate.measure.isFlat { return .flat }
            if candidate.change > max(4, 2.5 * usual) { return .transition }
            return candidate.measure.sharpness < sharpest / 2 ? .blurred : nil
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
            return order + 0.5 * (candidate.measure.sharpness / sharpest).squareRoot()
                + 0.3 * min(1, candidate.measure.contrast / 64) + 0.2 * exposure - 0.02 * candidate.change
                - 0.2 * candidate.distance
        }
        return candidates.indices.max { score($0) < score($1) }
    }
}
