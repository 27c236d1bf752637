/// Puts the results of several workers back into the order of the plan.
///
/// What waits for earlier results is bounded by its cost, such as its bytes: a
/// worker that is too far ahead is held back, the one whose turn it is never is.
package final class OrderedDelivery<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Int: (element: Element, cost: Int)] = [:]
        var waitingCost = 0
        var next = 0
        var isDelivering = false
        var isStopped = false

        /// Takes out the result whose turn it is, or notes that nobody delivers.
        mutating func takeNext() -> Element? {
            guard !isStopped, let (element, cost) = waiting.removeValue(forKey: next) else {
                isDelivering = false
                return nil
            }
            waitingCost -= cost
            return element
        }
    }

    private let state = WaitingLock(State())
    private let budget: Int
    private let cost: @Sendable (Element) -> Int
    private let deliver: @Sendable (Element) -> Bool

    /// Makes a delivery.
    ///
    /// - Parameters:
    ///   - budget: What may wait for an earlier result, one result at the least.
    ///   - cost: What one result counts for.
    ///   - deliver: Called with one result at a time; may block; returns whether
    ///     anybody still listens.
    package init(
        budget: Int, cost: @escaping @Sendable (Element) -> Int, deliver: @escaping @Sendable (Element) -> Bool
    ) {
        self.budget = budget
        self.cost = cost
        self.deliver = deliver
    }

    /// Hands over the result at a position, counted from 0.
    ///
    /// - Returns: Whether anybody still listens.
    package func submit(_ element: Element, at position: Int) -> Bool {
        let own = cost(element)
        let delivers = state.wait { state -> Bool? in
            if state.isStopped { return false }
            let fits = own <= budget - state.waitingCost || state.waiting.isEmpty
            guard fits || position == state.next else { return nil }
            state.waiting[position] = (element, own)
            state.waitingCost += own
            guard position == state.next, !state.isDelivering else { return false }
            state.isDelivering = true
            return true
        }
        if delivers { deliverReady() }
        return state.change { !$0.isStopped }
    }

    private func deliverReady() {
        while let element = state.change({ $0.takeNext() }) {
            let isWanted = deliver(element)
            state.change { state in
                state.next += 1
                if !isWanted { state.isStopped = true }
            }
        }
    }
}
