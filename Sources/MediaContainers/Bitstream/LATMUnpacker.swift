/// Takes the frames of AAC out of LOAS and LATM, as broadcasts have them.
///
/// Containers other than transport streams have AAC in plain frames, with what decoders need to know before all of them.
/// One program with one layer is known, which is all that is in use.
///
/// Source: ISO/IEC 14496-3, 1.7.
package struct LATMUnpacker {
    /// What decoders get before the first frame: an AudioSpecificConfig; `nil` until one was read.
    package private(set) var configuration: [UInt8]?
    private var layout: Layout?

    /// What a StreamMuxConfig tells.
    private struct Layout {
        var configuration: [UInt8]
        /// In each element.
        var frames: Int
    }

    package init() {}

    /// The frames of an element with its LOAS header.
    ///
    /// - Returns: `nil` if it cannot be understood, or comes before any configuration.
    package mutating func frames(in element: UnsafeRawBufferPointer) -> [[UInt8]]? {
        var bits = BitReader(bytes: element)
        guard bits.read(11) == 0x2b7, let length = bits.read(13), Int(length) + 3 <= element.count,
            let isSame = bits.readFlag()
        else { return nil }
        if !isSame {
            guard let read = Self.layout(&bits) else { return nil }
            layout = read
            configuration = configuration ?? read.configuration
        }
        guard let layout, layout.configuration == configuration else { return nil }
        var frames: [[UInt8]] = []
        for _ in 0..<layout.frames {
            var count = 0
            while true {
                guard let part = bits.read(8) else { return nil }
                count += Int(part)
                if part != 255 { break }
            }
            guard let frame = Self.bytes(count, &bits) else { return nil }
            frames.append(frame)
        }
        return frames
    }

    private static func bytes(_ count: Int, _ bits: inout BitReader) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(count, 8192))
        for _ in 0..<count {
            guard let byte = bits.read(8) else { return nil }
            bytes.append(UInt8(byte))
        }
        return bytes
    }

    /// A StreamMuxConfig.
    private static func layout(_ bits: inout BitReader) -> Layout? {
        guard let version = bits.read(1) else { return nil }
        // Its second form is reserved.
        if version == 1, bits.read(1) != 0 { return nil }
        if version == 1, value(&bits) == nil { return nil }
        guard bits.readFlag() != nil, let subframes = bits.read(6), bits.read(4) == 0, bits.read(3) == 0 else {
            return nil
        }
        var layout = Layout(configuration: [], frames: Int(subframes) + 1)
        let length = version == 1 ? value(&bits).map(Int.init) : nil
        if version == 1, length == nil { return nil }
        let begin = bits
        guard skipAudioConfiguration(&bits) else { return nil }
        var size = bits.position - begin.position
        if let length {
            guard length >= size, length <= 4096 else { return nil }
            for _ in size..<length where bits.read(1) == nil { return nil }
            size = length
        }
        var copy = begin
        for start in stride(from: 0, to: size, by: 8) {
            let count = min(8, size - start)
            guard let part = copy.read(count) else { return nil }
            layout.configuration.append(UInt8(part << (8 - UInt32(count))))
        }
        // Frames of a length that is told with each.
        guard bits.read(3) == 0, bits.read(8) != nil, let hasOther = bits.readFlag() else { return nil }
        // Other data come after the frames, where nobody reads on.
        if hasOther {
            guard version == 1 ? value(&bits) != nil : skipOtherDataLength(&bits) else { return nil }
        }
        guard let hasChecksum = bits.readFlag(), !hasChecksum || bits.read(8) != nil else { return nil }
        return layout
    }

    private static func skipOtherDataLength(_ bits: inout BitReader) -> Bool {
        for _ in 0..<4 {
            guard let goesOn = bits.readFlag(), bits.read(8) != nil else { return false }
            if !goesOn { return true }
        }
        return false
    }

    /// A LatmGetValue().
    private static func value(_ bits: inout BitReader) -> UInt32? {
        bits.read(2).flatMap { bits.read(8 * (Int($0) + 1)) }
    }

    /// Reads an AudioSpecificConfig of AAC, with or without SBR and parametric stereo.
    private static func skipAudioConfiguration(_ bits: inout BitReader) -> Bool {
        guard var type = objectType(&bits), skipFrequency(&bits), let channels = bits.read(4) else { return false }
        if type == 5 || type == 29 {
            guard skipFrequency(&bits), let inner = objectType(&bits) else { return false }
            type = inner
        }
        // Main, low complexity, scalable sample rate, long-term prediction; others are not in broadcasts, nor are
        // channels that a program tells one by one.
        guard [1, 2, 3, 4].contains(type), channels != 0 else { return false }
        guard bits.readFlag() != nil, let dependsOnCore = bits.readFlag(), !dependsOnCore || bits.read(14) != nil,
            let isExtended = bits.readFlag()
        else { return false }
        return !isExtended
    }

    private static func objectType(_ bits: inout BitReader) -> UInt32? {
        guard let type = bits.read(5) else { return nil }
        return type == 31 ? bits.read(6).map { 32 + $0 } : type
    }

    private static func skipFrequency(_ bits: inout BitReader) -> Bool {
        guard let index = bits.read(4) else { return false }
        return index != 15 || bits.read(24) != nil
    }
}
