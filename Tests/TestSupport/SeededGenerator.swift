@_exported public import MediaCore

extension SeededGenerator {
    /// A number of random bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}

extension SeededGenerator {
    package mutating func double(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }
    package mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}
