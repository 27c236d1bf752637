internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// Why a representative frame was taken, as JSON has it.
struct JSONChoice: Codable {
    let considered: Int
    let passedOver: [String: Int]
    let flaw: String?
    let reason: String

    init(_ choice: RepresentativeChoice) {
        considered = choice.considered
        passedOver = Dictionary(uniqueKeysWithValues: choice.passedOver.map { ($0.key.rawValue, $0.value) })
        flaw = choice.flaw?.rawValue
        reason = choice.reason
    }
}
