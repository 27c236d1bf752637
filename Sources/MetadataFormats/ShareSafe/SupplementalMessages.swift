internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// The messages of one SEI unit: those that stay, and filler of the same length in place of all others.
struct SupplementalMessages {
    let isHEVC: Bool

    private typealias Message = SEIMessages<ArraySlice<UInt8>>.Message

    private static let filler = 3

    /// A unit's content, after its header, as it may be shared and as long as it was; `nil` if nothing is to change.
    func scrubbed(_ content: UnsafeRawBufferPointer) -> (bytes: [UInt8], reason: String)? {
        let bytes = NALUnits.unescaped(content)
        let (messages, rest) = Self.messages(in: bytes)
        var reasons: [String] = []
        var pieces: [(bytes: [UInt8], isFiller: Bool)] = []
        for message in messages {
            let payload = bytes[message.payload]
            if let kept = kept(message.type, payload) {
                if kept.count == payload.count, !payload.elementsEqual(kept) {
                    reasons.append("settings of an encoder")
                }
                pieces.append((Array(bytes[message.range.lowerBound..<message.payload.lowerBound]) + kept, false))
            } else {
                reasons.append(Self.name(message.type))
                pieces.append(([UInt8](repeating: 0, count: message.range.count), true))
            }
        }
        if !rest.isEmpty {
            reasons.append("what is no message")
            pieces.append(([UInt8](repeating: 0, count: rest.count), true))
        }
        guard let reason = reasons.first else { return nil }
        return (Self.assembled(pieces, byteCount: content.count), reason)
    }

    // MARK: Which stay

    /// What of a payload stays, as long as it was; `nil` for nothing.
    private func kept(_ type: Int, _ payload: ArraySlice<UInt8>) -> [UInt8]? {
        switch type {
        case Self.filler: return payload.allSatisfy { $0 == 0xFF } ? Array(payload) : nil
        case 4: return RegisteredMessage.isKept(payload) ? Array(payload) : nil
        case 5: return Self.encoderVersion(payload)
        default:
            let kept = isHEVC ? ShareSafeRules.keptMessagesHEVC : ShareSafeRules.keptMessagesH264
            return kept.contains(type) ? Array(payload) : nil
        }
    }

    private static let x264: [UInt8] = [
        0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF,
    ]

    /// Decoders work around errors of old versions of x264, whose number they have from here; its settings are blanked.
    private static func encoderVersion(_ payload: ArraySlice<UInt8>) -> [UInt8]? {
        let name = Array("x264 - core ".utf8)
        let text = payload.dropFirst(16)
        guard payload.starts(with: x264), text.starts(with: name) else { return nil }
        let number = text.dropFirst(name.count).prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(4)
        guard !number.isEmpty else { return nil }
        let version = x264 + name + number
        return version + [UInt8](repeating: 0x20, count: payload.count - version.count)
    }

    private static func name(_ type: Int) -> String {
        switch type {
        case 4: "registered user data that are no captions or light"
        case 5: "unregistered user data"
        default: "messages of type \(type)"
        }
    }

    // MARK: Reading

    private static func messages(in bytes: [UInt8]) -> (messages: [Message], rest: Range<Int>) {
        var end = bytes.count
        while end > 0, bytes[end - 1] == 0 { end -= 1 }
        // The last bit that is set ends the messages.
        if end > 0, bytes[end - 1] == 0x80 { end -= 1 }
        let messages = Array(SEIMessages(bytes[..<end]))
        return (messages, (messages.last?.range.upperBound ?? 0)..<end)
    }

    // MARK: Writing

    /// The pieces as a unit's content of so many bytes, the filler as long as that needs.
    private static func assembled(_ pieces: [(bytes: [UInt8], isFiller: Bool)], byteCount: Int) -> [UInt8] {
        var adjustment = 0
        for _ in 0..<8 {
            var raw: [UInt8] = []
            var left = adjustment
            for piece in pieces {
                guard piece.isFiller else {
                    raw += piece.bytes
                    continue
                }
                raw += fillers(max(2, piece.bytes.count + left))
                left = 0
            }
            let bytes = NALUnits.escaped(raw + [0x80])
            if bytes.count == byteCount { return bytes }
            adjustment += byteCount - bytes.count
        }
        // Nothing of the unit stays if it cannot be made as long as it was.
        return byteCount > 2 ? fillers(byteCount - 1) + [0x80] : [UInt8](repeating: 0x80, count: byteCount)
    }

    /// Messages of filler, so many bytes together, two at the least.
    static func fillers(_ count: Int) -> [UInt8] {
        // A size of 255 needs two bytes: a message of 257 bytes there is none, nor any of 256 more.
        if count % 256 == 1, count > 1 { return fillers(2) + fillers(count - 2) }
        let size = count - 2 - (count - 2) / 256
        var bytes: [UInt8] = [3]
        bytes += [UInt8](repeating: 0xFF, count: size / 255)
        bytes.append(UInt8(size % 255))
        return bytes + [UInt8](repeating: 0xFF, count: max(0, count - bytes.count))
    }
}

/// User data that are registered by ITU-T T.35.
enum RegisteredMessage {
    /// Whether they are captions, what the picture is shown like, or light.
    ///
    /// Source: ITU-T T.35; ATSC A/53 part 4, 6.2.3; SMPTE ST 2094-10 and -40; ETSI TS 103 433; CUVA 005.
    static func isKept(_ payload: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(payload.prefix(8))
        guard bytes.count >= 4 else { return false }
        switch (bytes[0], UInt16(bytes[1]) << 8 | UInt16(bytes[2])) {
        case (0xB5, 0x0031):
            let code = String(latin1: bytes[3..<min(7, bytes.count)])
            return code == "GA94" && bytes.count > 7 && [3, 6, 8, 9].contains(bytes[7]) || code == "DTG1"
        case (0xB5, 0x003A), (0xB5, 0x003B), (0xB5, 0x003C), (0xB5, 0x0090), (0x26, 0x0004): return true
        default: return false
        }
    }
}
