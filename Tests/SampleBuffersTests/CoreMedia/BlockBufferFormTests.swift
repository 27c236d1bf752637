import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Block buffers as Swift has them.
struct BlockBufferFormTests {
    @Test func `Memory of a block buffer is taken over and given back`() throws {
        let released = Count()
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 6, alignment: 8)
        memory.copyBytes(from: [0, 1, 2, 3, 4, 5])
        do {
            let buffer = try CMBlockBuffer(
                buffer: memory[2..<5],
                deallocator: { start, length in
                    #expect(start == memory.baseAddress)
                    #expect(length == 6)
                    released.add()
                    memory.deallocate()
                })
            #expect(try buffer.dataBytes() == Data([2, 3, 4]))
            #expect(released.now == 0)
        }
        #expect(released.now == 1)
    }

    @Test func `Memory of malloc is freed with its block buffer, the caller's is not`() throws {
        let own = try #require(malloc(4))
        _ = try CMBlockBuffer(buffer: UnsafeMutableRawBufferPointer(start: own, count: 4))
        var bytes: [UInt8] = [1, 2]
        try bytes.withUnsafeMutableBytes { memory in
            let buffer = try CMBlockBuffer(buffer: memory, allocator: kCFAllocatorNull)
            #expect(buffer.dataLength == 2)
        }
    }

    @Test func `Block buffers of missing memory are refused`() {
        let none = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        #expect(code { _ = try CMBlockBuffer(buffer: none) } == kCMBlockBufferBadPointerParameterErr)
        #expect(code { _ = try CMBlockBuffer(length: 0) } == kCMBlockBufferBadLengthParameterErr)
        #expect(code { _ = try CMBlockBuffer(length: -1) } == kCMBlockBufferBadLengthParameterErr)
        #expect(code { _ = try CMBlockBuffer(length: 4, range: 2..<5) } == kCMBlockBufferBadLengthParameterErr)
        #expect(code { _ = try CMBlockBuffer(length: 4, range: -1..<2) } == kCMBlockBufferBadOffsetParameterErr)
        #expect(code { _ = try CMBlockBuffer(length: 4, range: .min ..< .max) } == kCMBlockBufferBadOffsetParameterErr)
    }

    @Test func `Slices of a block buffer have its positions`() throws {
        let buffer = try block([0, 1, 2], [3, 4])
        #expect(try buffer[1..<4].dataBytes() == Data([1, 2, 3]))
        #expect(try buffer[1...3].dataBytes() == Data([1, 2, 3]))
        #expect(try buffer[..<2].dataBytes() == Data([0, 1]))
        #expect(try buffer[...2].dataBytes() == Data([0, 1, 2]))
        #expect(try buffer[3...].dataBytes() == Data([3, 4]))
        #expect(try buffer[...].dataBytes() == Data([0, 1, 2, 3, 4]))
        #expect(try buffer[1..<4][2...].dataBytes() == Data([2, 3]))
        #expect(buffer[1..<4].dataLength == 3)
        #expect(buffer[0..<3].isContiguous)
        #expect(!buffer[1..<4].isContiguous)
        #expect(!buffer[2..<2].isContiguous)
    }

    @Test func `Slices beyond a block buffer throw when they are used`() throws {
        let buffer = try block([0, 1, 2])
        #expect(code { _ = try buffer[1..<5].dataBytes() } == kCMBlockBufferBadLengthParameterErr)
        #expect(code { _ = try buffer[-1..<2].dataBytes() } == kCMBlockBufferBadOffsetParameterErr)
        #expect(code { _ = try buffer[3...4].dataBytes() } == kCMBlockBufferBadOffsetParameterErr)
        #expect(code { _ = try buffer[0 ... .max].dataBytes() } == kCMBlockBufferBadLengthParameterErr)
        #expect(try buffer[2..<2].dataBytes().isEmpty)
        #expect(try buffer[7...].dataBytes().isEmpty)
    }

    @Test func `Bytes of a block buffer are copied, replaced, filled and lent`() throws {
        let buffer = try block([0, 1, 2], [3, 4])
        var copy = [UInt8](repeating: 9, count: 6)
        try copy.withUnsafeMutableBytes { try buffer.copyDataBytes(to: $0) }
        #expect(copy == [0, 1, 2, 3, 4, 9])
        var short = [UInt8](repeating: 9, count: 4)
        #expect(
            code { try short.withUnsafeMutableBytes { try buffer.copyDataBytes(to: $0) } }
                == kCMBlockBufferInsufficientSpaceErr)
        try ([7, 8] as [UInt8]).withUnsafeBytes { try buffer[2...].replaceDataBytes(with: $0) }
        #expect(try buffer.dataBytes() == Data([0, 1, 7, 8, 4]))
        #expect(
            code { try ([7, 8] as [UInt8]).withUnsafeBytes { try buffer[4...].replaceDataBytes(with: $0) } }
                == kCMBlockBufferInsufficientSpaceErr)
        try buffer[3...].fillDataBytes(with: 6)
        #expect(try buffer.withContiguousStorage { Array($0) } == [0, 1, 7, 6, 6])
        try buffer.withUnsafeMutableBytes(atOffset: 1) { bytes in
            #expect(bytes.count == 2)
            bytes[0] = 5
        }
        #expect(try buffer.dataBytes() == Data([0, 5, 7, 6, 6]))
        #expect(code { try buffer.withUnsafeMutableBytes(atOffset: 5) { _ in } } == kCMBlockBufferBadOffsetParameterErr)
    }

    @Test func `Errors of a body pass through a block buffer`() throws {
        struct Stop: Error {}
        let buffer = try block([1])
        #expect(throws: Stop.self) { try buffer.withContiguousStorage { _ in throw Stop() } }
        #expect(throws: Stop.self) { try buffer.withUnsafeMutableBytes { _ in throw Stop() } }
    }

    @Test func `A contiguous copy in a client's memory is given back`() throws {
        let (allocated, released) = (Count(), Count())
        do {
            let one = try block([1, 2], [3]).makeContiguous(
                allocator: { length in
                    allocated.add()
                    return malloc(length)
                },
                deallocator: { memory, _ in
                    released.add()
                    free(memory)
                })
            #expect(try one.dataBytes() == Data([1, 2, 3]))
        }
        #expect(allocated.now == 1)
        #expect(released.now == 1)
    }

    @Test func `Block buffers are equal only to themselves`() throws {
        let (one, other) = (try block([1]), try block([1]))
        #expect(one == one)
        #expect(one != other)
        #expect(Set([one, other, one]).count == 2)
        #expect(CMBlockBuffer.typeID == CMBlockBufferGetTypeID())
        #expect(CMBlockBuffer.typeID != CMSampleBuffer.typeID)
    }

    @Test func `Errors of block buffers have their codes in the domain of status codes`() {
        #expect(CMBlockBuffer.Error.badOffsetParameter == NSError(domain: NSOSStatusErrorDomain, code: -12703))
        #expect(CMBlockBuffer.Error.emptyBlockBuffer.code == -12706)
        #expect(CMBlockBuffer.Flags.alwaysCopyData.rawValue == kCMBlockBufferAlwaysCopyDataFlag)
    }
}
