/// A kind of name for types of files: filename extensions, or MIME types.
public struct UTTagClass: RawRepresentable, Hashable, Sendable {
    /// The class's identifier.
    public let rawValue: String
    /// Makes a class of its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Filename extensions, without their dots.
    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
    /// MIME types.
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")
}
