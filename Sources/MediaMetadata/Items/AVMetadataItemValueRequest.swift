public import Foundation
internal import Synchronization

/// Asks for the value of an item.
public final class AVMetadataItemValueRequest: Sendable {
    private let answered = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<MetadataItemState.Value?, any Error>?>(nil)
    /// The item whose value is wanted.
    public let metadataItem: AVMetadataItem?

    init(item: AVMetadataItem) { metadataItem = item }

    /// Gives the value.
    public func respond(value: (any NSCopying & NSObjectProtocol)?) {
        give(.success(value.flatMap(MetadataItemState.Value.init(object:))))
    }

    /// Says why there is no value.
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
