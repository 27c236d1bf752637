package import MediaCore
package import MediaIO

// Times between processes. What comes in is one of the kinds that calculations know.

extension CMTime: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(value)
        message.put(timescale)
        message.put(flags.rawValue)
        message.put(epoch)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            value: try message.integer(), timescale: try message.integer(),
            flags: CMTimeFlags(rawValue: try message.integer()), epoch: try message.integer())
        // No reader makes a numeric time without a timescale.
        guard !isNumeric || timescale > 0 else { throw MessageError() }
    }
}

extension CMTimeRange: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(start)
        message.put(duration)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(start: try message.value(), duration: try message.value())
    }
}

extension CMTimeMapping: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(source)
        message.put(target)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(source: try message.value(), target: try message.value())
    }
}

extension Timecode: MessageValue {
    package func write(to message: inout MessageWriter) {
        for field in [hours, minutes, seconds, frames] { message.put(field) }
        message.put(isDropFrame)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let known = Timecode(
            hours: try message.integer(), minutes: try message.integer(), seconds: try message.integer(),
            frames: try message.integer(), isDropFrame: try message.flag())
        guard let known else { throw MessageError() }
        self = known
    }
}

extension TimecodeScale: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(isOfFilm ? start : nil)
        message.put(framesPerSecond)
        message.put(frameDuration)
        message.put(startTime)
        message.put(numbersPictures)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let known = TimecodeScale(
            start: try message.optionalValue(), framesPerSecond: try message.integer(),
            frameDuration: try message.value(), startTime: try message.value(), numbersPictures: try message.flag())
        guard let known else { throw MessageError() }
        self = known
    }
}
