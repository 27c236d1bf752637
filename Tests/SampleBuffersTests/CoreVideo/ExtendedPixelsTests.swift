import SampleBuffers
import Testing

/// Memory around the picture.
struct ExtendedPixelsTests {
    private func sides(_ buffer: CVPixelBuffer) -> [Int] {
        var (left, right, top, bottom) = (-1, -1, -1, -1)
        CVPixelBufferGetExtendedPixels(buffer, &left, &right, &top, &bottom)
        return [left, right, top, bottom]
    }

    private let attributes: [String: Any] = [
        kCVPixelBufferExtendedPixelsLeftKey as String: 2, kCVPixelBufferExtendedPixelsRightKey as String: 1,
        kCVPixelBufferExtendedPixelsTopKey as String: 1, kCVPixelBufferExtendedPixelsBottomKey as String: 2,
    ]

    /// Bytes of a row of a plane, counted from its first pixel.
    private func bytes(
        _ address: UnsafeMutableRawPointer, row: Int, bytesPerRow: Int, _ range: Range<Int>
    ) -> [UInt8] {
        range.map { (address + row * bytesPerRow + $0).load(as: UInt8.self) }
    }

    @Test func `Extended pixels are as many as were asked for, otherwise none`() throws {
        #expect(sides(try buffer(4, 4, kCVPixelFormatType_32BGRA)) == [0, 0, 0, 0])
        #expect(sides(try buffer(4, 4, kCVPixelFormatType_32BGRA, attributes)) == [2, 1, 1, 2])
        CVPixelBufferGetExtendedPixels(try buffer(4, 4, kCVPixelFormatType_32BGRA), nil, nil, nil, nil)
    }

    @Test func `Extended pixels do not count in width and height`() throws {
        let made = try buffer(8, 8, kCVPixelFormatType_32BGRA, attributes)
        #expect(CVPixelBufferGetWidth(made) == 8)
        #expect(CVPixelBufferGetHeight(made) == 8)
        // 11 pixels are 44 bytes; 11 rows.
        #expect(CVPixelBufferGetBytesPerRow(made) == 64)
        #expect(CVPixelBufferGetDataSize(made) == 704)
    }

    @Test func `Extended pixels are filled with the pixels at the edges`() throws {
        let made = try buffer(2, 2, kCVPixelFormatType_OneComponent8, attributes)
        made.withLockedPlanes([]) { planes in
            planes[0].row(0).copyBytes(from: [1, 2] as [UInt8])
            planes[0].row(1).copyBytes(from: [3, 4] as [UInt8])
        }
        #expect(CVPixelBufferFillExtendedPixels(made) == kCVReturnSuccess)
        let address = try #require(CVPixelBufferGetBaseAddress(made))
        let rows = (-1..<4).map { bytes(address, row: $0, bytesPerRow: 64, -2..<3) }
        let (first, last): ([UInt8], [UInt8]) = ([1, 1, 1, 2, 2], [3, 3, 3, 4, 4])
        #expect(rows == [first, first, last, last, last])
    }

    @Test func `Extended pixels end where the margin ends`() throws {
        let made = try buffer(2, 2, kCVPixelFormatType_OneComponent8, attributes)
        let address = try #require(CVPixelBufferGetBaseAddress(made))
        // One pixel to the right of the frame is the margin; what follows fills up the row.
        (address + 3).storeBytes(of: 0xaa, as: UInt8.self)
        (address + 64 + 3).storeBytes(of: 0xaa, as: UInt8.self)
        CVPixelBufferFillExtendedPixels(made)
        #expect(bytes(address, row: 0, bytesPerRow: 64, 3..<4) == [0xaa])
        #expect(bytes(address, row: 1, bytesPerRow: 64, 3..<4) == [0xaa])
    }

    @Test func `Extended pixels of paired chroma are repeated as pairs`() throws {
        let made = try buffer(3, 1, kCVPixelFormatType_422YpCbCr8, attributes)
        made.withLockedPlanes([]) { $0[0].row(0).copyBytes(from: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt8]) }
        #expect(CVPixelBufferFillExtendedPixels(made) == kCVReturnSuccess)
        let address = try #require(CVPixelBufferGetBaseAddress(made))
        let row = bytes(address, row: 0, bytesPerRow: 0, -4..<12)
        #expect(row == [1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8])
    }

    @Test func `Extended pixels are filled in every plane`() throws {
        let made = try buffer(4, 4, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, attributes)
        made.withLockedPlanes([]) { planes in
            planes[1].row(0).copyBytes(from: [1, 2, 3, 4] as [UInt8])
            planes[1].row(1).copyBytes(from: [5, 6, 7, 8] as [UInt8])
        }
        CVPixelBufferFillExtendedPixels(made)
        let address = try #require(CVPixelBufferGetBaseAddressOfPlane(made, 1))
        let bytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(made, 1)
        let rows = (-1..<3).map { bytes(address, row: $0, bytesPerRow: bytesPerRow, -2..<6) }
        let (first, last): ([UInt8], [UInt8]) = ([1, 2, 1, 2, 3, 4, 3, 4], [5, 6, 5, 6, 7, 8, 7, 8])
        #expect(rows == [first, first, last, last])
    }
}
