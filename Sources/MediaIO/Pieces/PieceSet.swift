/// All pieces of one result, opened one after the other.
package struct PieceSet: Sendable {
    /// Where they lie, in order.
    package let paths: [String]
    private let head: PieceHead
    private let limits: MediaLimits

    /// - Parameter head: What any of them is a share of.
    package init(_ paths: [String], of head: PieceHead, limits: MediaLimits) {
        (self.paths, self.head, self.limits) = (paths, head, limits)
    }

    /// Opens one.
    package func open(_ index: Int) throws(PieceError) -> PieceReader {
        let head = PieceHead(
            head.kind, maker: head.maker, settings: head.settings, film: head.film, index: index, count: paths.count)
        return try PieceReader(paths[index], expecting: head, limits: limits)
    }
}
