package import Foundation

extension NSError {
    /// The error that this one stands for; of errors of Foundation's own, the one that Swift knows.
    package var bridgedOriginal: any Error {
        if let original = (userInfo[BridgedOriginal.key] as? BridgedOriginal)?.error { return original }
        return domain == NSCocoaErrorDomain ? CocoaError(_nsError: self) : self
    }
}
