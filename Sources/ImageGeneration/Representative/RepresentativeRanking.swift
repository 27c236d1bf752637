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
