internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A change of a file's metadata as JSON has it.
struct JSONEdit: EditDocument {
    struct Loss: Codable {
        let item: String
        let effect: String
        let reason: String

        init(_ loss: MetadataLoss) {
            (item, effect, reason) = (loss.item, loss.isChange ? "changed" : "lost", loss.reason)
        }
    }

    let source: String
    let file: String
    let method: String
    let size: UInt64
    let dryRun: Bool
    let losses: [Loss]
    let removed: [JSONPrivateDetail]?
}

/// What a command prints as JSON that changes metadata.
protocol EditDocument: ResultDocument {
    init(_ edit: JSONEdit)
}

extension JSONEdit {
    init(_ edit: JSONEdit) { self = edit }
}
