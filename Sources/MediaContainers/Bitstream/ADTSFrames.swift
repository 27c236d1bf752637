/// What the frames can say in which AAC stands in transport streams and in files of its own (ADTS).
///
/// Source: ISO/IEC 14496-3, 1.6.2.1 (AudioSpecificConfig), 4.4.1 (GASpecificConfig), 1.A.2.2 (ADTS).
package enum ADTSFrames {
    /// Why frames cannot say what a configuration does; `nil` if they can.
    ///
    /// - Parameter configuration: The stream's AudioSpecificConfig; empty for what stands in such frames already.
    package static func refusal(of configuration: [UInt8]) -> String? {
        guard !configuration.isEmpty else { return nil }
        return BitReader.reading(configuration) { refusal(&$0) }
    }

    private static func refusal(_ bits: inout BitReader) -> String? {
        let damaged = "the configuration of the sound is cut short"
        guard var kind = objectType(&bits), var rate = rateIndex(&bits), let channels = bits.read(4) else {
            return damaged
        }
        // Spectral band replication and parametric stereo, told first: what is coded comes after it.
        if kind == 5 || kind == 29 {
            let core = rate
            guard rateIndex(&bits) != nil, let coded = objectType(&bits) else { return damaged }
            (kind, rate) = (coded, core)
        }
        guard (1...4).contains(kind) else { return "AAC of the object type \(kind), of which ADTS has 1 to 4" }
        guard rate < 13 else { return "a sample rate that ADTS has no number for" }
        guard channels < 8 else { return "a layout of channels that ADTS has no number for" }
        guard let isShort = bits.readFlag(), let hasCore = bits.readFlag(), let isExtended = bits.readFlag() else {
            return damaged
        }
        if isShort { return "frames of 960 samples, where those of ADTS have 1024" }
        return hasCore || isExtended ? "AAC in layers, which ADTS has not" : nil
    }

    private static func objectType(_ bits: inout BitReader) -> UInt32? {
        guard let kind = bits.read(5) else { return nil }
        return kind == 31 ? bits.read(6).map { 32 + $0 } : kind
    }

    private static func rateIndex(_ bits: inout BitReader) -> UInt32? {
        guard let index = bits.read(4) else { return nil }
        return index == 15 && bits.read(24) == nil ? nil : index
    }
}
