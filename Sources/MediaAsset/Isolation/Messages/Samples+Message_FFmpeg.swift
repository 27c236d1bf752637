internal import FFmpegKit
internal import MediaCore
package import MediaIO

// The samples of a track, between processes.

extension TrackSamples: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(timeBase.numerator)
        message.put(timeBase.denominator)
        message.put(origin)
        message.put(list: samples) { message, sample in
            message.put(sample.presentation)
            message.put(sample.decode)
            message.put(sample.duration)
            message.put(sample.byteCount)
            message.put(sample.position)
            message.put(sample.isSync)
            message.put(sample.isDroppable)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let base = TimeBase(numerator: try message.integer(), denominator: try message.integer())
        let origin = try message.value(CMTime.self)
        let samples = try message.list { message throws(MessageError) in
            Sample(
                presentation: try message.integer(), decode: try message.optionalInteger(),
                duration: try message.integer(), byteCount: try message.integer(),
                position: try message.optionalInteger(), isSync: try message.flag(),
                isDroppable: try message.flag())
        }
        self.init(samples: samples, timeBase: base, origin: origin)
    }
}

extension SyncSampleList: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(times)
        message.put(missingTimes)
        message.put(lastFrameTime)
        message.put(truncation)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            times: try message.values(), missingTimes: try message.values(),
            lastFrameTime: try message.optionalValue(), truncation: try message.optionalText())
    }
}

/// A number, as an answer.
struct CountAnswer: MessageValue {
    let count: Int64

    init(_ count: Int64) { self.count = count }

    func write(to message: inout MessageWriter) { message.put(count) }
    init(from message: inout MessageReader) throws(MessageError) { count = try message.integer() }
}
