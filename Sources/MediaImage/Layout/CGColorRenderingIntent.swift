/// What is kept of colours that another space lacks.
///
/// Stands in for Core Graphics' type of the same name. Nothing of ours converts by it; images remember it.
public enum CGColorRenderingIntent: Int32, Sendable {
    /// Left to the context.
    case defaultIntent = 0
    /// Colours as they are, white included.
    case absoluteColorimetric = 1
    /// Colours against the white of the space.
    case relativeColorimetric = 2
    /// The relations of colours.
    case perceptual = 3
    /// How vivid colours are.
    case saturation = 4
}
