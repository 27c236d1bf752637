package import MediaAsset
internal import MediaCore
package import MediaIO
internal import MediaImage

/// Makes stills for a program in another process: the worker's side of a generator.
package enum StillService {
    /// Answers a question for stills or covers; `false` for others.
    package static func answers(_ call: AssetCall, of source: AssetSource, through channel: Channel) -> Bool {
        switch call {
        case .stills(let bytes):
            if let request = try? MessageReader.value(StillRequest.self, of: bytes) {
                makeStills(request, of: source, channel)
            }
        case .attachedPictures(let bytes):
            if let request = try? MessageReader.value(StillRequest.self, of: bytes) {
                giveAttachedPictures(request, of: source, channel)
            }
        default: return false
        }
        channel.shutDown()
        return true
    }

    private static func makeStills(_ request: StillRequest, of source: AssetSource, _ channel: Channel) {
        let (cancellation, credit) = (Cancellation(), BoundedChannel<StillCredit>(capacity: .max))
        for _ in 0..<max(1, request.credit) { _ = try? credit.send(StillCredit()) }
        // Hears when more is wanted, and when nothing is any more.
        WorkThread.start {
            while let message = try? channel.receive(StillCredit.self) { _ = try? credit.send(message.value) }
            credit.stop()
            cancellation.cancel()
        }
        let statistics = StatisticsRecord()
        let product = StillProduct<PackedStill>(
            make: { try PackedStill($0) }, byteCount: { $0.memory.byteCount })
        let session = StillSession(
            source: source, times: request.times, settings: request.settings, product: product, statistics: statistics)
        StillWork.run(session, cancellation: cancellation) { result in
            guard (try? credit.receive()) != nil else { return false }
            return (try? send(result, channel)) != nil
        }
        // Who went needs no sums.
        try? channel.send(AssetAnswer.end, bytes: statistics.value.bytes)
    }

    private static func send(_ result: Result<PackedStill, StillFailure>, _ channel: Channel) throws {
        switch result {
        case .success(let still):
            try channel.send(
                AssetAnswer.value, bytes: still.answer.bytes, descriptors: [still.memory.descriptor])
        case .failure(let failure):
            let answer = StillAnswer(index: failure.index, .failure(ErrorMessage(failure.error)))
            try channel.send(AssetAnswer.value, bytes: answer.bytes)
        }
    }

    private static func giveAttachedPictures(_ request: StillRequest, of source: AssetSource, _ channel: Channel) {
        // Who went needs no pictures.
        do {
            let pictures = try AVAssetImageGenerator.attachedPictures(
                of: source, trackID: request.trackID, request.settings)
            for picture in pictures {
                let memory = try SealedMemory(picture.images)
                let answer = PictureAnswer(trackID: picture.trackID, images: picture.images.map(ImageHeader.init))
                try channel.send(AssetAnswer.value, bytes: answer.bytes, descriptors: [memory.descriptor])
            }
            try channel.send(AssetAnswer.end)
        } catch {
            try? channel.send(AssetAnswer.failed(ErrorMessage(error).bytes))
        }
    }
}

/// A picture that comes with a film, without its pixels.
struct PictureAnswer: MessageValue {
    let trackID: Int32
    let images: [ImageHeader]

    init(trackID: Int32, images: [ImageHeader]) { (self.trackID, self.images) = (trackID, images) }

    func write(to message: inout MessageWriter) {
        message.put(trackID)
        message.put(images)
    }

    init(from message: inout MessageReader) throws(MessageError) {
        (trackID, images) = (try message.integer(), try message.values())
    }
}
