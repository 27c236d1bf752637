import Foundation
import MediaCore
import Testing

@Suite struct `Affine transforms` {
    /// ISO/IEC 14496-12: 16.16 fixed point, but 2.30 in the last column, where a plane's transform has 0, 0, 1.
    @Test func `A transform as the matrix of a track header has 0, 0 and 1 in its last column`() {
        let quarter = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 240, ty: 0)
        #expect(quarter.displayMatrix == [0, 1 << 16, 0, -1 << 16, 0, 0, 240 << 16, 0, 1 << 30])
    }
}
