import Foundation
// Code as applications on Apple's platforms have it; only the import differs.
import MediaCore
import SampleBuffers
import Testing

/// The names that clients write, each as it stands in `client-code.tsv`.
func namesOfClients() {
    let _: Any.Type = CVPixelBuffer.self
    let _: Any.Type = CVImageBuffer.self
    let _: Any.Type = CVPixelBufferPool.self
    let _: Any.Type = CVReturn.self
    let _: Any.Type = CVPixelBufferLockFlags.self
    _ = CVPixelBufferLockBaseAddress
    _ = CVPixelBufferUnlockBaseAddress
    _ = CVPixelBufferGetBaseAddress
    _ = CVPixelBufferGetBaseAddressOfPlane
    _ = CVPixelBufferGetBytesPerRow
    _ = CVPixelBufferGetBytesPerRowOfPlane
    _ = CVPixelBufferGetWidth
    _ = CVPixelBufferGetHeight
    _ = CVPixelBufferGetWidthOfPlane
    _ = CVPixelBufferGetHeightOfPlane
    _ = CVPixelBufferGetPixelFormatType
    _ = CVPixelBufferCreate
    _ = CVPixelBufferPoolCreatePixelBuffer
    _ = kCVReturnSuccess
    _ = kCVPixelBufferPixelFormatTypeKey
    _ = kCVPixelBufferWidthKey
    _ = kCVPixelBufferHeightKey
    _ = kCVPixelBufferCGImageCompatibilityKey
    _ = kCVPixelBufferCGBitmapContextCompatibilityKey
    _ = kCVPixelBufferIOSurfacePropertiesKey
    _ = kCVPixelBufferMetalCompatibilityKey
    _ = kCVPixelFormatType_32BGRA
    _ = kCVPixelFormatType_32ARGB
    _ = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    _ = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
}

/// A frame of one colour, for a writer.
struct FrameMaker {
    var size: CGSize

    func makeBuffer(_ grey: UInt8) -> CVPixelBuffer? {
        let attributes =
            [
                kCVPixelBufferCGImageCompatibilityKey: kCFBooleanTrue!,
                kCVPixelBufferCGBitmapContextCompatibilityKey: kCFBooleanTrue!,
                kCVPixelBufferIOSurfacePropertiesKey: [:] as CFDictionary,
            ] as CFDictionary
        var pixelBuffer: CVPixelBuffer?
        let status = CVPixelBufferCreate(
            kCFAllocatorDefault, Int(size.width), Int(size.height), kCVPixelFormatType_32ARGB, attributes,
            &pixelBuffer)
        guard status == kCVReturnSuccess, let buffer = pixelBuffer else { return nil }
        CVPixelBufferLockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: 0))
        defer { CVPixelBufferUnlockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: 0)) }
        guard let data = CVPixelBufferGetBaseAddress(buffer) else { return nil }
        memset(data, Int32(grey), CVPixelBufferGetBytesPerRow(buffer) * CVPixelBufferGetHeight(buffer))
        CVBufferSetAttachment(
            buffer, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_709_2, .shouldPropagate)
        CVBufferSetAttachment(buffer, kCVImageBufferAlphaChannelIsOpaque, kCFBooleanTrue, .shouldPropagate)
        return buffer
    }

    func makePool() -> CVPixelBufferPool? {
        let poolAttributes = [kCVPixelBufferPoolMinimumBufferCountKey: 3] as CFDictionary
        let sourceAttributes: [String: Any] = [
            kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
            kCVPixelBufferWidthKey as String: size.width,
            kCVPixelBufferHeightKey as String: Float(size.height),
            kCVPixelBufferIOSurfacePropertiesKey as String: [String: Any](),
            kCVPixelBufferMetalCompatibilityKey as String: true,
        ]
        var pool: CVPixelBufferPool?
        CVPixelBufferPoolCreate(kCFAllocatorDefault, poolAttributes, sourceAttributes as CFDictionary, &pool)
        return pool
    }
}

/// The mean of a plane of luma.
func meanLuma(_ pixelBuffer: CVPixelBuffer) -> Double {
    CVPixelBufferLockBaseAddress(pixelBuffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixelBuffer, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddressOfPlane(pixelBuffer, 0) else { return 0 }
    let luma = base.assumingMemoryBound(to: UInt8.self)
    let stride = CVPixelBufferGetBytesPerRowOfPlane(pixelBuffer, 0)
    let (width, height) = (
        CVPixelBufferGetWidthOfPlane(pixelBuffer, 0), CVPixelBufferGetHeightOfPlane(pixelBuffer, 0)
    )
    var sum = 0
    for y in 0..<height { for x in 0..<width { sum += Int(luma[y * stride + x]) } }
    return Double(sum) / Double(width * height)
}

struct PixelBufferClientCodeTests {
    @Test func `Client code of Core Video runs`() async throws {
        namesOfClients()
        let maker = FrameMaker(size: CGSize(width: 30, height: 20))
        let frame = try #require(maker.makeBuffer(128))
        // Buffers cross between tasks.
        let pixel = await Task.detached {
            frame.withLockedPlanes(.readOnly) { $0[0].row(19)[119] }
        }.value
        #expect(pixel == 128)
        let primaries = CVBufferGetAttachment(frame, kCVImageBufferColorPrimariesKey, nil)?.takeUnretainedValue()
        #expect(primaries as? String == "ITU_R_709_2")
        let pool = try #require(maker.makePool())
        var taken: CVPixelBuffer?
        let status = CVPixelBufferPoolCreatePixelBuffer(kCFAllocatorDefault, pool, &taken)
        #expect(status == kCVReturnSuccess)
        let buffer = try #require(taken)
        #expect(CVPixelBufferGetWidth(buffer) == 30)
        #expect(meanLuma(buffer) == 0)
    }

    @Test func `Attributes of pixel buffers are read from dictionaries of all kinds`() throws {
        let kinds: [CFDictionary] = [
            [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA] as CFDictionary,
            [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA] as CFDictionary,
            [kCVPixelBufferPixelFormatTypeKey: NSNumber(value: kCVPixelFormatType_32BGRA)] as CFDictionary,
            [kCVPixelBufferPixelFormatTypeKey as String: Int32(bitPattern: kCVPixelFormatType_32BGRA)] as CFDictionary,
            [kCVPixelBufferPixelFormatTypeKey as String: [kCVPixelFormatType_32BGRA]] as CFDictionary,
            NSDictionary(
                object: NSNumber(value: kCVPixelFormatType_32BGRA), forKey: kCVPixelBufferPixelFormatTypeKey),
        ]
        let bgra = try buffer(2, 2, kCVPixelFormatType_32BGRA)
        let argb = try buffer(2, 2, kCVPixelFormatType_32ARGB)
        for attributes in kinds {
            #expect(CVPixelBufferIsCompatibleWithAttributes(bgra, attributes))
            #expect(!CVPixelBufferIsCompatibleWithAttributes(argb, attributes))
        }
    }
}
