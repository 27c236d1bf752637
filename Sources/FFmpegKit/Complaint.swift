internal import MediaCore

/// What FFmpeg complained of while it read or decoded: what is the matter in our words, with FFmpeg's behind them.
///
/// The only form in which its messages leave the module beside ``FFmpegError``: a reason is never FFmpeg's words alone,
/// which name its own functions and units.
package struct Complaint: Sendable, Equatable {
    /// What it is about.
    package enum Matter: Sendable, Equatable {
        /// Parts were made up.
        case concealment
        /// What it is predicted from is not there.
        case missingReference
        /// The headers that it was coded with are not there.
        case missingParameters
        /// There are fewer data than there should be.
        case shortData
        /// The first picture of all is no keyframe, as it is with codecs that never have one.
        case firstPicture
        /// Data that could not be decoded as they are, or something else.
        case errors
    }

    package let matter: Matter
    /// What is the matter, in one line.
    package let reason: String

    /// What a decoder said.
    init(ofDecoder said: String, isSound: Bool) {
        matter = Self.matters.first { $0.words.contains(where: said.lowercased().contains) }?.matter ?? .errors
        let what = isSound ? "the sound" : "the picture"
        let text =
            switch matter {
            case .concealment: "\(what) is damaged: the decoder concealed errors in it"
            case .missingReference: "\(what) refers to a picture that is missing"
            case .missingParameters: "the parameters that \(what) was coded with are missing"
            case .shortData: "\(what) is damaged: its data end early"
            case .firstPicture: "the first picture is no keyframe"
            case .errors: "\(what) is damaged: the decoder found errors in it"
            }
        reason = "\(text) (\(said))".printable(limit: 300)
    }

    /// What a demuxer said.
    init(ofDemuxer said: String) {
        let isShort = ["prematurely", "partial file"].contains(where: said.contains)
        matter = isShort ? .shortData : .errors
        let text = isShort ? "its last part is incomplete" : "the file's structure is damaged"
        reason = "\(text) (\(said))".printable(limit: 300)
    }

    /// A call to a decoder failed.
    init(_ error: FFmpegError) { (matter, reason) = (.errors, error.reason) }

    /// - Note: For a decoder that says nothing of itself.
    init(reason: String) { (matter, self.reason) = (.errors, reason) }

    /// Words of messages, in lower case, and what they are about; the first that fit count.
    private static let matters: [(matter: Matter, words: [String])] = [
        (.concealment, ["concealing "]),
        (.firstPicture, ["first frame is no keyframe"]),
        (
            .missingReference,
            [
                "could not find ref", "missing reference", "reference picture missing", "reference missing",
                "missing picture", "missing ref", "unknown reference", "reference count", "co located pocs",
                "frame num gap", "short term buffer", "unref short", "unref long", "buffer with no reference",
                "requested reference", "no reference", "reference frame",
            ]
        ),
        (
            .missingParameters,
            [
                "non-existing pps", "non-existing sps", "pps id", "sps id", "vps id", "pps_id", "sps_id", "vps_id",
                "missing sps", "missing pps", "no sequence header", "missing sequence header",
            ]
        ),
        (
            .shortData,
            [
                "premature", "truncated", "too small", "too short", "overread", "eoi missing", "incomplete",
                "not enough data", "insufficient", "exhausted", "underflow", "end of data", "buffer end",
            ]
        ),
    ]
}
