internal import MediaMetadata

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
