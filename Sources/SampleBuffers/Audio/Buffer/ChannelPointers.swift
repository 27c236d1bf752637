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
