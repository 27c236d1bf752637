internal import Foundation

/// Puts the results of several workers back into the order of the plan.
///
/// What waits for earlier results is bounded by its cost, such as its bytes: a
/// worker that is too far ahead is held back, the one whose turn it is never is.
final class OrderedDelivery<Element: Sendable>: @unchecked Sendable {
    // @unchecked Sendable: all state is guarded by the condition's lock.

    private let condition = NSCondition()
    private let budget: Int
    private let cost: @Sendable (Element) -> Int
    private let deliver: @Sendable (Element) -> Bool
    private var waiting: [Int: Element] = [:]
    private var waitingCost = 0
    private var next = 0
    private var isDelivering = false
    private var isStopped = false

    /// Makes a delivery.
    ///
    /// - Parameters:
    ///   - budget: What may wait for an earlier result, one result at the least.
    ///   - cost: What one result counts for.
    ///   - deliver: Called with one result at a time; may block; returns whether
    ///     anybody still listens.
    init(
        budget: Int, cost: @escaping @Sendable (Element) -> Int, deliver: @escaping @Sendable (Element) -> Bool
    ) {
        self.budget = budget
        self.cost = cost
        self.deliver = deliver
    }

    /// Hands over the result at a position, counted from 0.
    ///
    /// - Returns: Whether anybody still listens.
    func submit(_ element: Element, at position: Int) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let own = cost(element)
        while !isStopped, !waiting.isEmpty, waitingCost + own > budget, position != next { condition.wait() }
        guard !isStopped else { return false }
        waiting[position] = element
        waitingCost += own
        if position == next, !isDelivering { deliverReady() }
        return !isStopped
    }

    /// Called with the lock held.
    private func deliverReady() {
        isDelivering = true
        while !isStopped, let element = waiting.removeValue(forKey: next) {
            waitingCost -= cost(element)
            condition.unlock()
            let isWanted = deliver(element)
            condition.lock()
            next += 1
            if !isWanted { isStopped = true }
            condition.broadcast()
        }
        isDelivering = false
    }
}
