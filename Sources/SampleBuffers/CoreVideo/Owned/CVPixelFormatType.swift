public import MediaCore

/// How pixels lie in memory: a code of four characters, such as `kCVPixelFormatType_32BGRA`.
public struct CVPixelFormatType: RawRepresentable, Hashable, Sendable {
    /// The code.
    public var rawValue: OSType
    /// A type of its code.
    public init(rawValue: OSType) { self.rawValue = rawValue }
    /// Whether there is a form of it that takes less memory: never.
    public var isCompressionAvailable: Bool { false }
}
