package import MediaAsset
internal import MediaCore
public import MediaEngine
package import MediaIO
internal import MediaImage

// Requests for stills and what comes of them, between processes.

/// What is asked of the worker: stills of some times, or the pictures that come with a film.
struct StillRequest: MessageValue {
    var times: [CMTime] = []
    /// The only picture wanted of those that come with the film.
    var trackID: Int32?
    var settings: StillSettings
    /// How many stills may be sent before more are asked for.
    var credit = 0

    init(times: [CMTime] = [], trackID: Int32? = nil, settings: StillSettings, credit: Int = 0) {
        (self.times, self.trackID, self.settings, self.credit) = (times, trackID, settings, credit)
    }

    func write(to message: inout MessageWriter) {
        message.put(list: times) { $0.put(asIs: $1) }
        message.put(trackID)
        message.put(settings)
        message.put(credit)
    }

    init(from message: inout MessageReader) throws(MessageError) {
        times = try message.list { message throws(MessageError) in try message.timeAsIs() }
        trackID = try message.optionalInteger()
        (settings, credit) = (try message.value(), try message.integer())
    }
}

/// Another still may be sent.
struct StillCredit: MessageValue {
    init() {}
    func write(to message: inout MessageWriter) { message.put(true) }
    init(from message: inout MessageReader) throws(MessageError) { _ = try message.flag() }
}

extension MessageWriter {
    /// Any time, also one that no calculation knows: callers ask for such, and are told that it is none.
    fileprivate mutating func put(asIs time: CMTime) {
        put(time.value)
        put(time.timescale)
        put(time.flags.rawValue)
        put(time.epoch)
    }
}

extension MessageReader {
    fileprivate mutating func timeAsIs() throws(MessageError) -> CMTime {
        CMTime(
            value: try integer(), timescale: try integer(), flags: CMTimeFlags(rawValue: try integer()),
            epoch: try integer())
    }
}

extension StillSettings: MessageValue {
    func write(to message: inout MessageWriter) {
        message.put(appliesTransform)
        message.put(maximumWidth)
        message.put(maximumHeight)
        message.put(sizes)
        message.put(fit.rawValue)
        message.put(crop)
        for component in [background.red, background.green, background.blue] { message.put(component) }
        message.put(aperture?.rawValue)
        message.put(allowsDamagedPictures)
        message.put(asIs: representativeWindow)
        message.put(dynamicRange.rawValue)
        message.put(asIs: toleranceBefore)
        message.put(asIs: toleranceAfter)
        message.put(trackID)
        message.put(orientation != nil)
        let orientation =
            orientation ?? ImageOrientation(swapsAxes: false, flipsHorizontally: false, flipsVertically: false)
        for flag in [orientation.swapsAxes, orientation.flipsHorizontally, orientation.flipsVertically] {
            message.put(flag)
        }
    }

    init(from message: inout MessageReader) throws(MessageError) {
        self.init()
        appliesTransform = try message.flag()
        (maximumWidth, maximumHeight) = (try message.integer(), try message.integer())
        sizes = try message.values()
        guard let fit = AVAssetImageGenerator.Fit(rawValue: try message.text()) else { throw MessageError() }
        self.fit = fit
        crop = try message.optionalValue()
        background = RGBColor(red: try message.integer(), green: try message.integer(), blue: try message.integer())
        aperture = try message.optionalText().map(AVAssetImageGenerator.ApertureMode.init)
        allowsDamagedPictures = try message.flag()
        representativeWindow = try message.timeAsIs()
        dynamicRange = AVAssetImageGenerator.DynamicRangePolicy(rawValue: try message.text())
        (toleranceBefore, toleranceAfter) = (try message.timeAsIs(), try message.timeAsIs())
        trackID = try message.optionalInteger()
        let hasOrientation = try message.flag()
        let orientation = ImageOrientation(
            swapsAxes: try message.flag(), flipsHorizontally: try message.flag(), flipsVertically: try message.flag())
        if hasOrientation { self.orientation = orientation }
    }
}

extension RepresentativeChoice: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(considered)
        message.put(list: passedOver) { message, passed in
            message.put(passed.key.rawValue)
            message.put(passed.value)
        }
        message.put(flaw?.rawValue)
        message.put(offset)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        considered = try message.integer(in: 0...1000)
        let passed = try message.list { message throws(MessageError) in
            (flaw: try Flaw(from: &message), count: try message.integer(in: 0...1000))
        }
        passedOver = Dictionary(passed.map { ($0.flaw, $0.count) }, uniquingKeysWith: max)
        flaw = try message.optional { message throws(MessageError) in try Flaw(from: &message) }
        offset = try message.value()
    }
}

extension RepresentativeChoice.Flaw {
    fileprivate init(from message: inout MessageReader) throws(MessageError) {
        guard let known = Self(rawValue: try message.text()) else { throw MessageError() }
        self = known
    }
}

extension StillStatistics: MessageValue {
    package func write(to message: inout MessageWriter) {
        for count in [entries, decoded, headersOnly, skipped] { message.put(count) }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        // Sums of any number of these are still numbers.
        let counts = 0...(1 << 40)
        self.init()
        (entries, decoded) = (try message.integer(in: counts), try message.integer(in: counts))
        (headersOnly, skipped) = (try message.integer(in: counts), try message.integer(in: counts))
    }
}

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
