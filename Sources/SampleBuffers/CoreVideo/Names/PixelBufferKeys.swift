public import Foundation
public import MediaCore

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
