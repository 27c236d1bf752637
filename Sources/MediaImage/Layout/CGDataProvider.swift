public import Foundation
internal import Synchronization

/// Where the bytes of an image come from.
///
/// Stands in for Core Graphics' class of the same name. That of an image makes its bytes when they are asked for, and
/// keeps them as long as it lives; the image does not.
public final class CGDataProvider: Sendable {
    private let make: @Sendable () -> Data
    private let made = Mutex<Data?>(nil)

    /// Makes a provider of bytes in memory; never `nil` here.
    public init?(data: NSData) {
        let bytes = Data(referencing: data)
        make = { bytes }
    }

    /// Makes a provider of a file's bytes; `nil` if it is no file that can be read.
    ///
    /// - Complexity: Reads the file.
    public init?(url: NSURL) {
        guard let url = url as URL?, url.isFileURL, let bytes = try? Data(contentsOf: url) else {
            return nil
        }
        make = { bytes }
    }

    init(_ make: @escaping @Sendable () -> Data) { self.make = make }

    /// The bytes.
    var bytes: Data {
        made.withLock { made in
            if let made { return made }
            let bytes = make()
            made = bytes
            return bytes
        }
    }

    /// All bytes; never `nil` here.
    ///
    /// - Complexity: For an image that was decoded, one pass over its pixels at the first call.
    public var data: NSData? { bytes as NSData }
}
