internal import CFFmpeg
internal import MediaContainers
internal import MediaCore

extension Demuxer {
    /// Has packets given the presentation times that their container leaves out.
    func orderPictures() {
        for stream in streams where stream.kind == .video {
            if let rule = PictureOrder.Rule(container: container, stream: stream) {
                queue.add(PictureOrder(rule, stream: stream), stream: stream.index)
            }
        }
    }

    /// Whether the presentation times of a stream's pictures are known only
    /// after ``measurePictureOrder(ofStream:)``: those of H.264 and HEVC depend on pictures far ahead.
    ///
    /// - Parameter hasDecodeTimesOnly: Whether the file is known to store no other times; AVI never does.
    package func needsPictureOrder(ofStream index: Int, hasDecodeTimesOnly: Bool) -> Bool {
        guard container == .avi || hasDecodeTimesOnly, streams.indices.contains(index) else { return false }
        return streams[index].codec.has(.hasNALUnits)
    }

    /// Whether a stream's pictures have no times at all, which ``countPictures(ofStream:)`` gives them.
    package func lacksTimes(ofStream index: Int) -> Bool {
        container.has(.lacksTimes) && streams.indices.contains(index) && streams[index].codec.has(.hasNALUnits)
    }

    /// Gives pictures without any time decode times, as they follow one another from the beginning of the file.
    package func countPictures(ofStream index: Int) {
        guard lacksTimes(ofStream: index), packetsRead == 0, seeks == 0 else { return }
        pictureClock = PictureClock(of: streams[index])
    }

    /// Has a stream's pictures shown in the order of their kinds where the file stores decode times only.
    package func orderPicturesByAnchors(ofStream index: Int) {
        guard streams.indices.contains(index), streams[index].codec.has(.isOrderedByAnchors) else { return }
        queue.add(PictureOrder(.anchors(.slots), stream: streams[index]), stream: index)
    }

    /// The order in which a stream's pictures are shown, by their headers.
    ///
    /// - Complexity: One pass over the file's bytes, from where reading stands to the end.
    package func measurePictureOrder(ofStream index: Int) throws(FFmpegError) -> KnownPictureOrder {
        guard let counter = makePictureCounter(ofStream: index) else { return KnownPictureOrder([]) }
        var entries: [KnownPictureOrder.Entry] = []
        select(streams: [index])
        countPictures(ofStream: index)
        while let packet = try readStoredPacket() {
            guard packet.streamIndex == index, let decode = packet.decodeTicks, packet.byteCount > 0 else { continue }
            guard entries.count < policy.maximumPackets else {
                throw FFmpegError.tooManySamples(policy)
            }
            entries.append(
                KnownPictureOrder.Entry(
                    decode: decode, count: counter.next(packet), isDiscarded: packet.isDiscarded))
        }
        return KnownPictureOrder(entries)
    }

    /// Reads the order counts of a stream's pictures; `nil` where there are none.
    package func makePictureCounter(ofStream index: Int) -> PictureCounter? {
        guard streams.indices.contains(index), streams[index].codec.has(.hasNALUnits) else { return nil }
        return avStream(index).flatMap { PictureCounter($0.pointee.codecpar, of: streams[index]) }
    }

    /// Gives a stream's packets the presentation times of a known order.
    package func setPictureOrder(_ order: KnownPictureOrder, ofStream index: Int) {
        queue.add(PictureOrder(.known(order), stream: streams[index]), stream: index)
    }

    /// Marks a picture of Matroska whose time lies before the file's zero as one that is not shown.
    ///
    /// Such blocks come to be where an open group of pictures is copied from its keyframe on: leading pictures get
    /// times below zero, which libavformat leaves out.
    func hideIfBeforeZero(_ packet: Packet) {
        guard packet.presentationTicks == nil, packet.decodeTicks == nil,
            streams.indices.contains(packet.streamIndex), streams[packet.streamIndex].kind == .video
        else { return }
        packet.set(isDiscarded: true)
    }

    /// Tells which packets of a stream give pictures that are shown.
    package func makeShownPictures(ofStream index: Int) -> ShownPictures {
        ShownPictures(streams[index], parser: avStream(index).flatMap { PictureParser($0.pointee.codecpar) })
    }
}
