public import Foundation
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

extension CVBuffer {
    /// Makes a buffer of memory that is there already, without a copy: of a decoded frame, for instance.
    ///
    /// - Parameters:
    ///   - planes: As many as the format has, one for formats that are not planar; each at least as large as the
    ///     format asks for, with rows from the top. Nobody else may write to them while the buffer lives.
    ///   - pixelFormat: One of `kCVPixelFormatType_…`.
    ///   - width: Pixels in a row, from 1 to 16384.
    ///   - height: Rows, from 1 to 16384.
    ///   - release: Called once, when the buffer goes, on whatever thread that happens; never if it fails.
    /// - Throws: `kCVReturnInvalidArgument` for sizes below 1 and planes that do not fit, `kCVReturnInvalidSize` for
    ///   sides that are too long, `kCVReturnInvalidPixelFormat` for formats that are none.
    package convenience init(
        adopting planes: [PixelPlane], pixelFormat: OSType, width: Int, height: Int,
        release: @escaping @Sendable () -> Void
    ) throws(PixelBufferFailure) {
        let description = try PixelBufferLayout.description(of: pixelFormat, width: width, height: height)
        let byteCount = try Self.byteCount(of: planes, description)
        let fits = zip(planes, description.planes).allSatisfy { plane, format in
            plane.width >= format.columns(width) && plane.height >= format.rows(height)
        }
        guard fits else { throw PixelBufferFailure(kCVReturnInvalidArgument) }
        // Of larger planes only the picture is shown.
        let shown = zip(planes, description.planes).map { plane, format in
            PixelPlane(
                address: plane.address, width: format.columns(width), height: format.rows(height),
                bytesPerRow: plane.bytesPerRow)
        }
        self.init(
            pixelFormat: pixelFormat, width: width, height: height, isPlanar: description.isPlanar,
            storage: PixelStorage(planes: shown, byteCount: byteCount, release: release), attributes: nil)
    }

    /// Bytes that planes take, padding after their last rows included.
    ///
    /// - Throws: `kCVReturnInvalidArgument` if there are not as many as the format has, or rows are too short.
    static func byteCount(
        of planes: [PixelPlane], _ description: PixelFormatDescription
    ) throws(PixelBufferFailure) -> Int {
        guard planes.count == description.planes.count else { throw PixelBufferFailure(kCVReturnInvalidArgument) }
        var sum = 0
        for (plane, format) in zip(planes, description.planes) {
            guard plane.width > 0, plane.height > 0, let row = format.rowByteCount(plane.width),
                plane.bytesPerRow >= row
            else { throw PixelBufferFailure(kCVReturnInvalidArgument) }
            let (bytes, tooMany) = plane.bytesPerRow.multipliedReportingOverflow(by: plane.height)
            let (next, tooLarge) = sum.addingReportingOverflow(bytes)
            guard !tooMany, !tooLarge else { throw PixelBufferFailure(kCVReturnInvalidArgument) }
            sum = next
        }
        return sum
    }
}

/// The size of the picture in its pixels.
@discardableResult
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
    CGSize(width: imageBuffer.width, height: imageBuffer.height)
}

/// The size at which the picture is meant to be shown, in square pixels.
///
/// - Returns: The attached display dimensions; without them the clean aperture's size, its width stretched by the
///   attached shape of a pixel.
@discardableResult
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
    if let shown = imageBuffer.attachedNumbers(
        kCVImageBufferDisplayDimensionsKey, kCVImageBufferDisplayWidthKey, kCVImageBufferDisplayHeightKey),
        shown.0 > 0, shown.1 > 0
    {
        return CGSize(width: shown.0, height: shown.1)
    }
    var size = CVImageBufferGetCleanRect(imageBuffer).size
    if let spacing = imageBuffer.attachedNumbers(
        kCVImageBufferPixelAspectRatioKey, kCVImageBufferPixelAspectRatioHorizontalSpacingKey,
        kCVImageBufferPixelAspectRatioVerticalSpacingKey),
        spacing.0 > 0, spacing.1 > 0
    {
        size.width = size.width * spacing.0 / spacing.1
    }
    return size
}

/// The part of the picture that is meant to be seen, in its pixels, counted from the lower left corner.
///
/// - Returns: The attached clean aperture; all of the picture where nothing is attached.
@discardableResult
public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
    let (width, height) = (Double(imageBuffer.width), Double(imageBuffer.height))
    guard
        let size = imageBuffer.attachedNumbers(
            kCVImageBufferCleanApertureKey, kCVImageBufferCleanApertureWidthKey, kCVImageBufferCleanApertureHeightKey)
    else { return CGRect(x: 0, y: 0, width: width, height: height) }
    let offset = imageBuffer.attachedNumbers(
        kCVImageBufferCleanApertureKey, kCVImageBufferCleanApertureHorizontalOffsetKey,
        kCVImageBufferCleanApertureVerticalOffsetKey)
    // Offsets count down, the rectangle counts up.
    return CGRect(
        x: (width - size.0) / 2 + (offset?.0 ?? 0), y: (height - size.1) / 2 - (offset?.1 ?? 0), width: size.0,
        height: size.1)
}

/// Whether the first row is the top one: true.
@discardableResult
public func CVImageBufferIsFlipped(_ imageBuffer: CVImageBuffer) -> Bool { true }

extension CVBuffer {
    /// Two numbers of a dictionary that is attached; `nil` unless both are there.
    fileprivate func attachedNumbers(_ key: CFString, _ first: CFString, _ second: CFString) -> (Double, Double)? {
        guard let dictionary = attachment(key)?.value as? NSDictionary,
            let one = realNumber(dictionary.object(forKey: first)),
            let other = realNumber(dictionary.object(forKey: second))
        else { return nil }
        return (one, other)
    }
}
