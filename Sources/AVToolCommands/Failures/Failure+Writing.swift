package import MediaIO

extension Failure {
    /// Why a file could not be written.
    package init(_ error: FileWriteError) {
        let name: FailureName =
            switch error.kind {
            case .exists: .outputExists
            case .isInput: .outputIsInput
            case .isTaken: .nameTaken
            case .isTerminal: .outputIsTerminal
            case .outputClosed: .outputClosed
            case .cannotCreate: .cannotCreate
            case .diskFull: .diskFull
            case .writeFailed: .writeFailed
            case .tooLarge: .limitReached
            case .cancelled: .cancelled
            case .busy: .fileBusy
            }
        let hint =
            switch error.kind {
            case .exists: "; --force replaces it"
            case .tooLarge: Self.hint(.outputSize)
            default: ""
            }
        self.init(name, name == .cancelled ? "interrupted" : "\(error.path): \(error.reason)\(hint)")
    }

    /// The option that raises a limit.
    package static func hint(_ limit: MediaLimits.Name) -> String {
        "; --limit \(limit.rawValue)=\(limit.unit.placeholder) raises it"
    }
}
