import Foundation
import MediaCore
import SampleBuffers
import Testing

/// What functions of C do with the bytes of block buffers.
struct BlockBufferTests {
    @Test func `An empty block buffer has no bytes`() throws {
        var made: CMBlockBuffer?
        #expect(CMBlockBufferCreateEmpty(allocator: nil, capacity: 4, flags: 0, blockBufferOut: &made) == 0)
        let buffer = try #require(made)
        #expect(CMBlockBufferIsEmpty(buffer))
        #expect(CMBlockBufferGetDataLength(buffer) == 0)
        #expect(!CMBlockBufferIsRangeContiguous(buffer, atOffset: 0, length: 0))
        #expect(CMBlockBufferAssureBlockMemory(buffer) == kCMBlockBufferEmptyBBufErr)
        var pointer: UnsafeMutablePointer<CChar>?
        #expect(
            CMBlockBufferGetDataPointer(
                buffer, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: &pointer)
                == kCMBlockBufferEmptyBBufErr)
        #expect(pointer == nil)
    }

    @Test func `Segments of a block buffer count as one range of bytes`() throws {
        let buffer = try block([0, 1, 2], [3, 4], [5, 6, 7, 8])
        #expect(CMBlockBufferGetDataLength(buffer) == 9)
        var (length, total): (Int, Int) = (0, 0)
        var pointer: UnsafeMutablePointer<CChar>?
        #expect(
            CMBlockBufferGetDataPointer(
                buffer, atOffset: 4, lengthAtOffsetOut: &length, totalLengthOut: &total, dataPointerOut: &pointer)
                == kCMBlockBufferNoErr)
        #expect(length == 1)
        #expect(total == 9)
        #expect(pointer?.pointee == 4)
        #expect(CMBlockBufferIsRangeContiguous(buffer, atOffset: 3, length: 2))
        #expect(!CMBlockBufferIsRangeContiguous(buffer, atOffset: 2, length: 2))
        #expect(CMBlockBufferIsRangeContiguous(buffer, atOffset: 5, length: 0))
        #expect(!CMBlockBufferIsRangeContiguous(buffer, atOffset: 0, length: 0))
        #expect(!CMBlockBufferIsRangeContiguous(buffer, atOffset: 0, length: 10))
    }

    @Test func `Bytes of a block buffer are copied out across segments`() throws {
        let buffer = try block([0, 1, 2], [3, 4], [5, 6, 7, 8])
        var copy = [UInt8](repeating: 99, count: 6)
        #expect(CMBlockBufferCopyDataBytes(buffer, atOffset: 2, dataLength: 5, destination: &copy) == 0)
        #expect(copy == [2, 3, 4, 5, 6, 99])
    }

    @Test func `Ranges beyond a block buffer are refused`() throws {
        let buffer = try block([0, 1, 2], [3, 4])
        var copy = [UInt8](repeating: 99, count: 8)
        func copied(_ offset: Int, _ length: Int) -> OSStatus {
            CMBlockBufferCopyDataBytes(buffer, atOffset: offset, dataLength: length, destination: &copy)
        }
        #expect(copied(0, 0) == kCMBlockBufferBadLengthParameterErr)
        #expect(copied(0, 6) == kCMBlockBufferBadLengthParameterErr)
        #expect(copied(4, 2) == kCMBlockBufferBadLengthParameterErr)
        #expect(copied(1, .max) == kCMBlockBufferBadLengthParameterErr)
        #expect(copied(0, -1) == kCMBlockBufferBadLengthParameterErr)
        #expect(copied(5, 1) == kCMBlockBufferBadOffsetParameterErr)
        #expect(copied(-1, 1) == kCMBlockBufferBadOffsetParameterErr)
        #expect(copied(.min, .max) == kCMBlockBufferBadOffsetParameterErr)
        #expect(copied(.max, .max) == kCMBlockBufferBadOffsetParameterErr)
        #expect(copy.allSatisfy { $0 == 99 })
    }

    @Test func `Bytes of a block buffer are replaced and filled across segments`() throws {
        let buffer = try block([0, 1, 2], [3, 4], [5, 6, 7, 8])
        #expect(
            CMBlockBufferReplaceDataBytes(
                with: [10, 11, 12, 13] as [UInt8], blockBuffer: buffer, offsetIntoDestination: 1, dataLength: 4) == 0)
        #expect(try buffer.dataBytes() == Data([0, 10, 11, 12, 13, 5, 6, 7, 8]))
        #expect(
            CMBlockBufferFillDataBytes(with: -1, blockBuffer: buffer, offsetIntoDestination: 2, dataLength: 2) == 0)
        #expect(try buffer.dataBytes() == Data([0, 10, 255, 255, 13, 5, 6, 7, 8]))
        #expect(CMBlockBufferFillDataBytes(with: 1, blockBuffer: buffer, offsetIntoDestination: 4, dataLength: 0) == 0)
        #expect(try buffer.dataBytes() == Data([0, 10, 255, 255, 1, 1, 1, 1, 1]))
        #expect(
            CMBlockBufferReplaceDataBytes(
                with: [0, 0] as [UInt8], blockBuffer: buffer, offsetIntoDestination: 8, dataLength: 2)
                == kCMBlockBufferBadLengthParameterErr)
        #expect(
            CMBlockBufferFillDataBytes(with: 0, blockBuffer: buffer, offsetIntoDestination: 9, dataLength: 0)
                == kCMBlockBufferBadOffsetParameterErr)
    }

    @Test func `Contiguous bytes of a block buffer are given where they are, others as a copy`() throws {
        let buffer = try block([0, 1, 2], [3, 4])
        var temporary = [UInt8](repeating: 0, count: 4)
        try temporary.withUnsafeMutableBytes { memory in
            let memory = try #require(memory.baseAddress)
            var found: UnsafeMutablePointer<CChar>?
            #expect(
                CMBlockBufferAccessDataBytes(
                    buffer, atOffset: 1, length: 2, temporaryBlock: memory, returnedPointerOut: &found) == 0)
            #expect(found?.pointee == 1)
            #expect(found.map { UnsafeMutableRawPointer($0) } != memory)
            #expect(
                CMBlockBufferAccessDataBytes(
                    buffer, atOffset: 1, length: 4, temporaryBlock: memory, returnedPointerOut: &found) == 0)
            #expect(found.map { UnsafeMutableRawPointer($0) } == memory)
            #expect(
                CMBlockBufferAccessDataBytes(
                    buffer, atOffset: 1, length: 5, temporaryBlock: memory, returnedPointerOut: &found)
                    == kCMBlockBufferBadLengthParameterErr)
            #expect(found == nil)
        }
        #expect(temporary == [1, 2, 3, 4])
    }

    @Test func `A reference to a block buffer shares its bytes, also of a range`() throws {
        let buffer = try block([0, 1, 2], [3, 4], [5, 6])
        var made: CMBlockBuffer?
        #expect(
            CMBlockBufferCreateWithBufferReference(
                allocator: nil, referenceBuffer: buffer, offsetToData: 2, dataLength: 4, flags: 0,
                blockBufferOut: &made) == 0)
        let part = try #require(made)
        #expect(try part.dataBytes() == Data([2, 3, 4, 5]))
        try part.fillDataBytes(with: 9)
        #expect(try buffer.dataBytes() == Data([0, 1, 9, 9, 9, 9, 6]))
        #expect(
            CMBlockBufferAppendBufferReference(part, targetBBuf: buffer, offsetToData: 5, dataLength: 0, flags: 0) == 0)
        // The reference ends at the sixth byte, and the seventh lies beside it.
        #expect(try part.dataBytes() == Data([9, 9, 9, 9, 9, 6]))
        #expect(
            CMBlockBufferCreateWithBufferReference(
                allocator: nil, referenceBuffer: buffer, offsetToData: 6, dataLength: 2, flags: 0,
                blockBufferOut: &made) == kCMBlockBufferBadLengthParameterErr)
        #expect(made == nil)
    }

    @Test func `A block buffer may refer to itself`() throws {
        let buffer = try block([1, 2])
        #expect(
            CMBlockBufferAppendBufferReference(buffer, targetBBuf: buffer, offsetToData: 0, dataLength: 0, flags: 0)
                == 0)
        #expect(try buffer.dataBytes() == Data([1, 2, 1, 2]))
    }

    @Test func `References to empty block buffers need permission`() throws {
        let empty = try CMBlockBuffer()
        var made: CMBlockBuffer?
        func refer(_ flags: CMBlockBufferFlags) -> OSStatus {
            CMBlockBufferCreateWithBufferReference(
                allocator: nil, referenceBuffer: empty, offsetToData: 0, dataLength: 0, flags: flags,
                blockBufferOut: &made)
        }
        #expect(refer(0) == kCMBlockBufferEmptyBBufErr)
        #expect(refer(kCMBlockBufferPermitEmptyReferenceFlag) == 0)
        #expect(made?.dataLength == 0)
    }

    @Test func `Adjacent references of a block buffer are one segment`() throws {
        let whole = try block([0, 1, 2, 3])
        let buffer = try CMBlockBuffer()
        try buffer.append(bufferReference: whole[0..<2])
        try buffer.append(bufferReference: whole[2..<4])
        #expect(buffer.isContiguous)
        try buffer.append(bufferReference: whole[0..<1])
        #expect(!buffer.isContiguous)
        #expect(try buffer.dataBytes() == Data([0, 1, 2, 3, 0]))
    }

    @Test func `Bytes are made contiguous by a reference if they are, otherwise by a copy`() throws {
        let buffer = try block([0, 1, 2], [3, 4])
        func contiguous(_ offset: Int, _ length: Int, _ flags: CMBlockBufferFlags = 0) throws -> CMBlockBuffer {
            var made: CMBlockBuffer?
            let status = CMBlockBufferCreateContiguous(
                allocator: nil, sourceBuffer: buffer, blockAllocator: nil, customBlockSource: nil,
                offsetToData: offset, dataLength: length, flags: flags, blockBufferOut: &made)
            #expect(status == 0)
            return try #require(made)
        }
        let (reference, copy) = (try contiguous(1, 2), try contiguous(1, 0))
        let forced = try contiguous(1, 2, kCMBlockBufferAlwaysCopyDataFlag)
        try buffer.fillDataBytes(with: 9)
        #expect(try reference.dataBytes() == Data([9, 9]))
        #expect(try copy.dataBytes() == Data([1, 2, 3, 4]))
        #expect(copy.isContiguous)
        #expect(try forced.dataBytes() == Data([1, 2]))
        var made: CMBlockBuffer?
        #expect(
            CMBlockBufferCreateContiguous(
                allocator: nil, sourceBuffer: buffer, blockAllocator: kCFAllocatorNull, customBlockSource: nil,
                offsetToData: 0, dataLength: 0, flags: 0, blockBufferOut: &made)
                == kCMBlockBufferBlockAllocationFailedErr)
    }

    @Test func `Block buffers of more bytes than can be counted are refused`() throws {
        let buffer = try CMBlockBuffer(length: .max)
        #expect(buffer.dataLength == .max)
        #expect(code { try buffer.append(length: 1) } == kCMBlockBufferBadLengthParameterErr)
        #expect(code { try buffer.append(bufferReference: buffer) } == kCMBlockBufferBadLengthParameterErr)
        #expect(buffer.dataLength == .max)
        #expect(code { _ = try buffer.dataBytes() } == kCMBlockBufferUnallocatedBlockErr)
    }
}
