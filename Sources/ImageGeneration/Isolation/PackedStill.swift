internal import MediaAsset
internal import MediaCore
internal import MediaIO
internal import MediaImage

/// What became of one requested time, as a worker tells it; pixels lie in memory besides.
struct StillAnswer: MessageValue {
    enum Outcome: Sendable {
        case still(StillFacts, images: [ImageHeader])
        case failure(ErrorMessage)
    }

    /// The request's position in the caller's list.
    let index: Int
    let outcome: Outcome

    init(index: Int, _ outcome: Outcome) { (self.index, self.outcome) = (index, outcome) }

    func write(to message: inout MessageWriter) {
        message.put(index)
        switch outcome {
        case .still(let facts, let images):
            message.put(0)
            message.put(facts)
            message.put(images)
        case .failure(let error):
            message.put(1)
            message.put(error)
        }
    }

    init(from message: inout MessageReader) throws(MessageError) {
        index = try message.integer()
        switch try message.integer(Int.self) {
        case 0: outcome = .still(try message.value(), images: try message.values())
        case 1: outcome = .failure(try message.value())
        default: throw MessageError()
        }
    }
}

/// A still without its pictures.
struct StillFacts: MessageValue {
    let actualTime: CMTime
    let duration: CMTime
    let isSyncSample: Bool
    let isExact: Bool
    let damage: String?
    let choice: RepresentativeChoice?

    init(_ still: Still) {
        (actualTime, duration) = (still.actualTime, still.duration)
        (isSyncSample, isExact) = (still.isSyncSample, still.isExact)
        (damage, choice) = (still.damage, still.choice)
    }

    /// The still that was asked for.
    func still(for entry: StillPlan.Entry, images: [CGImage]) -> Still {
        Still(
            index: entry.index, requestedTime: entry.requestedTime, actualTime: actualTime, duration: duration,
            isSyncSample: isSyncSample, isExact: isExact, damage: damage, choice: choice, images: images)
    }

    func write(to message: inout MessageWriter) {
        message.put(actualTime)
        message.put(duration)
        message.put(isSyncSample)
        message.put(isExact)
        message.put(damage)
        message.put(choice)
    }

    init(from message: inout MessageReader) throws(MessageError) {
        (actualTime, duration) = (try message.value(), try message.value())
        (isSyncSample, isExact) = (try message.flag(), try message.flag())
        (damage, choice) = (try message.optionalText(), try message.optionalValue())
        guard actualTime.isNumeric else { throw MessageError() }
    }
}

/// A still that is about to go to another process, packed on the thread that decoded it.
struct PackedStill: Sendable {
    let answer: StillAnswer
    let memory: SealedMemory

    init(_ still: Still) throws {
        answer = StillAnswer(
            index: still.index, .still(StillFacts(still), images: still.images.map(ImageHeader.init)))
        memory = try SealedMemory(still.images)
    }
}
