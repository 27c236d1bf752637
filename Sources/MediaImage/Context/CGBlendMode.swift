/// How what is drawn is joined with what is there.
///
/// Stands in for Core Graphics' type of the same name, with its values. `colorDodge`, `colorBurn`, `softLight`, `hue`,
/// `saturation`, `color`, `luminosity` and `plusDarker` are drawn as `normal` here.
public enum CGBlendMode: Int32, Sendable {
    /// Over what is there.
    case normal = 0
    /// The product of both.
    case multiply = 1
    /// The inverse of the product of both inverses.
    case screen = 2
    /// Product or screen, by what is there.
    case overlay = 3
    /// The darker of both.
    case darken = 4
    /// The lighter of both.
    case lighten = 5
    /// Not offered: drawn as `normal`.
    case colorDodge = 6
    /// Not offered: drawn as `normal`.
    case colorBurn = 7
    /// Not offered: drawn as `normal`.
    case softLight = 8
    /// Product or screen, by what is drawn.
    case hardLight = 9
    /// The distance of both.
    case difference = 10
    /// As `difference`, with less contrast.
    case exclusion = 11
    /// Not offered: drawn as `normal`.
    case hue = 12
    /// Not offered: drawn as `normal`.
    case saturation = 13
    /// Not offered: drawn as `normal`.
    case color = 14
    /// Not offered: drawn as `normal`.
    case luminosity = 15
    /// Nothing.
    case clear = 16
    /// What is drawn, its alpha with it.
    case copy = 17
    /// What is drawn, where there is something.
    case sourceIn = 18
    /// What is drawn, where there is nothing.
    case sourceOut = 19
    /// Over what is there, as opaque as that.
    case sourceAtop = 20
    /// Under what is there.
    case destinationOver = 21
    /// What is there, where something is drawn.
    case destinationIn = 22
    /// What is there, where nothing is drawn.
    case destinationOut = 23
    /// Under what is there, as opaque as what is drawn.
    case destinationAtop = 24
    /// Each where the other is not.
    case xor = 25
    /// Not offered: drawn as `normal`.
    case plusDarker = 26
    /// The sum of both.
    case plusLighter = 27
}

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
