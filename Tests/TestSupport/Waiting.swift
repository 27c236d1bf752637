/// Waits for a condition, which is looked at every few milliseconds.
package func eventually(within limit: Duration, _ condition: @Sendable () -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
