package import Foundation
package import MediaCore

/// A failure as it travels inside the library: what a function of Core Media will return.
package struct CoreMediaFailure: Error, Hashable, Sendable {
    /// Never 0.
    package let code: OSStatus

    package init(_ code: OSStatus) { self.code = code }

    /// The failure as Swift's forms throw it: the code in the domain of status codes.
    package var error: NSError { NSError(domain: NSOSStatusErrorDomain, code: Int(code)) }
}

/// What a function of C returns: 0, or why a body failed.
func status(_ body: () throws(CoreMediaFailure) -> Void) -> OSStatus {
    do {
        try body()
        return noErr
    } catch {
        return error.code
    }
}

/// Puts what a body makes where the client wants it, nil if it fails.
///
/// - Returns: Why it failed, otherwise 0.
func made<Made>(
    _ out: UnsafeMutablePointer<Made?>, _ body: () throws(CoreMediaFailure) -> Made
) -> OSStatus {
    do {
        out.pointee = try body()
        return noErr
    } catch {
        out.pointee = nil
        return error.code
    }
}

/// What a body gives, its failure as the error that clients of Swift's forms expect.
///
/// - Throws: An `NSError` in the domain of status codes.
func orError<Result>(_ body: () throws(CoreMediaFailure) -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw error.error
    }
}
