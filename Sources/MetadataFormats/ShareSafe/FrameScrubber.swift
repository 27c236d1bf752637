internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// Looks through packets of MPEG audio and of AAC with headers, for tags behind the last frame.
enum FrameScrubber {
    static func patches(in bytes: UnsafeRawBufferPointer) -> [SamplePatch] {
        let all = Array(bytes)
        var position = 0
        while position + MPEGAudioHeader.length <= all.count,
            let length = MPEGAudioHeader.frameLength(Array(all[position..<(position + MPEGAudioHeader.length)]))
        {
            position += max(1, length)
        }
        // Frames of free format do not tell their length, but begin like all others.
        if position == 0, all.count >= 2, all[0] == 0xFF, all[1] & 0xE0 == 0xE0 { return [] }
        guard position < all.count, all[position...].contains(where: { $0 != 0 }) else { return [] }
        return [
            SamplePatch(
                offset: position, bytes: [UInt8](repeating: 0, count: all.count - position),
                reason: "bytes behind a frame of sound")
        ]
    }
}

/// Bytes of a coded sample to be replaced by as many others.
package struct SamplePatch: Hashable, Sendable {
    /// Where they lie in the sample.
    package var offset: Int
    package var bytes: [UInt8]
    /// What they held, for people.
    package var reason: String
}

/// Looks through coded samples for what cameras and encoders wrote between the pictures.
///
/// What is not known to be needed is overwritten in place, so that no sample changes its size: tables of samples,
/// clusters and packets stay as they are, and so does each coded picture.
package struct SampleScrubber: Sendable {
    private enum Form: Sendable {
        case units(NALScrubber)
        case av1
        case mpeg4
        case mpeg2
        case jpeg
        case frames
    }

    private let form: Form

    /// Makes a scrubber; `nil` if samples of this coding hold nothing but what they code.
    ///
    /// - Parameters:
    ///   - codec: FFmpeg's name or a four-character code.
    ///   - configuration: What decoders get first, in the container's form.
    package init?(codec: String, configuration: [UInt8]) {
        switch codec {
        case "h264", "H264", "X264", "AVC1", "avc1", "avc2", "avc3", "avc4", "dva1", "dvav":
            let isSized = configuration.count > 6 && configuration[0] == 1
            form = .units(NALScrubber(isHEVC: false, lengthSize: isSized ? Int(configuration[4] & 3) + 1 : nil))
        case "hevc", "HEVC", "H265", "HVC1", "hvc1", "hvc2", "hev1", "hev2", "dvh1", "dvhe":
            let isSized = configuration.count > 22 && configuration[0] == 1
            form = .units(NALScrubber(isHEVC: true, lengthSize: isSized ? Int(configuration[21] & 3) + 1 : nil))
        case "av1", "av01", "dav1": form = .av1
        case "mpeg4", "mp4v", "MP4V", "DX50", "DIVX", "XVID", "3IV2", "FMP4": form = .mpeg4
        case "mpeg2video", "mpeg1video", "MPG2", "MPEG", "mp2v", "m2v1", "mpg2", "m1v ", "mpeg", "xdvc", "xdvb", "hdv2",
            "hdv3", "mx5n",
            "mx5p", "xdv2", "xdv3":
            form = .mpeg2
        case "mjpeg", "jpeg", "mjpa", "MJPG", "dmb1", "AVDJ", "mjpg": form = .jpeg
        case "mp3", "mp2", "mp1": form = .frames
        // With a configuration, AAC has no headers of its own.
        case "aac" where configuration.isEmpty: form = .frames
        default: return nil
        }
    }

    /// Whether samples of a coding hold data of cameras and encoders that nothing here looks through: DV's packs with
    /// the date of recording, CineForm's metadata, user data of VC-1 and VVC.
    ///
    /// - Parameter codec: FFmpeg's name or a four-character code.
    package static func cannotLookThrough(_ codec: String) -> Bool {
        let codec = codec.lowercased()
        return ShareSafeRules.opaqueCodecs.contains(codec)
            || ShareSafeRules.opaquePrefixes.contains { codec.hasPrefix($0) && codec.utf8.count == 4 }
    }

    /// What is to be overwritten in a sample.
    package func patches(in bytes: UnsafeRawBufferPointer) -> [SamplePatch] {
        switch form {
        case .units(let units): units.patches(in: bytes)
        case .av1: AV1Scrubber.patches(in: bytes)
        case .mpeg4: UserDataScrubber.patches(in: bytes, isMPEG4: true)
        case .mpeg2: UserDataScrubber.patches(in: bytes, isMPEG4: false)
        case .jpeg: JPEGScrubber.patches(in: bytes)
        case .frames: FrameScrubber.patches(in: bytes)
        }
    }

    /// What is to be overwritten in a decoder's configuration.
    package func patches(inConfiguration bytes: [UInt8]) -> [SamplePatch] {
        bytes.withUnsafeBytes { raw in
            switch form {
            case .units(let units): return units.patches(inConfiguration: raw)
            case .av1:
                // Four bytes come first in `av1C`, and often nothing after them.
                guard raw.first == 0x81 else { return AV1Scrubber.patches(in: raw) }
                guard raw.count > 4 else { return [] }
                return AV1Scrubber.patches(in: UnsafeRawBufferPointer(rebasing: raw[4...])).map { $0.moved(by: 4) }
            case .mpeg4, .mpeg2: return patches(in: raw)
            case .jpeg, .frames: return []
            }
        }
    }

    /// The bytes with all that is to be overwritten; `nil` if that is nothing.
    package static func applying(_ patches: [SamplePatch], to bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard !patches.isEmpty else { return nil }
        var result = Array(bytes)
        for patch in patches where patch.offset >= 0 && patch.offset + patch.bytes.count <= result.count {
            result.replaceSubrange(patch.offset..<(patch.offset + patch.bytes.count), with: patch.bytes)
        }
        return result
    }
}

