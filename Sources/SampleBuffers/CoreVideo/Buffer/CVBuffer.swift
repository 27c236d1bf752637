internal import Foundation
package import MediaCore
internal import Synchronization

/// A picture in memory, and what is attached to it.
///
/// Made by ``CVPixelBufferCreate(_:_:_:_:_:_:)`` and the like, or taken from a ``CVPixelBufferPool``. Two buffers are
/// the same only if they are one object.
///
/// - Note: A type of Core Foundation's on Apple's platforms, where there are buffers of other kinds as well. Here all
///   hold pixels in main memory.
///
/// `@unchecked Sendable`: sizes and addresses never change, locks and attachments are behind mutexes. The pixels are
/// what clients share: as in Core Video, whoever writes has to see to it that nobody else uses them meanwhile.
public final class CVBuffer: @unchecked Sendable {
    /// One of `kCVPixelFormatType_…`.
    package let pixelFormat: OSType
    /// Pixels in a row of the picture.
    package let width: Int
    /// Rows of the picture.
    package let height: Int
    /// Whether Core Video counts planes.
    package let isPlanar: Bool
    let storage: PixelStorage
    /// Where everything lies, if the memory is ours: only then is there anything around the picture.
    let layout: PixelBufferLayout?
    /// What whoever made the buffer asked for; a copy that nobody changes.
    private let stated: NSDictionary?
    let locks = Mutex(BaseAddressLocks())
    let attached = Mutex(Attachments())

    private init(
        pixelFormat: OSType, width: Int, height: Int, isPlanar: Bool, storage: PixelStorage,
        layout: PixelBufferLayout?, attributes: NSDictionary?
    ) {
        (self.pixelFormat, self.width, self.height, self.isPlanar) = (pixelFormat, width, height, isPlanar)
        (self.storage, self.layout, stated) = (storage, layout, attributes)
    }

    /// What the buffer was made with; a new copy.
    var attributes: NSMutableDictionary {
        let attributes = stated?.copyByText() ?? NSMutableDictionary()
        attributes.setObject(NSNumber(value: pixelFormat), forKey: kCVPixelBufferPixelFormatTypeKey)
        attributes.setObject(NSNumber(value: width), forKey: kCVPixelBufferWidthKey)
        attributes.setObject(NSNumber(value: height), forKey: kCVPixelBufferHeightKey)
        return attributes
    }

    /// A buffer in memory of our own.
    ///
    /// - Parameter attributes: A copy that nobody changes.
    convenience init(_ layout: PixelBufferLayout, storage: PixelStorage, attributes: NSDictionary?) {
        self.init(
            pixelFormat: layout.pixelFormat, width: layout.width, height: layout.height, isPlanar: layout.isPlanar,
            storage: storage, layout: layout, attributes: attributes)
    }

    /// A buffer in memory of somebody else, which has been looked at.
    ///
    /// - Parameter attributes: A copy that nobody changes.
    convenience init(
        pixelFormat: OSType, width: Int, height: Int, isPlanar: Bool, storage: PixelStorage, attributes: NSDictionary?
    ) {
        self.init(
            pixelFormat: pixelFormat, width: width, height: height, isPlanar: isPlanar, storage: storage, layout: nil,
            attributes: attributes)
    }
}

/// A buffer that holds a picture.
public typealias CVImageBuffer = CVBuffer
/// A buffer that holds a picture's pixels in main memory.
public typealias CVPixelBuffer = CVImageBuffer

extension CVBuffer: Hashable {
    /// Whether it is one buffer.
    public static func == (left: CVBuffer, right: CVBuffer) -> Bool { left === right }
    /// Mixes in which buffer it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
