import Dispatch
import Foundation
import MediaCore
import SampleBuffers
import Synchronization
import Testing

/// Pools and the memory that they use again.
struct PoolTests {
    @Test func `A pool's buffers have its attributes`() throws {
        let made = try take(pool())
        #expect(CVPixelBufferGetWidth(made) == 64)
        #expect(CVPixelBufferGetHeight(made) == 48)
        #expect(CVPixelBufferGetPixelFormatType(made) == kCVPixelFormatType_32BGRA)
        #expect(CVPixelBufferGetBytesPerRow(made) == 256)
        #expect((CVPixelBufferCopyCreationAttributes(made) as? [String: Any])?["Width"] as? Int == 64)
    }

    @Test func `Memory of a pool goes back with the last reference and is used again`() throws {
        let pool = try pool()
        var first: CVPixelBuffer? = try take(pool)
        let address = try #require(first.flatMap { CVPixelBufferGetBaseAddress($0) })
        var copy = first
        first = nil
        let other = try take(pool)
        #expect(CVPixelBufferGetBaseAddress(other) != address)
        #expect(copy != nil)
        copy = nil
        #expect(CVPixelBufferGetBaseAddress(try take(pool)) == address)
    }

    @Test func `What is made goes into memory that holds nothing yet`() throws {
        let pool = try pool()
        // As memory is that was used before: releasing what seems to be there would end the process.
        let out = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
        defer { out.deallocate() }
        func memory<Made>(_ type: Made.Type) -> UnsafeMutablePointer<Made?> {
            out.storeBytes(of: 0xDEAD_BEEF_DEAD_BEE0, as: UInt64.self)
            return out.assumingMemoryBound(to: Made?.self)
        }
        let buffer = memory(CVPixelBuffer.self)
        #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, buffer) == kCVReturnSuccess)
        let picture = try #require(buffer.move())
        #expect(CVPixelBufferGetWidth(picture) == 64)
        let made = memory(CVPixelBuffer.self)
        #expect(CVPixelBufferCreate(nil, 4, 4, kCVPixelFormatType_32BGRA, nil, made) == kCVReturnSuccess)
        #expect(made.move().map(CVPixelBufferGetWidth) == 4)
        let failed = memory(CVPixelBuffer.self)
        #expect(CVPixelBufferCreate(nil, 0, 4, kCVPixelFormatType_32BGRA, nil, failed) != kCVReturnSuccess)
        #expect(failed.move() == nil)
        let format = memory(CMVideoFormatDescription.self)
        #expect(
            CMVideoFormatDescriptionCreateForImageBuffer(
                allocator: nil, imageBuffer: picture, formatDescriptionOut: format) == noErr)
        let description = try #require(format.move())
        let sample = memory(CMSampleBuffer.self)
        var timing = CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: 25), presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
        #expect(
            CMSampleBufferCreateReadyWithImageBuffer(
                allocator: nil, imageBuffer: picture, formatDescription: description, sampleTiming: &timing,
                sampleBufferOut: sample) == noErr)
        #expect(sample.move().map(CMSampleBufferGetNumSamples) == 1)
        let block = memory(CMBlockBuffer.self)
        #expect(
            CMBlockBufferCreateEmpty(allocator: nil, capacity: 1, flags: 0, blockBufferOut: block) == noErr)
        #expect(block.move() != nil)
    }

    @Test func `A buffer of a pool in used memory has no attachments`() throws {
        let pool = try pool()
        CVBufferSetAttachment(try take(pool), "key" as CFString, "value" as CFString, .shouldPropagate)
        #expect(!CVBufferHasAttachment(try take(pool), "key" as CFString))
    }

    @Test func `A threshold of a pool stops new memory, not used memory`() throws {
        let pool = try pool()
        let kept = [try take(pool, threshold: 2), try take(pool, threshold: 2)]
        #expect(throws: NotMade(result: kCVReturnWouldExceedAllocationThreshold)) { try take(pool, threshold: 2) }
        var third: CVPixelBuffer? = try take(pool)
        #expect(third != nil)
        third = nil
        _ = try take(pool, threshold: 1)
        #expect(kept.count == 2)
    }

    @Test func `A buffer outlives its pool`() throws {
        var pool: CVPixelBufferPool? = try pool()
        let made = try pool.map { try take($0) }
        pool = nil
        let buffer = try #require(made)
        buffer.withLockedPlanes([]) { $0[0].bytes[0] = 1 }
    }

    @Test func `A flush of a pool gives up all unused memory, even of the minimum`() throws {
        let pool = try pool([kCVPixelBufferPoolMinimumBufferCountKey as String: 3])
        for _ in 0..<2 { _ = [try take(pool), try take(pool), try take(pool)] }
        CVPixelBufferPoolFlush(pool, .excessBuffers)
        // Nothing is allocated any more: one may be, a second one may not.
        let kept = try take(pool, threshold: 1)
        #expect(throws: NotMade(result: kCVReturnWouldExceedAllocationThreshold)) { try take(pool, threshold: 1) }
        withExtendedLifetime(kept) {}
    }

    @Test func `Memory of a pool grows too old, but for the minimum`() throws {
        let pool = try pool([
            kCVPixelBufferPoolMinimumBufferCountKey as String: 1,
            kCVPixelBufferPoolMaximumBufferAgeKey as String: 0.05,
        ])
        _ = [try take(pool), try take(pool), try take(pool)]
        Thread.sleep(forTimeInterval: 0.2)
        CVPixelBufferPoolFlush(pool, [])
        let kept = try take(pool, threshold: 1)
        #expect(throws: NotMade(result: kCVReturnWouldExceedAllocationThreshold)) { try take(pool, threshold: 1) }
        withExtendedLifetime(kept) {}
    }

    @Test func `Memory of a pool never grows too old with an age of 0`() throws {
        let pool = try pool([kCVPixelBufferPoolMaximumBufferAgeKey as String: 0])
        _ = [try take(pool), try take(pool), try take(pool)]
        CVPixelBufferPoolFlush(pool, [])
        let kept = [try take(pool, threshold: 1), try take(pool, threshold: 1), try take(pool, threshold: 1)]
        #expect(kept.count == 3)
    }

    @Test func `Attributes of a pool can be read`() throws {
        let pool = try pool([kCVPixelBufferPoolMinimumBufferCountKey as String: 3])
        let own = CVPixelBufferPoolGetAttributes(pool) as? [String: Any]
        #expect(own?[kCVPixelBufferPoolMinimumBufferCountKey as String] as? Int == 3)
        let buffers = CVPixelBufferPoolGetPixelBufferAttributes(pool) as? [String: Any]
        #expect(buffers?[kCVPixelBufferHeightKey as String] as? Int == 48)
    }

    @Test func `A pool takes the first known format`() throws {
        let attributes: [CFString: Any] = [
            kCVPixelBufferPixelFormatTypeKey: [code("none"), kCVPixelFormatType_OneComponent8],
            kCVPixelBufferWidthKey: 10, kCVPixelBufferHeightKey: 10,
        ]
        var made: CVPixelBufferPool?
        #expect(CVPixelBufferPoolCreate(nil, nil, attributes as CFDictionary, &made) == kCVReturnSuccess)
        #expect(
            CVPixelBufferGetPixelFormatType(try take(try #require(made))) == kCVPixelFormatType_OneComponent8)
    }

    @Test func `A pool with missing or impossible attributes is not made`() {
        func make(_ own: [String: Any], _ buffers: [String: Any]?) -> CVReturn {
            var made: CVPixelBufferPool?
            let result = CVPixelBufferPoolCreate(nil, own as CFDictionary, buffers as CFDictionary?, &made)
            #expect((made != nil) == (result == kCVReturnSuccess))
            return result
        }
        let format = kCVPixelFormatType_32BGRA
        #expect(make([:], nil) == kCVReturnInvalidPixelBufferAttributes)
        #expect(make([:], ["Width": 4, "Height": 4]) == kCVReturnInvalidPixelBufferAttributes)
        #expect(make([:], ["Width": 4, "PixelFormatType": format]) == kCVReturnInvalidPixelBufferAttributes)
        let whole: [String: Any] = ["Width": 4, "Height": 4, "PixelFormatType": format]
        #expect(make([:], whole) == kCVReturnSuccess)
        #expect(make(["MinimumBufferCount": -1], whole) == kCVReturnInvalidPoolAttributes)
        #expect(make(["MaximumBufferAge": "old"], whole) == kCVReturnInvalidPoolAttributes)
        #expect(make(["MaximumBufferAge": 1e300, "MinimumBufferCount": 1e300], whole) == kCVReturnSuccess)
        #expect(
            make([:], ["Width": 20000, "Height": 4, "PixelFormatType": format]) == kCVReturnInvalidSize)
        #expect(
            make([:], ["Width": 4, "Height": 4, "PixelFormatType": 5]) == kCVReturnInvalidPixelFormat)
    }

    @Test func `Threads never share a pool's memory, and allocate no more than they need`() throws {
        let (pool, threads) = (try pool(), 8)
        let inUse = Mutex<Set<UInt>>([])
        let faults = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for round in 0..<100 {
                guard let buffer = try? take(pool, threshold: threads) else {
                    faults.withLock { $0 += 1 }
                    continue
                }
                let address = UInt(bitPattern: CVPixelBufferGetBaseAddress(buffer))
                if !inUse.withLock({ $0.insert(address).inserted }) { faults.withLock { $0 += 1 } }
                CVBufferSetAttachment(buffer, "round" as CFString, NSNumber(value: round), .shouldPropagate)
                let mark = UInt8(truncatingIfNeeded: thread &* 31 &+ round)
                buffer.withLockedPlanes([]) { planes in
                    for row in 0..<planes[0].height {
                        planes[0].row(row).initializeMemory(as: UInt8.self, repeating: mark)
                    }
                }
                let kept = buffer.withLockedPlanes(.readOnly) { planes in
                    (0..<planes[0].height).allSatisfy { planes[0].row($0).allSatisfy { $0 == mark } }
                }
                if !kept { faults.withLock { $0 += 1 } }
                inUse.withLock { _ = $0.remove(address) }
                if round % 20 == thread { CVPixelBufferPoolFlush(pool, .excessBuffers) }
            }
        }
        #expect(faults.withLock { $0 } == 0)
        // All of it came back: so many may be taken without any more.
        CVPixelBufferPoolFlush(pool, .excessBuffers)
        let kept = try (0..<threads).map { _ in try take(pool, threshold: threads) }
        #expect(throws: NotMade(result: kCVReturnWouldExceedAllocationThreshold)) {
            try take(pool, threshold: threads)
        }
        withExtendedLifetime(kept) {}
    }

    @Test func `One pixel buffer takes locks and attachments from many threads`() throws {
        let shared = try buffer(8, 8, kCVPixelFormatType_32BGRA)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for _ in 0..<500 {
                CVPixelBufferLockBaseAddress(shared, .readOnly)
                CVBufferSetAttachment(shared, "\(thread)" as CFString, NSNumber(value: thread), .shouldPropagate)
                _ = CVBufferCopyAttachments(shared, .shouldPropagate)
                CVPixelBufferUnlockBaseAddress(shared, .readOnly)
            }
        }
        #expect(CVBufferCopyAttachments(shared, .shouldPropagate)?.count == 8)
        #expect(CVPixelBufferUnlockBaseAddress(shared, .readOnly) == kCVReturnInvalidArgument)
    }
}