extension SamplePatch {
    /// The same, counted from an earlier byte.
    func moved(by distance: Int) -> SamplePatch {
        SamplePatch(offset: offset + distance, bytes: bytes, reason: reason)
    }
}

/// Looks through the NAL units of H.264 and HEVC.
///
/// Source: ITU-T H.264, 7.3 and annex D; ITU-T H.265, 7.3 and annex D.
struct NALScrubber: Sendable {
    let isHEVC: Bool
    /// The size of a unit's length field, `nil` for start codes.
    let lengthSize: Int?

    func patches(in bytes: UnsafeRawBufferPointer) -> [SamplePatch] {
        var patches: [SamplePatch] = []
        for range in units(in: bytes) { if let patch = patch(of: bytes, range) { patches.append(patch) } }
        return patches
    }

    /// The units of a configuration record, `avcC` or `hvcC`, or of bare units.
    func patches(inConfiguration bytes: UnsafeRawBufferPointer) -> [SamplePatch] {
        guard lengthSize != nil else { return patches(in: bytes) }
        guard isHEVC else { return [] }
        // ISO/IEC 14496-15, 8.3.2: arrays of units, each with its length in 16 bits.
        var patches: [SamplePatch] = []
        var position = 23
        for _ in 0..<(bytes.count > 22 ? Int(bytes[22]) : 0) {
            guard position + 3 <= bytes.count else { break }
            let count = Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
            position += 3
            for _ in 0..<count {
                guard position + 2 <= bytes.count else { return patches }
                let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
                let range = (position + 2)..<(position + 2 + length)
                guard range.upperBound <= bytes.count else { return patches }
                if let patch = patch(of: bytes, range) { patches.append(patch) }
                position = range.upperBound
            }
        }
        return patches
    }

    // MARK: Units

    private func units(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        guard let lengthSize else { return Self.unitsBetweenStartCodes(bytes) }
        var units: [Range<Int>] = []
        var position = 0
        while position + lengthSize < bytes.count {
            let length = bytes[position..<(position + lengthSize)].reduce(0) { $0 << 8 | Int($1) }
            let start = position + lengthSize
            guard length > 0 else {
                position = start
                continue
            }
            let end = min(bytes.count, start + length)
            units.append(start..<end)
            position = end
        }
        return units
    }

