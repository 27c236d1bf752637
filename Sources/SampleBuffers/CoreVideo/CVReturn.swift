public import Foundation
public import MediaCore

/// The result of a function of Core Video: 0 for success, the reason of a failure otherwise.
public typealias CVReturn = Int32

// Results, with the numbers that they have in Core Video. Those of display links are not there.

/// It worked.
public var kCVReturnSuccess: CVReturn { 0 }
/// Where the numbers of Core Video begin; no function returns it under this name.
public var kCVReturnFirst: CVReturn { -6660 }
/// A failure without a name of its own.
public var kCVReturnError: CVReturn { -6660 }
/// An argument out of range, or one that does not fit the others.
public var kCVReturnInvalidArgument: CVReturn { -6661 }
/// There was no memory left.
public var kCVReturnAllocationFailed: CVReturn { -6662 }
/// The platform cannot do it.
public var kCVReturnUnsupported: CVReturn { -6663 }
/// No pixel format, or none that the function takes.
public var kCVReturnInvalidPixelFormat: CVReturn { -6680 }
/// More pixels a side than a buffer can have.
public var kCVReturnInvalidSize: CVReturn { -6681 }
/// Attributes of buffers that contradict each other, lack something or have values of the wrong type.
public var kCVReturnInvalidPixelBufferAttributes: CVReturn { -6682 }
/// The buffer is of no use to OpenGL.
public var kCVReturnPixelBufferNotOpenGLCompatible: CVReturn { -6683 }
/// The buffer is of no use to Metal.
public var kCVReturnPixelBufferNotMetalCompatible: CVReturn { -6684 }
/// The pool has as many buffers as it was allowed to.
public var kCVReturnWouldExceedAllocationThreshold: CVReturn { -6689 }
/// There was no memory left for the pool.
public var kCVReturnPoolAllocationFailed: CVReturn { -6690 }
/// Attributes of a pool with values that make no sense.
public var kCVReturnInvalidPoolAttributes: CVReturn { -6691 }
/// The same call may work later.
public var kCVReturnRetry: CVReturn { -6692 }
/// Where the numbers of Core Video end; no function returns it.
public var kCVReturnLast: CVReturn { -6699 }

/// A failure as it travels inside the library: what a function of Core Video will return.
package struct PixelBufferFailure: Error, Hashable, Sendable {
    /// Never `kCVReturnSuccess`.
    package let code: CVReturn

    package init(_ code: CVReturn) { self.code = code }
}

/// Bits of a set of options.
public typealias CVOptionFlags = UInt64

/// Whether what is attached to a buffer goes along to buffers made from it.
public enum CVAttachmentMode: UInt32, Sendable {
    /// It stays with the buffer, as a time of display does.
    case shouldNotPropagate = 0
    /// It goes along, as the colours do.
    case shouldPropagate = 1
}

/// What a lock of a buffer's memory is for.
public struct CVPixelBufferLockFlags: OptionSet, Hashable, Sendable {
    /// The bits, as Core Video has them.
    public let rawValue: CVOptionFlags
    /// Makes a set of its bits.
    public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

    /// Only to read: nobody writes while the lock is held.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

// Keys of attributes, with the values that they have in Core Video.

/// One pixel format or a list of those that will do: a number or an array of numbers.
public var kCVPixelBufferPixelFormatTypeKey: CFString { "PixelFormatType" }
/// What gives out memory.
///
/// - Note: Unlike Core Video's: without effect: there is one allocator only.
public var kCVPixelBufferMemoryAllocatorKey: CFString { "MemoryAllocator" }
/// Pixels in a row: a number from 1 to 16384.
public var kCVPixelBufferWidthKey: CFString { "Width" }
/// Rows of pixels: a number from 1 to 16384.
public var kCVPixelBufferHeightKey: CFString { "Height" }
/// Columns of memory left of the picture: a number of pixels from 0 to 16384.
public var kCVPixelBufferExtendedPixelsLeftKey: CFString { "ExtendedPixelsLeft" }
/// Rows of memory above the picture: a number of pixels from 0 to 16384.
public var kCVPixelBufferExtendedPixelsTopKey: CFString { "ExtendedPixelsTop" }
/// Columns of memory right of the picture: a number of pixels from 0 to 16384.
public var kCVPixelBufferExtendedPixelsRightKey: CFString { "ExtendedPixelsRight" }
/// Rows of memory below the picture: a number of pixels from 0 to 16384.
public var kCVPixelBufferExtendedPixelsBottomKey: CFString { "ExtendedPixelsBottom" }
/// What the bytes from row to row are a multiple of: a number from 1 to 65536, 64 if nothing is said.
public var kCVPixelBufferBytesPerRowAlignmentKey: CFString { "BytesPerRowAlignment" }
/// What the addresses of planes are a multiple of: a power of two up to 65536, 64 if nothing is said.
public var kCVPixelBufferPlaneAlignmentKey: CFString { "PlaneAlignment" }
/// Whether the buffer is to suit bitmap contexts of Core Graphics: true or false.
///
/// - Note: Unlike Core Video's: without effect.
public var kCVPixelBufferCGBitmapContextCompatibilityKey: CFString { "CGBitmapContextCompatibility" }
/// Whether the buffer is to suit images of Core Graphics: true or false.
///
/// - Note: Unlike Core Video's: without effect.
public var kCVPixelBufferCGImageCompatibilityKey: CFString { "CGImageCompatibility" }
/// Whether the buffer is to suit OpenGL: true or false.
///
/// - Note: Unlike Core Video's: without effect.
public var kCVPixelBufferOpenGLCompatibilityKey: CFString { "OpenGLCompatibility" }
/// Whether the buffer is to suit OpenGL ES: true or false.
///
/// - Note: Unlike Core Video's: without effect.
public var kCVPixelBufferOpenGLESCompatibilityKey: CFString { "OpenGLESCompatibility" }
/// Whether the buffer is to suit Metal: true or false.
///
/// - Note: Unlike Core Video's: without effect.
public var kCVPixelBufferMetalCompatibilityKey: CFString { "MetalCompatibility" }
/// That memory is to be shared between processes and with the graphics processor, and how: a dictionary.
///
/// - Note: Unlike Core Video's: without effect: memory is always the process's own.
public var kCVPixelBufferIOSurfacePropertiesKey: CFString { "IOSurfaceProperties" }

// Keys of pools, with the values that they have in Core Video.

/// How many buffers a pool keeps however long they are unused: a number, 0 if nothing is said.
public var kCVPixelBufferPoolMinimumBufferCountKey: CFString { "MinimumBufferCount" }
/// After how many seconds an unused buffer is given up: a number, 0 for never, 1 if nothing is said.
public var kCVPixelBufferPoolMaximumBufferAgeKey: CFString { "MaximumBufferAge" }
/// How many buffers a pool may have before it refuses to make another one: a number.
///
/// Among the auxiliary attributes of one request, not among those of the pool.
public var kCVPixelBufferPoolAllocationThresholdKey: CFString { "BufferPoolAllocationThreshold" }
