internal import AVToolCommands

/// Why a unit is not done, or units are not joined, as JSON has it.
struct JSONRefusal: Encodable {
    struct Reason: Encodable {
        let code: String
        let message: String
        let retry: String
    }

    let error: Reason
    let plan: String
    let unit: Int?

    init(_ failure: Failure, plan: String, unit: Int? = nil) {
        error = Reason(
            code: failure.name.rawValue, message: failure.message, retry: failure.name.retry.rawValue)
        (self.plan, self.unit) = (plan, unit)
    }
}
