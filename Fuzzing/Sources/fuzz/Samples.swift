internal import FuzzDriver
internal import MediaContainers
internal import MediaCore
internal import MetadataFormats

/// A codec, the length of its configuration and the configuration, then samples, each after its length in a byte
/// (255: all that is left).
private struct CodedInput: Sequence, IteratorProtocol {
    let number: Int
    let configuration: [UInt8]
    private var rest: InputNumbers

    init?(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return nil }
        rest = InputNumbers(bytes)
        number = Int(rest.byte())
        configuration = rest.bytes(Int(rest.byte()))
    }

    mutating func next() -> [UInt8]? {
        guard !rest.rest.isEmpty else { return nil }
        let length = rest.byte()
        return rest.bytes(length == 255 ? .max : Int(length))
    }
}

func readSamples(_ bytes: [UInt8]) {
    let codecs: [Codec] = [.h264, .hevc, .av1, .mpeg4, .mpeg2Video, .vp8, .vp9, .aac]
    guard let input = CodedInput(bytes) else { return }
    let codec = codecs[input.number % codecs.count]
    let configuration = input.configuration
    let classifier = EntryClassifier(codec: codec, extradata: configuration)
    let disposable = DisposablePictures(codec: codec, extradata: configuration, isIntraOnly: false)
    let units = NALUnits(codec: codec, extradata: configuration)
    var references = PictureReferencesReader.make(codec: codec, extradata: configuration)
    var mpeg4 = MPEG4PictureReader(extradata: configuration)
    _ = (HEVCAlpha.isAnnounced(in: configuration), HEVCLayers.areAnnounced(in: configuration))
    _ = ADTSFrames.refusal(of: configuration)
    for (number, sample) in input.enumerated() {
        expect(
            NALUnits.escaped(sample).withUnsafeBytes { NALUnits.unescaped($0) } == sample,
            "bytes are not the same after escapes went in and out")
        for message in SEIMessages(sample) {
            expect(
                message.range.upperBound <= sample.count && message.payload.upperBound <= message.range.upperBound,
                "a message reaches from \(message.range) in \(sample.count) bytes")
        }
        sample.withUnsafeBytes { bytes in
            _ = (classifier.classify(bytes), disposable.contains(bytes), mpeg4.next(bytes))
            _ = (ClosedCaptions.areHeld(by: bytes), units.resetPictureOrder(in: bytes, isHEVC: codec == .hevc))
            _ = HEVCLayers.continuesPicture(bytes)
            if let picture = references?.add(bytes, number: Int64(number)),
                let hollow = references?.hollow(bytes, picture)
            {
                hollow.withUnsafeBytes { _ = classifier.classify($0) }
            }
        }
    }
}

/// The same input for what takes private details out of samples.
func scrubSamples(_ bytes: [UInt8]) {
    let codecs = ["h264", "hevc", "av01", "mpeg4", "mpeg2video", "mjpeg", "mp3", "aac"]
    guard let input = CodedInput(bytes) else { return }
    let codec = codecs[input.number % codecs.count]
    apply(CodecHeaderScrubber.patches(codec: codec, input.configuration), to: input.configuration)
    guard let scrubber = SampleScrubber(codec: codec, configuration: input.configuration) else { return }
    apply(scrubber.patches(inConfiguration: input.configuration), to: input.configuration)
    for sample in input { apply(sample.withUnsafeBytes { scrubber.patches(in: $0) }, to: sample) }
}

private func apply(_ patches: [SamplePatch], to bytes: [UInt8]) {
    for patch in patches {
        expect(
            patch.offset >= 0 && patch.offset + patch.bytes.count <= bytes.count,
            "a patch of \(patch.bytes.count) bytes at \(patch.offset) of \(bytes.count)")
    }
    _ = bytes.withUnsafeBytes { SampleScrubber.applying(patches, to: $0) }
}
