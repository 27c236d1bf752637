internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension FailureName {
    /// The name that is an error code's own.
    init(_ code: AVError.Code) { self = Self(rawValue: String(describing: code)) ?? .unknown }
}