    static func unitsBetweenStartCodes(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var starts: [Int] = []
        var index = 2
        while index < bytes.count {
            if bytes[index] > 1 {
                index += 3
            } else if bytes[index] == 1, bytes[index - 1] == 0, bytes[index - 2] == 0 {
                starts.append(index + 1)
                index += 3
            } else {
                index += 1
            }
        }
        return starts.enumerated().compactMap { number, start in
            var end = number + 1 < starts.count ? starts[number + 1] - 3 : bytes.count
            // Zeros behind a unit belong to the next start code or fill the stream.
            while end > start, bytes[end - 1] == 0 { end -= 1 }
            return end > start ? start..<end : nil
        }
    }

    private func patch(of bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> SamplePatch? {
        let header = isHEVC ? 2 : 1
        guard range.count > header else { return nil }
        let type = isHEVC ? Int(bytes[range.lowerBound] >> 1 & 0x3F) : Int(bytes[range.lowerBound] & 0x1F)
        let content = UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + header)..<range.upperBound])
        let offset = range.lowerBound + header
        if type == 6 && !isHEVC || isHEVC && (type == 39 || type == 40) {
            return SupplementalMessages(isHEVC: isHEVC).scrubbed(content).map {
                SamplePatch(offset: offset, bytes: $0.bytes, reason: $0.reason)
            }
        }
        let isFiller = type == (isHEVC ? 38 : 12)
        let isUnknown = isHEVC ? (41...61).contains(type) : type == 0 || (24...31).contains(type)
        guard isFiller || isUnknown else { return nil }
        let filler = [UInt8](repeating: 0xFF, count: content.count - 1) + [0x80]
        guard !content.elementsEqual(filler) else { return nil }
        if isFiller, content.allSatisfy({ [0xFF, 0x80, 0].contains($0) }) { return nil }
        return SamplePatch(
            offset: offset, bytes: filler,
            reason: isFiller ? "filler that is none" : "units of type \(type), which no standard has")
    }
}

/// Looks through the units of AV1.
///
/// Source: AV1 Bitstream & Decoding Process Specification, 5.3 and 6.7.
enum AV1Scrubber {
    private static let metadata: UInt8 = 5
    private static let padding: UInt8 = 15
    /// Sequence header, temporal delimiter, frame header, tile group, metadata, frame, redundant header, tile list.
    private static let known: Set<UInt8> = [1, 2, 3, 4, 5, 6, 7, 8, 15]

    static func patches(in bytes: UnsafeRawBufferPointer) -> [SamplePatch] {
        var patches: [SamplePatch] = []
        var position = 0
        while position < bytes.count {
            let header = bytes[position]
            let type = header >> 3 & 15
            var content = position + (header & 4 != 0 ? 2 : 1)
            var length = bytes.count - content
            if header & 2 != 0 {
                guard let size = number(in: bytes, at: &content) else { break }
                length = size
            }
            guard length >= 0, length <= bytes.count - content else { break }
            let payload = UnsafeRawBufferPointer(rebasing: bytes[content..<(content + length)])
            if let reason = reason(type, payload) {
                patches.append(
                    SamplePatch(offset: position, bytes: [header & 0x87 | padding << 3], reason: reason))
                patches.append(SamplePatch(offset: content, bytes: blank(length), reason: reason))
            }
            position = content + length
        }
        return patches
    }

    /// Why a unit does not stay, `nil` if it does.
    private static func reason(_ type: UInt8, _ payload: UnsafeRawBufferPointer) -> String? {
        guard !payload.isEmpty else { return nil }
        guard known.contains(type) else { return "units of type \(type), which the standard reserves" }
        if type == padding { return payload.dropLast().allSatisfy { $0 == 0 } ? nil : "padding that is none" }
        guard type == metadata else { return nil }
        var position = 0
        guard let kind = number(in: payload, at: &position) else { return "metadata of no type" }
        guard ShareSafeRules.keptMetadataAV1.contains(kind) else { return "metadata of type \(kind)" }
        guard kind == 4 else { return nil }
        let message = Array(payload[position...].prefix(8))
        return RegisteredMessage.isKept(message[...]) ? nil : "registered user data that are no captions or light"
    }

