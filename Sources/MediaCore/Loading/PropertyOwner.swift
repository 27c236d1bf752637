internal import Foundation

/// An object whose properties stand in a registry.
package protocol PropertyOwner: AVAsynchronousKeyValueLoading {
    /// How far each property has come.
    var propertyStore: PropertyStore { get }
    /// The property that key-value loading knows by a key; `nil` if there is none.
    func property(forKey key: String) -> KeyedProperty?
}

extension PropertyOwner {
    /// Loads the values of several keys, then calls the handler once: at once
    /// if nothing needs loading, else from another thread.
    public func loadValuesAsynchronously(forKeys keys: [String], completionHandler: (@Sendable () -> Void)?) {
        let missing = keys.compactMap(property(forKey:)).filter { property in
            switch propertyStore.state(of: property.name) {
            case .none, .cancelled, .loading: true
            case .loaded, .failed: false
            }
        }
        guard !missing.isEmpty else {
            completionHandler?()
            return
        }
        for property in missing { propertyStore.begin(property.name) }
        Task {
            for property in missing {
                do {
                    propertyStore.finish(property.name, with: .success(try await BlockingWork.run(property.load)))
                } catch {
                    propertyStore.finish(property.name, with: .failure(error))
                }
            }
            completionHandler?()
        }
    }

    /// How far the value of a key has come, and why it failed if it did.
    public func statusOfValue(forKey key: String, error: NSErrorPointer) -> AVKeyValueStatus {
        guard let property = property(forKey: key) else {
            error?.pointee = AVError(.operationNotAllowed, reason: "there is no key named \(key)") as NSError
            return .failed
        }
        switch propertyStore.state(of: property.name) {
        case .none: return .unknown
        case .loading: return .loading
        case .loaded: return .loaded
        case .cancelled:
            error?.pointee = AVError(.operationCancelled, reason: "loading was cancelled") as NSError
            return .cancelled
        case .failed(let failure):
            error?.pointee = failure as NSError
            return .failed
        }
    }
}
