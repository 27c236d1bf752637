package import FFmpegKit
package import MediaAsset
package import MediaContainers
package import MediaCore

/// What the container, the codec and the fields of one video stream tell about
/// decoding it, worked out once when it is opened.
package struct DecodingTraits: Sendable {
    package let streamIndex: Int
    package let policy: SeekPolicy
    /// Where frames lie, if only a pass over the file has told that.
    let positions: StreamPositions?
    /// Whether a pass over the file would lead to frames that otherwise only decoding from the beginning reaches.
    let canUsePositions: Bool
    /// What may be left undecoded where only one picture is wanted.
    let shortcuts: Shortcuts
    /// Whether no picture needs another one to be decoded.
    package let isIntraOnly: Bool
    /// Whether each packet that is shown gives a picture of its time.
    let givesPictureForEachPacket: Bool
    /// Whether the decoder has to be told to give the pictures that follow a recovery point.
    let holdsBackUnrecovered: Bool
    /// Whether the container's index lists every sample.
    let isIndexComplete: Bool
    /// Reads the references between pictures, for codecs where they are followed.
    package let references: (any PictureReferences)?
    let startTicks: Int64
    package let timeBase: TimeBase
    package let second: Int64
    /// The length of a frame that does not tell its own.
    package let frameTicks: Int64

    /// Ways to decode less, each undone if what was expected does not come out.
    struct Shortcuts: OptionSet, Sendable {
        let rawValue: Int
        /// Leave out pictures that nothing refers to.
        static let skip = Shortcuts(rawValue: 1)
        /// Empty the decoder once the wanted picture is in it.
        static let drain = Shortcuts(rawValue: 2)
        /// Decode only what the wanted picture depends on; the run ends there.
        static let dependencies = Shortcuts(rawValue: 4)
    }

    /// - Parameter frames: What a pass over the file has found out, if there was one.
    package init(stream: StreamInfo, of demuxer: Demuxer, canContainFragments: Bool, frames: FrameIndex.Track?) {
        let codec = stream.codec
        streamIndex = stream.index
        isIntraOnly = stream.video?.isIntraOnly ?? false
        // An index that calls every sample a sync sample says nothing.
        let isIndexUseful =
            isIntraOnly || EntryClassifier.readsPictures(of: codec)
            || !demuxer.indexEntries(ofStream: stream.index).allSatisfy(\.isKey)
        let own: SeekPolicy =
            demuxer.isSeekable && isIndexUseful ? demuxer.container.seekPolicy(for: codec) : .linear
        // Of a picture in two packets, one for each field, both or none must be decoded.
        let isProgressive = stream.video?.fieldOrder?.isInterlaced != true
        // Of H.264 and HEVC program streams leave times out that only decoding from the beginning fills in.
        let hasCertainTimes = !(demuxer.container.has(.isMPEGStream) && codec.has(.hasNALUnits))
        canUsePositions =
            demuxer.isSeekable && own == .linear && demuxer.container.has(.lacksIndex) && hasCertainTimes
            && (isProgressive || codec != .h264)
        positions = canUsePositions ? frames.flatMap(StreamPositions.init) : nil
        policy = positions == nil ? own : .direct
        isIndexComplete = demuxer.container.isMovie && policy == .direct && !canContainFragments
        let areSafe = policy != .linear && codec.has(.hasNALUnits) && isProgressive
        shortcuts =
            areSafe ? [.skip, .drain, .dependencies] : codec == .av1 && policy != .linear ? [.dependencies] : []
        references =
            shortcuts.contains(.dependencies)
            ? PictureReferencesReader.make(codec: codec, extradata: stream.extradata) : nil
        holdsBackUnrecovered = codec == .h264
        givesPictureForEachPacket =
            policy != .linear && demuxer.container != .avi && isProgressive
            && (isIntraOnly || codec.has(.hasPictureInEachPacket))
        startTicks = stream.startTicks ?? 0
        timeBase = stream.timeBase
        second = stream.timeBase.ticks(microseconds: 1_000_000)
        frameTicks = stream.frameTicks
    }
}
