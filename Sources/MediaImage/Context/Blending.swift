extension CGBlendMode {
    /// Joins two pixels, from 0 to 1, colours multiplied by alpha, which is last.
    ///
    /// Source: W3C Compositing and Blending Level 1, sections 5, 9 and 10.
    func joined(_ source: SIMD4<Float>, over target: SIMD4<Float>) -> SIMD4<Float> {
        let (above, below) = (source.w, target.w)
        return switch self {
        case .clear: .zero
        case .copy: source
        case .sourceIn: source * below
        case .sourceOut: source * (1 - below)
        case .sourceAtop: source * below + target * (1 - above)
        case .destinationOver: source * (1 - below) + target
        case .destinationIn: target * above
        case .destinationOut: target * (1 - above)
        case .destinationAtop: source * (1 - below) + target * above
        case .xor: source * (1 - below) + target * (1 - above)
        case .plusLighter: (source + target).clamped(lowerBound: .zero, upperBound: .one)
        case .multiply, .screen, .overlay, .darken, .lighten, .hardLight, .difference, .exclusion:
            blended(source, target)
        default: source + target * (1 - above)
        }
    }

    private func blended(_ source: SIMD4<Float>, _ target: SIMD4<Float>) -> SIMD4<Float> {
        let (above, below) = (source.w, target.w)
        guard above > 0, below > 0 else { return source + target * (1 - above) }
        let (s, t) = (source / above, target / below)
        var mixed = SIMD4<Float>()
        for index in 0..<3 { mixed[index] = component(s[index], t[index]) }
        var result = source * (1 - below) + target * (1 - above) + mixed * (above * below)
        result.w = above + below - above * below
        return result
    }

    private func component(_ s: Float, _ t: Float) -> Float {
        switch self {
        case .multiply: s * t
        case .screen: s + t - s * t
        case .darken: min(s, t)
        case .lighten: max(s, t)
        case .difference: abs(s - t)
        case .exclusion: s + t - 2 * s * t
        case .hardLight: s <= 0.5 ? 2 * s * t : 1 - 2 * (1 - s) * (1 - t)
        case .overlay: t <= 0.5 ? 2 * s * t : 1 - 2 * (1 - s) * (1 - t)
        default: s
        }
    }
}
