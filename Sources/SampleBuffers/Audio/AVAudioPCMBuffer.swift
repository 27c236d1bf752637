public import Foundation

/// Samples in memory that are not compressed.
open class AVAudioPCMBuffer: AVAudioBuffer {
    private let capacity: AVAudioFrameCount
    private let channelPointers: ChannelPointers?

    /// A buffer with memory of its own, all zero, that holds no frames yet.
    ///
    /// - Parameters:
    ///   - format: Of linear PCM.
    ///   - frameCapacity: How many frames there is room for.
    /// - Returns: `nil` for formats that are compressed or have no channels, more than 65535, or frames of no bytes,
    ///   for 4 GiB and more in one buffer of the list, and if there is no memory left.
    /// - Note: AVFoundation ends the program for formats that are compressed.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let stream = format.facts.stream
        let (size, tooLarge) = Int(stream.mBytesPerFrame).multipliedReportingOverflow(by: Int(frameCapacity))
        guard stream.canBeBuffered, !tooLarge,
            let storage = SoundStorage.allocated(
                planeCount: Int(stream.planeCount), planeByteCount: size, channelsPerPlane: stream.channelsPerPlane)
        else { return nil }
        capacity = frameCapacity
        channelPointers = ChannelPointers(stream, storage.planes)
        super.init(format: format, storage: storage)
    }

    /// A buffer of memory that the client has, which is used as it is; all of it counts as filled.
    ///
    /// - Parameters:
    ///   - format: Of linear PCM.
    ///   - bufferList: The memory, which has to last until the deallocator is called, or else as long as the buffer.
    ///     The list itself is copied.
    ///   - deallocator: Called once, when the buffer goes, on whatever thread that happens; never if it fails. It is
    ///     given a list of the same memory, which lasts as long as the call.
    /// - Returns: `nil` for formats that are compressed or have no channels or frames of no bytes, and for a list of
    ///   another number of buffers than the format has, without memory, of different sizes or of none.
    /// - Note: AVFoundation ends the program for formats that are compressed.
    public init?(
        pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
    ) {
        let stream = format.facts.stream
        guard stream.canBeBuffered, let planes = Self.planes(of: bufferList, count: stream.planeCount) else {
            return nil
        }
        let frameSize = Int(stream.mBytesPerFrame)
        let frames = (planes.first?.count ?? 0) / frameSize
        capacity = AVAudioFrameCount(clamping: frames)
        channelPointers = ChannelPointers(stream, planes)
        let storage = SoundStorage(
            planes: planes, channelsPerPlane: stream.channelsPerPlane, filledByteCount: frames * frameSize
        ) { deallocator?($0) }
        super.init(format: format, storage: storage)
    }

    private init(copying original: AVAudioPCMBuffer) {
        let stream = original.format.facts.stream
        let storage = original.storage.copy()
        // Without memory there is no room.
        let frames = (storage.planes.first?.count ?? 0) / Int(max(1, stream.mBytesPerFrame))
        capacity = AVAudioFrameCount(clamping: frames)
        channelPointers = ChannelPointers(stream, storage.planes)
        super.init(format: original.format, storage: storage)
    }

    private static func planes(
        of list: UnsafePointer<AudioBufferList>, count: UInt32
    ) -> [UnsafeMutableRawBufferPointer]? {
        guard list.pointee.mNumberBuffers == count else { return nil }
        let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        let planes = buffers.compactMap { buffer in
            buffer.mData.map { UnsafeMutableRawBufferPointer(start: $0, count: Int(buffer.mDataByteSize)) }
        }
        guard planes.count == buffers.count, let size = planes.first?.count, size > 0,
            planes.allSatisfy({ $0.count == size })
        else { return nil }
        return planes
    }

    // MARK: Frames

    /// How many frames there is room for.
    open var frameCapacity: AVAudioFrameCount { capacity }

    /// How many frames the buffer holds: 0 at first, all of a client's memory.
    ///
    /// Setting it changes the sizes in ``AVAudioBuffer/audioBufferList``, not the memory.
    ///
    /// - Note: More than ``frameCapacity`` counts as that. AVFoundation ends the program.
    open var frameLength: AVAudioFrameCount {
        get {
            let frameSize = Int(max(1, format.facts.stream.mBytesPerFrame))
            return AVAudioFrameCount(clamping: storage.filledByteCount / frameSize)
        }
        set { storage.filledByteCount = Int(min(newValue, capacity)) * Int(format.facts.stream.mBytesPerFrame) }
    }

    /// Samples from one of a channel to the next: the number of channels if they are interleaved, otherwise 1.
    open var stride: Int { Int(format.facts.stream.channelsPerPlane) }

    // MARK: Samples

    /// A pointer for each channel to its samples of `.pcmFormatFloat32`.
    ///
    /// Samples of a channel are ``stride`` apart. The pointers, ``AVAudioFormat/channelCount`` of them, last as long as
    /// the buffer.
    ///
    /// - Returns: `nil` for other formats.
    /// - Note: Also `nil` for a client's memory that is not aligned for such numbers; AVFoundation says nothing of it.
    open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
        channelPointers?.pointers(to: Float.self, .pcmFormatFloat32)
    }

    /// A pointer for each channel to its samples of `.pcmFormatInt16`, as ``floatChannelData`` has them.
    ///
    /// - Returns: `nil` for other formats.
    /// - Note: Also `nil` for a client's memory that is not aligned for such numbers; AVFoundation says nothing of it.
    open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
        channelPointers?.pointers(to: Int16.self, .pcmFormatInt16)
    }

    /// A pointer for each channel to its samples of `.pcmFormatInt32`, as ``floatChannelData`` has them.
    ///
    /// - Returns: `nil` for other formats.
    /// - Note: Also `nil` for a client's memory that is not aligned for such numbers; AVFoundation says nothing of it.
    open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
        channelPointers?.pointers(to: Int32.self, .pcmFormatInt32)
    }

    /// A copy in memory of its own with the same capacity, as far as the buffer is filled; the rest is zero.
    ///
    /// - Note: One without room if there is no memory left.
    open override func copy(with zone: NSZone? = nil) -> Any { AVAudioPCMBuffer(copying: self) }
}

