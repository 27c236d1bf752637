import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Whose the memory of block buffers is, and for how long.
struct BlockMemoryTests {
    /// What a custom source was asked for.
    final class Log {
        var allocated: [Int] = []
        var freed: [Int] = []
        var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

        func source(allocating: Bool = true) -> CMBlockBufferCustomBlockSource {
            CMBlockBufferCustomBlockSource(
                version: kCMBlockBufferCustomBlockSourceVersion,
                AllocateBlock: !allocating
                    ? nil
                    : { reference, size in
                        guard let reference else { return nil }
                        Unmanaged<Log>.fromOpaque(reference).takeUnretainedValue().allocated.append(size)
                        return malloc(size)
                    },
                FreeBlock: { reference, memory, size in
                    free(memory)
                    guard let reference else { return }
                    Unmanaged<Log>.fromOpaque(reference).takeUnretainedValue().freed.append(size)
                }, refCon: reference)
        }
    }

    private func make(
        _ memory: UnsafeMutableRawPointer?, _ length: Int, _ source: CMBlockBufferCustomBlockSource? = nil,
        allocator: CFAllocator? = nil, offset: Int = 0, dataLength: Int? = nil, flags: CMBlockBufferFlags = 0
    ) -> (OSStatus, CMBlockBuffer?) {
        var made: CMBlockBuffer?
        let status: OSStatus
        if var source {
            status = CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: memory, blockLength: length, blockAllocator: allocator,
                customBlockSource: &source, offsetToData: offset, dataLength: dataLength ?? length, flags: flags,
                blockBufferOut: &made)
        } else {
            status = CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: memory, blockLength: length, blockAllocator: allocator,
                customBlockSource: nil, offsetToData: offset, dataLength: dataLength ?? length, flags: flags,
                blockBufferOut: &made)
        }
        return (status, made)
    }

    @Test func `Promised memory is allocated once, when it is needed, and freed once`() throws {
        let log = Log()
        do {
            let buffer = try #require(make(nil, 64, log.source(), offset: 16, dataLength: 32).1)
            #expect(buffer.dataLength == 32)
            #expect(!buffer.isEmpty)
            #expect(log.allocated.isEmpty)
            var byte: UInt8 = 0
            #expect(
                CMBlockBufferCopyDataBytes(buffer, atOffset: 0, dataLength: 1, destination: &byte)
                    == kCMBlockBufferUnallocatedBlockErr)
            #expect(
                CMBlockBufferGetDataPointer(
                    buffer, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil)
                    == kCMBlockBufferUnallocatedBlockErr)
            #expect(CMBlockBufferAssureBlockMemory(buffer) == 0)
            #expect(CMBlockBufferAssureBlockMemory(buffer) == 0)
            try buffer.fillDataBytes(with: 7)
            #expect(log.allocated == [64])
            #expect(try buffer.dataBytes() == Data(repeating: 7, count: 32))
            #expect(log.freed.isEmpty)
        }
        #expect(log.freed == [64])
    }

    @Test func `Promised memory that was never needed is never allocated`() {
        let log = Log()
        _ = make(nil, 64, log.source())
        #expect(log.allocated.isEmpty)
        #expect(log.freed.isEmpty)
    }

    @Test func `Memory of a block buffer is allocated at once if asked for, and is zero`() throws {
        let log = Log()
        #expect(make(nil, 8, log.source(), flags: kCMBlockBufferAssureMemoryNowFlag).0 == 0)
        #expect(log.allocated == [8])
        let own = try #require(make(nil, 8, flags: kCMBlockBufferAssureMemoryNowFlag).1)
        #expect(try own.dataBytes() == Data(count: 8))
    }

    @Test func `A reference to a block buffer keeps its memory`() throws {
        let log = Log()
        var part: CMBlockBuffer?
        do {
            let whole = try #require(make(malloc(16), 16, log.source(allocating: false)).1)
            part = try CMBlockBuffer(bufferReference: whole[4..<8])
        }
        #expect(log.freed.isEmpty)
        #expect(part?.dataLength == 4)
        part = nil
        #expect(log.freed == [16])
    }

    @Test func `Incomplete block sources are refused, and the memory stays the caller's`() {
        let log = Log()
        #expect(make(nil, 8, log.source(allocating: false)).0 == kCMBlockBufferBadCustomBlockSourceErr)
        var unknown = log.source()
        unknown.version = 1
        #expect(make(nil, 8, unknown).0 == kCMBlockBufferBadCustomBlockSourceErr)
        let memory = malloc(8)
        #expect(make(memory, 8, log.source(), offset: 9).0 == kCMBlockBufferBadOffsetParameterErr)
        #expect(make(memory, 8, log.source(), offset: -1).0 == kCMBlockBufferBadOffsetParameterErr)
        #expect(make(memory, 8, log.source(), offset: 4, dataLength: 5).0 == kCMBlockBufferBadLengthParameterErr)
        #expect(make(memory, 8, log.source(), dataLength: -1).0 == kCMBlockBufferBadLengthParameterErr)
        #expect(make(memory, 8, log.source(), offset: 4, dataLength: .max).0 == kCMBlockBufferBadLengthParameterErr)
        #expect(make(memory, 0, log.source()).0 == kCMBlockBufferBadLengthParameterErr)
        #expect(make(memory, .min, log.source()).0 == kCMBlockBufferBadLengthParameterErr)
        #expect(log.freed.isEmpty)
        free(memory)
    }

    @Test func `Memory that cannot be allocated is an error`() throws {
        let promised = try CMBlockBuffer(length: .max)
        #expect(code { try promised.assureBlockMemory() } == kCMBlockBufferBlockAllocationFailedErr)
        #expect(
            code { _ = try promised.makeContiguous(flags: .alwaysCopyData) } == kCMBlockBufferBlockAllocationFailedErr)
        #expect(code { try promised.fillDataBytes(with: 1) } == kCMBlockBufferBlockAllocationFailedErr)
        #expect(make(nil, .max, flags: kCMBlockBufferAssureMemoryNowFlag).0 == kCMBlockBufferBlockAllocationFailedErr)
        #expect(
            make(nil, 8, allocator: kCFAllocatorNull, flags: kCMBlockBufferAssureMemoryNowFlag).0
                == kCMBlockBufferBlockAllocationFailedErr)
    }

    @Test func `Memory of the null allocator stays the caller's`() throws {
        var bytes: [UInt8] = [1, 2, 3]
        try bytes.withUnsafeMutableBytes { memory in
            let buffer = try #require(make(memory.baseAddress, 3, allocator: kCFAllocatorNull).1)
            try buffer.fillDataBytes(with: 5)
        }
        #expect(bytes == [5, 5, 5])
    }

    @Test func `Adopted bytes are used as they are and released once, by the last buffer`() throws {
        let (memory, released) = (UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8), Count())
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 3, count: 8)
        var copy: CMBlockBuffer?
        do {
            let buffer = CMBlockBuffer(adopting: UnsafeRawBufferPointer(start: memory, count: 8)) { released.add() }
            try buffer.withUnsafeMutableBytes { #expect($0.baseAddress == memory) }
            copy = try buffer.makeContiguous()
        }
        #expect(released.now == 0)
        #expect(try copy?.dataBytes() == Data(repeating: 3, count: 8))
        copy = nil
        #expect(released.now == 1)
    }

    @Test func `An empty range of adopted bytes is an empty buffer, and released at once`() {
        let released = Count()
        let buffer = CMBlockBuffer(adopting: UnsafeRawBufferPointer(start: nil, count: 0)) { released.add() }
        #expect(buffer.isEmpty)
        #expect(released.now == 1)
    }

    @Test func `Arrays and data are copied into a block buffer`() throws {
        #expect(try CMBlockBuffer(copying: [1, 2] as [UInt8]).dataBytes() == Data([1, 2]))
        #expect(try CMBlockBuffer(copying: Data([3])).dataBytes() == Data([3]))
        #expect(try CMBlockBuffer(copying: Data()).isEmpty)
    }

    @Test func `Threads that need promised memory get the same`() async throws {
        let allocated = Count()
        let buffer = try CMBlockBuffer(
            length: 1024,
            allocator: { size in
                allocated.add()
                return malloc(size)
            }, deallocator: { memory, _ in free(memory) })
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<16 {
                group.addTask {
                    CMBlockBufferAssureBlockMemory(buffer)
                    CMBlockBufferReplaceDataBytes(
                        with: [UInt8(index)], blockBuffer: buffer, offsetIntoDestination: index, dataLength: 1)
                }
            }
        }
        #expect(allocated.now == 1)
        #expect(try buffer[0..<16].dataBytes() == Data(0..<16))
    }

    @Test func `Threads may append to one block buffer`() async throws {
        let buffer = try CMBlockBuffer()
        let piece = try block([1, 2, 3])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { try? buffer.append(bufferReference: piece) } }
        }
        #expect(buffer.dataLength == 192)
        #expect(try buffer.dataBytes() == Data((0..<64).flatMap { _ in [1, 2, 3] as [UInt8] }))
    }
}
