public import Foundation

// swift-format-ignore: AvoidRetroactiveConformances
/// Cancelled loads, stills and exports throw it, so that it has to be caught as an `NSError` as well.
///
/// Neither the standard library nor Foundation bridges it outside of Apple's systems.
extension CancellationError: @retroactive CustomNSError, @retroactive _ObjectiveCBridgeable, BridgedError {
    /// What the error is called on Apple's systems.
    public static var errorDomain: String { "Swift.CancellationError" }
    /// 1, as on Apple's systems.
    public var errorCode: Int { 1 }
    /// That something was cancelled.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: "The operation was cancelled.", BridgedOriginal.key: BridgedOriginal(self)]
    }
}
