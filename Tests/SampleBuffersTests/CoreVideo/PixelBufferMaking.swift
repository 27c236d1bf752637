import Foundation
import MediaCore
import SampleBuffers

/// A buffer that has to come about for a test to make sense.
func buffer(
    _ width: Int, _ height: Int, _ format: OSType, _ attributes: [String: Any] = [:]
) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    let result = CVPixelBufferCreate(nil, width, height, format, attributes as CFDictionary, &made)
    guard result == kCVReturnSuccess, let made else { throw NotMade(result: result) }
    return made
}

/// A pool of buffers of 64 × 48 pixels.
func pool(_ attributes: [String: Any] = [:]) throws -> CVPixelBufferPool {
    let buffers: [String: Any] = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
        kCVPixelBufferWidthKey as String: 64, kCVPixelBufferHeightKey as String: 48,
    ]
    var made: CVPixelBufferPool?
    let result = CVPixelBufferPoolCreate(nil, attributes as CFDictionary, buffers as CFDictionary, &made)
    guard result == kCVReturnSuccess, let made else { throw NotMade(result: result) }
    return made
}

/// A buffer of a pool; at most `threshold` of them if it is said.
func take(_ pool: CVPixelBufferPool, threshold: Int? = nil) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    let limits = threshold.map { [kCVPixelBufferPoolAllocationThresholdKey as String: $0] as CFDictionary }
    let result = CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limits, &made)
    guard result == kCVReturnSuccess, let made else { throw NotMade(result: result) }
    return made
}

/// Why nothing was made.
struct NotMade: Error, Equatable {
    let result: CVReturn
}

/// What a number of four characters is as a code.
func code(_ text: String) -> OSType { text.utf8.reduce(0) { $0 << 8 | OSType($1) } }
