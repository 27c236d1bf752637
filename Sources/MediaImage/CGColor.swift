public import Foundation

/// A colour: components from 0 to 1 in a colour space, and alpha.
///
/// Immutable and safe to share. Stands in for Core Graphics' class of the same name; patterns are not there.
public final class CGColor: Sendable, Hashable {
    /// What the components mean; never `nil`.
    public let colorSpace: CGColorSpace?
    /// The components, alpha last; never `nil`.
    public let components: [CGFloat]?

    private init(_ space: CGColorSpace, _ values: [CGFloat]) { (colorSpace, components) = (space, values) }

    /// A colour of a colour space; never `nil`.
    ///
    /// - Parameter components: As many as the space has, and alpha. Fewer are read beyond their end, as in Core
    ///   Graphics.
    public convenience init?(colorSpace: CGColorSpace, components: UnsafePointer<CGFloat>) {
        self.init(colorSpace, (0...colorSpace.numberOfComponents).map { components[$0] })
    }

    /// A colour of sRGB, which stands for the generic RGB of Core Graphics.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(.standard, [red, green, blue, alpha])
    }

    /// A colour of sRGB.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(.standard, [red, green, blue, alpha])
    }

    /// A grey.
    public convenience init(gray: CGFloat, alpha: CGFloat) { self.init(.deviceGrey, [gray, alpha]) }

    /// A grey.
    public convenience init(genericGrayGamma2_2Gray gray: CGFloat, alpha: CGFloat) {
        self.init(.deviceGrey, [gray, alpha])
    }

    /// Opaque black.
    public static let black = CGColor(gray: 0, alpha: 1)
    /// Opaque white.
    public static let white = CGColor(gray: 1, alpha: 1)
    /// Nothing.
    public static let clear = CGColor(gray: 0, alpha: 0)

    /// How opaque the colour is, from 0 to 1.
    public var alpha: CGFloat { components?.last ?? 1 }
    /// How many components there are, alpha among them.
    public var numberOfComponents: Int { components?.count ?? 0 }

    /// The same colour; never `nil`.
    public func copy() -> CGColor? { self }

    /// The same colour, as opaque as said; never `nil`.
    public func copy(alpha: CGFloat) -> CGColor? {
        CGColor(colorSpace ?? .standard, (components ?? []).dropLast() + [alpha])
    }

    /// Whether space and components are the same.
    public static func == (left: CGColor, right: CGColor) -> Bool {
        left.colorSpace == right.colorSpace && left.components == right.components
    }

    /// Mixes in the components.
    public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}
