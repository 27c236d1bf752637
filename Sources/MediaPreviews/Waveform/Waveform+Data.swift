public import Foundation

extension Waveform {
    /// The waveform as audiowaveform's JSON, in one line with a line break at its end.
    ///
    /// Points are called pixels there.
    ///
    /// - Complexity: Up to 7 bytes for each value.
    public var json: Data {
        let head =
            #"{"version":\#(Self.version),"channels":\#(channels),"sample_rate":\#(sampleRate),"#
            + #""samples_per_pixel":\#(samplesPerPoint),"bits":\#(bits),"length":\#(length),"data":["#
        var text = Array(head.utf8)
        text.reserveCapacity(text.count + data.count * (bits == 8 ? 4 : 6) + 4)
        for (index, value) in data.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            Self.append(value, to: &text)
        }
        text += "]}\n".utf8
        return Data(text)
    }

    /// The waveform as audiowaveform's binary data, version 2.
    ///
    /// A header of 24 bytes, all little-endian: the version; 1 for 8 bits, 0 for 16; samples a second; samples a
    /// point; points; channels. Then the values, of one or two bytes each.
    public var dat: Data {
        let header = [
            UInt32(Self.version), bits == 8 ? 1 : 0, UInt32(clamping: sampleRate), UInt32(clamping: samplesPerPoint),
            UInt32(clamping: length), UInt32(clamping: channels),
        ]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24 + data.count * bits / 8)
        for field in header { withUnsafeBytes(of: field.littleEndian) { bytes.append(contentsOf: $0) } }
        for value in data {
            bytes.append(UInt8(truncatingIfNeeded: value))
            if bits == 16 { bytes.append(UInt8(truncatingIfNeeded: value >> 8)) }
        }
        return Data(bytes)
    }

    /// Writes a number's digits; strings of their own would take several times as long.
    private static func append(_ value: Int16, to text: inout [UInt8]) {
        if value < 0 { text.append(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        var divisor: UInt16 = 1
        while magnitude / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(magnitude / divisor % 10))
            divisor /= 10
        }
    }
}
