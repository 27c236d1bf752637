@_exported public import MediaCore

extension SeededGenerator {
    /// A number of random bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
