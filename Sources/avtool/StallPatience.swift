internal import MediaIO

/// Waits for what a copy of the worker says, for as long as its work gets further.
///
/// Only time in which nothing comes counts: what a slow terminal or a slow disk takes here is no fault of the copy's.
struct StallPatience {
    private let channel: Channel
    private let limit: Duration?
    /// How long was waited since the work got further.
    private var waited = Duration.zero
    /// What the channel has been told.
    private var told: Duration?

    /// - Parameter limit: In thousandths of a second; `nil` for none.
    init(_ channel: Channel, limit: Int64?) {
        (self.channel, self.limit) = (channel, limit.map { .milliseconds($0) })
    }

    /// Waits for what comes next.
    ///
    /// - Throws: `ChannelError`, of its kind for timeouts if the work gets no further.
    mutating func next() throws(ChannelError) -> Channel.Message<WorkNews>? {
        guard let limit else { return try channel.receive(WorkNews.self) }
        let left = limit - waited
        guard left > .zero else { throw ChannelError(reason: "it gets no further", kind: .timeout) }
        if left != told {
            channel.setPatience(left)
            told = left
        }
        let began = ContinuousClock.now
        let message = try channel.receive(WorkNews.self)
        if case .progress = message?.value {
            waited += ContinuousClock.now - began
        } else {
            waited = .zero
        }
        return message
    }
}
