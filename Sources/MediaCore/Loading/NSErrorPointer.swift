public import Foundation

/// Where a function puts the error that it does not throw: `&error` of a variable of type `NSError?`, or `nil`.
///
/// - Note: Foundation has this name on Apple's platforms only, for a pointer that releases its object by itself.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
