/// What kinds of components a colour space has.
///
/// Stands in for Core Graphics' type of the same name. Spaces of ours are `.rgb` or `.monochrome`.
public enum CGColorSpaceModel: Int32, Sendable {
    /// Not known.
    case unknown = -1
    /// Grey.
    case monochrome = 0
    /// Red, green, blue.
    case rgb = 1
    /// Cyan, magenta, yellow, black.
    case cmyk = 2
    /// Lightness and two opponent colours.
    case lab = 3
    /// Any inks.
    case deviceN = 4
    /// A table of another space's colours.
    case indexed = 5
    /// Patterns.
    case pattern = 6
    /// The values of CIE 1931.
    case XYZ = 7
}
