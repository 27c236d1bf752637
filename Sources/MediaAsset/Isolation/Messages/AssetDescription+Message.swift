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
            sampleCount: try message.optionalInteger(), editList: try message.values(),
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
