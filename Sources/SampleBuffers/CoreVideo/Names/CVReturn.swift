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
