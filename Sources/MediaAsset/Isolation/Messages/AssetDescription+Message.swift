internal import Foundation
package import MediaContainers
internal import MediaCore
package import MediaIO

// What a file contains, between processes.

extension AssetDescription: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(container)
        message.put(duration)
        message.put(durationIsEstimate)
        message.put(origin)
        message.put(byteCount)
        message.put(tracks)
        message.put(attachedPictures)
        message.put(Double(preferredRate))
        message.put(Double(preferredVolume))
        message.put(canContainFragments)
        message.put(containsFragments)
        message.put(overallDurationHint)
        message.put(hasProtectedContent)
        message.put(chosenVideoTrackID)
        message.put(startTimecode)
        message.put(timecodeScale)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            container: try message.text(), duration: try message.value(), durationIsEstimate: try message.flag(),
            origin: try message.value(), byteCount: try message.optionalInteger(), tracks: try message.values(),
            attachedPictures: try message.values(), preferredRate: Float(try message.finite()),
            preferredVolume: Float(try message.finite()), canContainFragments: try message.flag(),
            containsFragments: try message.flag(), overallDurationHint: try message.value(),
            hasProtectedContent: try message.flag(), chosenVideoTrackID: try message.optionalInteger(),
            startTimecode: try message.optionalValue(), timecodeScale: try message.optionalValue())
        let most = Int(MediaLimits.Name.streams.range.upperBound)
        guard byteCount ?? 0 >= 0, tracks.count <= most, attachedPictures.count <= most, preferredRate.isFinite,
            preferredVolume.isFinite
        else { throw MessageError() }
    }
}

extension TrackDescription {
    /// The positions that streams can have.
    static let streamIndices = 0...Int(MediaLimits.Name.streams.range.upperBound)
}

extension TrackDescription: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(trackID)
        message.put(streamIndex)
        message.put(mediaType.rawValue)
        message.put(isEnabled)
        message.put(codec)
        message.put(codecTag)
        message.put(mediaSubType)
        message.put(profile)
        message.put(timescale)
        message.put(timeRange)
        message.put(isEndAssumed)
        for text in [language, extendedLanguageTag, title] { message.put(text) }
        message.put(estimatedDataRate)
        message.put(sampleCount)
        message.put(isSinglePicture)
        message.put(editList)
        for flag in [isEncrypted, hasDecoder, hasAudioSampleDependencies] { message.put(flag) }
        message.put(alternateGroup)
        message.put(isDefault)
        message.put(tags)
        message.put(references)
        message.put(dataDescription)
        message.put(parameterSets)
        message.put(video)
        message.put(audio)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            trackID: try message.integer(), streamIndex: try message.integer(in: Self.streamIndices),
            mediaType: AVMediaType(rawValue: try message.text()), isEnabled: try message.flag(),
            codec: try message.text(), codecTag: try message.text(),
            mediaSubType: try message.integer(in: 1...UInt32.max), profile: try message.optionalText(),
            timescale: try message.integer(), timeRange: try message.value(), isEndAssumed: try message.flag(),
            language: try message.optionalText(), extendedLanguageTag: try message.optionalText(),
            title: try message.optionalText(), estimatedDataRate: try message.integer(),
            sampleCount: try message.optionalInteger(), isSinglePicture: try message.flag(),
            editList: try message.values(),
            isEncrypted: try message.flag(), hasDecoder: try message.flag(),
            hasAudioSampleDependencies: try message.flag(), alternateGroup: try message.integer(),
            isDefault: try message.flag(), tags: try message.texts(), references: try message.values(),
            dataDescription: try message.optionalValue(),
            parameterSets: try message.list(), video: try message.optionalValue(), audio: try message.optionalValue())
    }
}

extension DataTrackDescription: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(handler.rawValue)
        message.put(entry.type.rawValue)
        message.put(entry.content)
        message.put(mediaHeader)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            handler: FourCC(rawValue: try message.integer()),
            entry: SampleEntry(type: FourCC(rawValue: try message.integer()), content: try message.list()),
            mediaHeader: try message.list())
    }
}

extension TrackDescription.Reference: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(type)
        message.put(list: trackIDs) { $0.put($1) }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            type: try message.text(),
            trackIDs: try message.list { message throws(MessageError) in try message.integer() })
    }
}

/// Which version of a file was opened, and whether it still is that.
struct FileState: MessageValue {
    let version: FileVersion?
    let isUnchanged: Bool

    init(version: FileVersion?, isUnchanged: Bool) { (self.version, self.isUnchanged) = (version, isUnchanged) }

    func write(to message: inout MessageWriter) {
        message.put(version)
        message.put(isUnchanged)
    }

    init(from message: inout MessageReader) throws(MessageError) {
        (version, isUnchanged) = (try message.optionalValue(), try message.flag())
    }
}

/// What a file contains, and what follows from its bytes besides.
struct AssetFacts: MessageValue {
    var description: AssetDescription
    /// The tracks that can be decoded, by their positions in the description.
    var decodable: [Int]
    /// Whether the file can be read anywhere, as no pipe can that has not ended.
    var isFile: Bool

    init(description: AssetDescription, decodable: [Int], isFile: Bool) {
        (self.description, self.decodable, self.isFile) = (description, decodable, isFile)
    }

    func write(to message: inout MessageWriter) {
        message.put(description)
        message.put(list: decodable) { $0.put($1) }
        message.put(isFile)
    }

    init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            description: try message.value(),
            decodable: try message.list { message throws(MessageError) in try message.integer() },
            isFile: try message.flag())
    }
}

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
