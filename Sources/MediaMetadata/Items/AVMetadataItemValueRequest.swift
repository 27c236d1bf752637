public import Foundation
internal import Synchronization

/// Asks for the value of an item; any thread may answer, and the first answer counts.
public final class AVMetadataItemValueRequest: Sendable {
    private let answered = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<MetadataItemState.Value?, any Error>?>(nil)
    /// The item whose value is wanted; never `nil`.
    public let metadataItem: AVMetadataItem?

    init(item: AVMetadataItem) { metadataItem = item }

    /// Gives the value: an `NSString`, `NSNumber`, `NSDate` or `NSData`; all else counts as none.
    public func respond(value: (any NSCopying & NSObjectProtocol)?) {
        give(.success(value.flatMap(MetadataItemState.Value.init(object:))))
    }

    /// Says why there is no value: `load(_:)` throws this error, and the properties are `nil`.
    public func respond(error: any Error) { give(.failure(error)) }

    private func give(_ answer: Result<MetadataItemState.Value?, any Error>) {
        let isFirst = result.withLock { result in
            guard result == nil else { return false }
            result = answer
            return true
        }
        if isFirst { answered.signal() }
    }

    func answer() -> Result<MetadataItemState.Value?, any Error> {
        answered.wait()
        return result.withLock { $0 } ?? .success(nil)
    }
}
