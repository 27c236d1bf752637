internal import Foundation
internal import MediaCore
package import MediaIO

// What tracks of pictures and sound are like, between processes. What comes in is within what calculations can take:
// what demuxers give is, too.

/// What a file can claim for a side of its pictures, stretched to square pixels.
private let longestSide = 1 << 36

extension PixelSize: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(width)
        message.put(height)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(width: try message.integer(in: 0...longestSide), height: try message.integer(in: 0...longestSide))
        guard !width.multipliedReportingOverflow(by: height * 16).overflow else { throw MessageError() }
    }
}

extension PixelRect: MessageValue {
    package func write(to message: inout MessageWriter) { for side in [x, y, width, height] { message.put(side) } }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            x: try message.integer(in: -longestSide...longestSide),
            y: try message.integer(in: -longestSide...longestSide), width: try message.integer(in: 0...longestSide),
            height: try message.integer(in: 0...longestSide))
    }
}

/// What a term of a ratio can be that comes of the sizes of pictures.
private let longestTerm = 1 << 52

extension AspectRatio: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(horizontal)
        message.put(vertical)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            horizontal: try message.integer(in: 0...longestTerm), vertical: try message.integer(in: 1...longestTerm))
    }
}

extension ColorDescription: MessageValue {
    package func write(to message: inout MessageWriter) {
        for tag in [primaries, transferFunction, yCbCrMatrix, range, chromaLocation] { message.put(tag) }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            primaries: try message.optionalText(), transferFunction: try message.optionalText(),
            yCbCrMatrix: try message.optionalText(), range: try message.optionalText(),
            chromaLocation: try message.optionalText())
    }
}

extension DolbyVision: MessageValue {
    package func write(to message: inout MessageWriter) {
        for number in [profile, level, compatibilityID] { message.put(number) }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let range = 0...Int(UInt8.max)
        self.init(
            profile: try message.integer(in: range), level: try message.integer(in: range),
            compatibilityID: try message.integer(in: range))
    }
}

extension CGAffineTransform: MessageValue {
    package func write(to message: inout MessageWriter) {
        for number in [a, b, c, d, tx, ty] { message.put(Double(number)) }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            a: try message.finite(), b: try message.finite(), c: try message.finite(), d: try message.finite(),
            tx: try message.finite(), ty: try message.finite())
    }
}

extension VideoDescription: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(codedSize)
        message.put(Double(naturalSize.width))
        message.put(Double(naturalSize.height))
        message.put(displaySize)
        message.put(cleanAperture)
        message.put(sampleAspectRatio)
        message.put(preferredTransform)
        message.put(nominalFrameRate)
        message.put(minFrameDuration)
        message.put(pixelFormat)
        message.put(bitsPerComponent)
        message.put(hasAlpha)
        message.put(color)
        message.put(peakLuminance) { $0.put($1) }
        message.put(fieldOrder)
        message.put(requiresFrameReordering)
        message.put(hasUndecodedAlpha)
        message.put(dolbyVision)
        message.put(alphaStreamIndex)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            codedSize: try message.value(),
            naturalSize: CGSize(width: try message.finite(), height: try message.finite()),
            displaySize: try message.value(), cleanAperture: try message.value(),
            sampleAspectRatio: try message.value(), preferredTransform: try message.value(),
            nominalFrameRate: try message.finite(), minFrameDuration: try message.value(),
            pixelFormat: try message.optionalText(), bitsPerComponent: try message.optionalInteger(),
            hasAlpha: try message.flag(), color: try message.value(),
            peakLuminance: try message.optional { message throws(MessageError) in try message.finite() },
            fieldOrder: try message.optionalText(), requiresFrameReordering: try message.flag(),
            hasUndecodedAlpha: try message.flag(), dolbyVision: try message.optionalValue(),
            alphaStreamIndex: try message.optionalInteger())
        let widest = CGFloat(longestSide)
        guard (0...widest).contains(naturalSize.width), (0...widest).contains(naturalSize.height),
            nominalFrameRate >= 0, (0...64).contains(bitsPerComponent ?? 0),
            TrackDescription.streamIndices.contains(alphaStreamIndex ?? 0)
        else { throw MessageError() }
    }
}

extension AudioDescription: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(sampleRate)
        message.put(channels)
        message.put(channelLayout)
        message.put(bitsPerSample)
        message.put(framesPerPacket)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            sampleRate: try message.integer(in: 0...Int(Int32.max)),
            channels: try message.integer(in: 0...Int(Int16.max)),
            channelLayout: try message.optionalText(), bitsPerSample: try message.optionalInteger(),
            framesPerPacket: try message.optionalInteger())
        guard (0...1024).contains(bitsPerSample ?? 0), (0...Int(Int32.max)).contains(framesPerPacket ?? 0) else {
            throw MessageError()
        }
    }
}
