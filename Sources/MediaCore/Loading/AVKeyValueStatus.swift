/// How far the value of a key has come.
public enum AVKeyValueStatus: Int, Sendable {
    /// Nobody asked for it yet.
    case unknown = 0
    /// Under way.
    case loading = 1
    /// There.
    case loaded = 2
    /// Failed.
    case failed = 3
    /// Cancelled before it was there.
    case cancelled = 4
}
