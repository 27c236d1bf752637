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
