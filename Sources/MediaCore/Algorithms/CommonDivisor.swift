/// The largest number that divides both; the other number if one is 0.
@inlinable package func greatestCommonDivisor<T: UnsignedInteger>(_ a: T, _ b: T) -> T {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}

/// The smallest number that both divide; neither may be 0.
@inlinable package func leastCommonMultiple<T: UnsignedInteger>(_ a: T, _ b: T) -> T {
    a / greatestCommonDivisor(a, b) * b
}
