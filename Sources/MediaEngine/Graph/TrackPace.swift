package import MediaCore

/// Keeps two groups of tracks in step that are made apart: pictures that are encoded in segments, and everything else.
///
/// libavformat puts packets of all tracks in order as long as none is far behind; one that is, it leaves out of account.
/// Neither group waits for one that is behind it, so that never both wait.
package final class TrackPace: Sendable {
    package enum Group: Sendable, CaseIterable { case segments, others }

    private struct State {
        /// How far each group has come; what waits counts as there.
        var reached: [Group: CMTime] = [:]
        var ended: Set<Group> = []
        var isStopped = false
    }

    private let state = WaitingLock(State())
    /// How far a group may be ahead of the other one; libavformat waits for ten seconds.
    private static let lead = CMTime(value: 4, timescale: 1)

    package init(_ cancellation: Cancellation) {
        let state = state
        cancellation.onCancel { state.change { $0.isStopped = true } }
    }

    /// Waits until a group may be at a time.
    package func wait(_ group: Group, at time: CMTime) throws(WorkStopped) {
        state.change { $0.reached[group] = max($0.reached[group] ?? time, time) }
        try state.wait { state throws(WorkStopped) -> Void? in
            if state.isStopped { throw WorkStopped() }
            let isInStep = Group.allCases.allSatisfy { other in
                other == group || state.ended.contains(other)
                    || time <= (state.reached[other] ?? .zero) + Self.lead
            }
            return isInStep ? () : nil
        }
    }

    /// A group has nothing more.
    package func end(_ group: Group) { state.change { _ = $0.ended.insert(group) } }
}
