extension RandomAccessCollection {
    /// The first index from which on a condition holds, in a collection where
    /// it holds from some element on; `endIndex` if it never does.
    ///
    /// - Complexity: The logarithm of the count.
    @inlinable package func partitioningIndex(where belongsInSecond: (Element) throws -> Bool) rethrows -> Index {
        var (low, count) = (startIndex, self.count)
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if try belongsInSecond(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