extension AudioStreamBasicDescription {
    /// Whether samples of the format can lie in a buffer.
    fileprivate var canBeBuffered: Bool {
        // No tag counts more channels, and lists of more would themselves take memory without end.
        isPCM && mBytesPerFrame > 0 && 1...65535 ~= mChannelsPerFrame
    }
}

extension AVAudioPCMBuffer {
    /// Lends the buffer's memory to a piece of work: all of it, to be filled.
    ///
    /// - Parameter body: Given a piece of memory for each channel, one for all if they are interleaved; each has room
    ///   for ``frameCapacity`` frames, and a client's may have some bytes more. They last as long as the call.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    package func withPlanes<Result, Failure: Error>(
        _ body: ([UnsafeMutableRawBufferPointer]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The memory goes with the storage, which somebody has to hold meanwhile.
        let storage = storage
        defer { withExtendedLifetime(storage) {} }
        return try body(storage.planes)
    }

    /// Lends the buffer's frames to a piece of work, to be read.
    ///
    /// - Parameter body: Given a piece of memory for each channel, one for all if they are interleaved, each with
    ///   ``frameLength`` frames. They last as long as the call.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    package func withFilledPlanes<Result, Failure: Error>(
        _ body: ([UnsafeRawBufferPointer]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let storage = storage
        defer { withExtendedLifetime(storage) {} }
        let size = storage.filledByteCount
        return try body(storage.planes.map { UnsafeRawBufferPointer(rebasing: $0[..<min(size, $0.count)]) })
    }
}

/// A pointer for each channel of a buffer to its first sample, in memory that lasts as long as this object.
final class ChannelPointers {
    private let format: AVAudioCommonFormat
    private let table: UnsafeMutableRawPointer

    /// The pointers into a buffer's planes.
    ///
    /// - Returns: `nil` if samples are none that clients are given pointers to, or are not aligned as such.
    init?(_ stream: AudioStreamBasicDescription, _ planes: [UnsafeMutableRawBufferPointer]) {
        format = stream.commonFormat
        let channels = Int(stream.channelsPerPlane)
        let table =
            switch format {
            case .pcmFormatFloat32: Self.table(of: Float.self, planes, channels)
            case .pcmFormatInt16: Self.table(of: Int16.self, planes, channels)
            case .pcmFormatInt32: Self.table(of: Int32.self, planes, channels)
            case .pcmFormatFloat64, .otherFormat: UnsafeMutableRawPointer?.none
            }
        guard let table else { return nil }
        self.table = table
    }

    deinit { table.deallocate() }

    private static func table<Sample>(
        of sample: Sample.Type, _ planes: [UnsafeMutableRawBufferPointer], _ channelsPerPlane: Int
    ) -> UnsafeMutableRawPointer? {
        let pointers = planes.compactMap { plane -> UnsafeMutablePointer<Sample>? in
            guard let start = plane.baseAddress, Int(bitPattern: start) % MemoryLayout<Sample>.alignment == 0 else {
                return nil
            }
            return start.bindMemory(to: Sample.self, capacity: plane.count / MemoryLayout<Sample>.stride)
        }
        guard pointers.count == planes.count, !pointers.isEmpty else { return nil }
        let table = UnsafeMutablePointer<UnsafeMutablePointer<Sample>>.allocate(
            capacity: pointers.count * channelsPerPlane)
        for (index, pointer) in pointers.enumerated() {
            for channel in 0..<channelsPerPlane {
                (table + index * channelsPerPlane + channel).initialize(to: pointer + channel)
            }
        }
        return UnsafeMutableRawPointer(table)
    }

    /// The pointers, `nil` if the samples are of another kind.
    func pointers<Sample>(
        to sample: Sample.Type, _ format: AVAudioCommonFormat
    ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard self.format == format else { return nil }
        return UnsafePointer(table.assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self))
    }
}
