internal import Foundation

/// How much of the tests runs: the default tier, or all there is.
package enum Tier {
    /// Whether all runs: `scripts/test --full`.
    package static let isFull = ProcessInfo.processInfo.environment["AVTOOL_TESTS"] == "full"

    /// Why a test that is of the full tier alone is skipped.
    package static let skipReason = "of the full tier: scripts/test --full"

    /// Some of the cases of a test that takes long with all of them, the first included and the others evenly spread;
    /// all in the full tier.
    package static func some<Cases: Collection>(_ cases: Cases, _ count: Int) -> [Cases.Element] {
        let all = Array(cases)
        return isFull || all.count <= count ? all : (0..<count).map { all[$0 * all.count / count] }
    }
}