    private static func blank(_ count: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, count - 1)) + (count > 0 ? [0x80] : [])
    }

    /// A number of up to eight bytes, seven bits in each.
    private static func number(in bytes: UnsafeRawBufferPointer, at position: inout Int) -> Int? {
        var value = 0
        for index in 0..<8 {
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            position += 1
            value |= Int(byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}

/// Looks through what decoders of sound get first, which holds tags in some codings.
package enum CodecHeaderScrubber {
    /// What is to be overwritten.
    ///
    /// - Parameters:
    ///   - codec: FFmpeg's name, or Matroska's.
    ///   - bytes: The headers as Matroska and FFmpeg keep them.
    package static func patches(codec: String, _ bytes: [UInt8]) -> [SamplePatch] {
        switch codec {
        case "vorbis", "A_VORBIS", "theora", "V_THEORA": packets(bytes).flatMap { comments(bytes, $0) }
        // To FFmpeg it is the stream's facts alone, without a marker.
        case "flac", "A_FLAC": bytes.starts(with: Array("fLaC".utf8)) ? blocks(bytes, from: 4) : []
        case "dfLa": blocks(bytes, from: 4)
        default: []
        }
    }

    /// The packets of headers: each with its length before it, or with all lengths first.
    private static func packets(_ bytes: [UInt8]) -> [Range<Int>] {
        guard bytes.count > 6 else { return [] }
        if bytes[0] == 0, bytes[1] == 30 || bytes[1] == 42 {
            var packets: [Range<Int>] = []
            var position = 0
            while let length = bytes.bigEndian16(at: position).map(Int.init), position + 2 + length <= bytes.count {
                packets.append((position + 2)..<(position + 2 + length))
                position += 2 + length
            }
            return packets
        }
        var lengths: [Int] = []
        var position = 1
        for _ in 0..<min(8, Int(bytes[0])) {
            var length = 0
            while position < bytes.count {
                length += Int(bytes[position])
                position += 1
                if bytes[position - 1] != 255 { break }
            }
            lengths.append(length)
        }
        var packets: [Range<Int>] = []
        for length in lengths where position + length <= bytes.count {
            packets.append(position..<(position + length))
            position += length
        }
        return packets + [position..<bytes.count]
    }

    /// A header of comments as one with none, whose maker's name is as long as all that was there.
    private static func comments(_ bytes: [UInt8], _ packet: Range<Int>) -> [SamplePatch] {
        let isVorbis = bytes[packet].starts(with: [3] + Array("vorbis".utf8))
        guard isVorbis || bytes[packet].starts(with: [0x81] + Array("theora".utf8)) else { return [] }
        let body = packet.dropFirst(7)
        let rest = body.count - 8 - (isVorbis ? 1 : 0)
        guard rest >= 0, let vendor = bytes.littleEndian32(at: body.startIndex).map(Int.init) else { return [] }
        let countAt = body.startIndex + 4 + vendor
        guard bytes.littleEndian32(at: countAt) ?? 0 > 0 else { return [] }
        var new: [UInt8] = []
        for shift in [0, 8, 16, 24] { new.append(UInt8(rest >> shift & 255)) }
        new += [UInt8](repeating: 0x20, count: rest) + [0, 0, 0, 0] + (isVorbis ? [1] : [])
        return [SamplePatch(offset: body.startIndex, bytes: new, reason: "comments in a decoder's headers")]
    }

    /// Blocks of FLAC other than the stream's facts, its seek table and cues, as padding.
    private static func blocks(_ bytes: [UInt8], from start: Int) -> [SamplePatch] {
        var patches: [SamplePatch] = []
        var position = start
        while position + 4 <= bytes.count, let length = bytes.bigEndian24(at: position + 1).map(Int.init) {
            let type = bytes[position] & 0x7F
            let end = min(bytes.count, position + 4 + length)
            let content = bytes[(position + 4)..<end]
            if ![0, 3].contains(type), type != 1 || content.contains(where: { $0 != 0 }) {
                let header = [bytes[position] & 0x80 | 1] + bytes[(position + 1)..<(position + 4)]
                patches.append(
                    SamplePatch(
                        offset: position, bytes: header + [UInt8](repeating: 0, count: content.count),
                        reason: "tags in a decoder's headers"))
            }
            if bytes[position] & 0x80 != 0 { break }
            position = end
        }
        return patches
    }
}
