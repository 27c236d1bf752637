internal import Foundation

/// The memory behind a buffer, whoever it belongs to, until nobody needs it, and the lists that tell of it.
final class SoundStorage {
    /// The memory in its parts: one if channels are interleaved, otherwise one for each.
    let planes: [UnsafeMutableRawBufferPointer]
    private let channelsPerPlane: UInt32
    private let filledList: UnsafeMutableAudioBufferListPointer
    private let wholeList: UnsafeMutableAudioBufferListPointer
    private let release: (UnsafePointer<AudioBufferList>) -> Void

    /// Bytes of each plane that hold something.
    var filledByteCount: Int {
        didSet { list(filledList) { UInt32(clamping: min(filledByteCount, $0.count)) } }
    }

    /// Takes over memory.
    ///
    /// - Parameter release: Called once with all planes, when the storage goes, on whatever thread that happens.
    init(
        planes: [UnsafeMutableRawBufferPointer], channelsPerPlane: UInt32, filledByteCount: Int,
        release: @escaping (UnsafePointer<AudioBufferList>) -> Void
    ) {
        (self.planes, self.channelsPerPlane, self.release) = (planes, channelsPerPlane, release)
        filledList = AudioBufferList.allocate(maximumBuffers: planes.count)
        wholeList = AudioBufferList.allocate(maximumBuffers: planes.count)
        self.filledByteCount = filledByteCount
        list(filledList) { UInt32(clamping: min(filledByteCount, $0.count)) }
    }

    deinit {
        release(UnsafePointer(whole))
        free(filledList.unsafeMutablePointer)
        free(wholeList.unsafeMutablePointer)
    }

    /// Memory of our own, all zero.
    ///
    /// - Parameters:
    ///   - planeCount: At least 1.
    ///   - planeByteCount: At least 0; a list of buffers can tell of no more than 32 bits.
    /// - Returns: `nil` if it would be too much, or there is no memory left.
    static func allocated(planeCount: Int, planeByteCount: Int, channelsPerPlane: UInt32) -> SoundStorage? {
        guard planeCount > 0, planeByteCount >= 0, planeByteCount <= Int(UInt32.max) else { return nil }
        // Planes start where the widest registers can load from.
        let step = (planeByteCount + 63) / 64 * 64
        let (size, tooLarge) = step.multipliedReportingOverflow(by: planeCount)
        // `calloc` gets large pieces from the kernel, which clears pages when they are first touched. It knows no
        // alignment, hence the spare bytes.
        guard !tooLarge, size <= Int.max - 64, let allocation = calloc(1, size + 64) else { return nil }
        let start = allocation.alignedUp(toMultipleOf: 64)
        let planes = (0..<planeCount).map { index in
            UnsafeMutableRawBufferPointer(start: start + index * step, count: planeByteCount)
        }
        return SoundStorage(planes: planes, channelsPerPlane: channelsPerPlane, filledByteCount: 0) { _ in
            free(allocation)
        }
    }

    /// A copy in memory of our own; one without any bytes if there is no memory left.
    func copy() -> SoundStorage {
        let size = planes.map(\.count).min() ?? 0
        guard
            let copy = Self.allocated(
                planeCount: planes.count, planeByteCount: size, channelsPerPlane: channelsPerPlane)
        else {
            let none = UnsafeMutableRawBufferPointer(start: nil, count: 0)
            return SoundStorage(
                planes: planes.map { _ in none }, channelsPerPlane: channelsPerPlane, filledByteCount: 0
            ) { _ in }
        }
        for (target, source) in zip(copy.planes, planes) {
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<min(filledByteCount, size)]))
        }
        copy.filledByteCount = filledByteCount
        return copy
    }

    /// The list of what is filled.
    var filled: UnsafePointer<AudioBufferList> { filledList.unsafePointer }

    /// The list of all memory, as new: whoever had it before may have changed it.
    var whole: UnsafeMutablePointer<AudioBufferList> {
        list(wholeList) { UInt32(clamping: $0.count) }
        return wholeList.unsafeMutablePointer
    }

    private func list(
        _ list: UnsafeMutableAudioBufferListPointer, size: (UnsafeMutableRawBufferPointer) -> UInt32
    ) {
        list.count = planes.count
        for (index, plane) in planes.enumerated() {
            list[index] = AudioBuffer(
                mNumberChannels: channelsPerPlane, mDataByteSize: size(plane), mData: plane.baseAddress)
        }
    }
}
