import Testing

@testable import FFmpegKit

/// Messages as libavcodec 59 has them, of its sources.
@Suite struct Complaints {
    @Test(arguments: [
        ("concealing 252 DC, 252 AC, 252 MV errors in P frame", Complaint.Matter.concealment, "concealed errors"),
        ("Could not find ref with POC 21", .missingReference, "a picture that is missing"),
        ("Missing reference picture, default is 65530", .missingReference, "a picture that is missing"),
        ("reference picture missing during reorder", .missingReference, "a picture that is missing"),
        ("non-existing PPS 0 referenced", .missingParameters, "parameters"),
        ("PPS id out of range: 3", .missingParameters, "parameters"),
        ("overread 8", .shortData, "end early"),
        ("warning: first frame is no keyframe", .firstPicture, "the first picture is no keyframe"),
        ("error y=7 x=189", .errors, "is damaged"), ("left block unavailable", .errors, "is damaged"),
    ])
    func `Diagnostics of decoders are put in our words`(_ said: String, _ matter: Complaint.Matter, _ words: String) {
        let complaint = Complaint(ofDecoder: said, isSound: false)
        #expect(complaint.matter == matter)
        #expect(complaint.reason.contains(words) && complaint.reason.contains("picture"))
        #expect(complaint.reason.hasSuffix(" (\(said))") && !complaint.reason.hasPrefix(said))
    }

    @Test func `Diagnostics of audio decoders speak of sound`() {
        let reason = Complaint(ofDecoder: "Number of bands (40) exceeds limit (32).", isSound: true).reason
        #expect(reason.hasPrefix("the sound is damaged: ") && !reason.contains("picture"))
    }

    @Test(arguments: [
        ("stream 0, offset 0x1257a: partial file", Complaint.Matter.shortData), ("File ended prematurely", .shortData),
        ("Invalid length 0x1 in parent", .errors),
    ])
    func `Diagnostics of demuxers are put in our words`(_ said: String, _ matter: Complaint.Matter) {
        let complaint = Complaint(ofDemuxer: said)
        #expect(complaint.matter == matter)
        #expect(complaint.reason.hasSuffix(" (\(said))"))
    }
}
