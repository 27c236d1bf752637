internal import MediaContainers
package import MediaCore
internal import MediaIO
internal import MediaMetadata

extension ISOChapters {
    /// A track of chapters: everything but where its samples will lie.
    package struct NewTrack: Sendable {
        package let trackID: UInt32
        /// The samples' bytes, which go into an `mdat` box.
        package let sampleData: [UInt8]
        let head: TrackHead
        let samples: [Sample]
        let edits: [EditList.Segment]

        struct Sample: Sendable {
            var offset: Int
            var size: Int
            /// In the track's timescale.
            var duration: UInt32
            /// From 1 on.
            var descriptionIndex: UInt32
        }

        /// The `trak` box.
        ///
        /// It is four bytes larger per chunk once an offset needs 64 bits.
        ///
        /// - Parameter offset: Where in the file `sampleData` begins.
        package func box(sampleDataAt offset: UInt64) -> [UInt8] {
            head.box(edits: edits, sampleTable: sampleTable(offset), mediaDuration: mediaDuration)
        }

        private var mediaDuration: UInt64 { samples.reduce(0) { $0 + UInt64($1.duration) } }

        /// Samples that lie one after another and are described alike are one chunk.
        private var chunks: [Range<Int>] {
            var chunks: [Range<Int>] = []
            for index in samples.indices {
                let isNew =
                    index == 0 || samples[index].descriptionIndex != samples[index - 1].descriptionIndex
                    || samples[index].offset != samples[index - 1].offset + samples[index - 1].size
                if isNew {
                    chunks.append(index..<(index + 1))
                } else {
                    chunks[chunks.count - 1] = chunks[chunks.count - 1].lowerBound..<(index + 1)
                }
            }
            return chunks
        }

        private func sampleTable(_ offset: UInt64) -> [UInt8] {
            var times: [UInt8] = [0, 0, 0, 0]
            // An entry for each sample even where durations are equal: AVFoundation wants them so.
            times.append(bigEndian: UInt32(samples.count))
            var sizes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
            sizes.append(bigEndian: UInt32(samples.count))
            for sample in samples {
                times.append(bigEndian: UInt32(1))
                times.append(bigEndian: sample.duration)
                sizes.append(bigEndian: UInt32(sample.size))
            }
            let chunks = chunks
            return .box("stts", times) + chunkMap(chunks) + [UInt8].box("stsz", sizes)
                + chunkOffsets(chunks, from: offset)
        }

        /// How many samples the chunks have, and how they are described.
        private func chunkMap(_ chunks: [Range<Int>]) -> [UInt8] {
            var runs: [UInt8] = []
            var count: UInt32 = 0
            for (index, chunk) in chunks.enumerated() {
                let description = samples[chunk.lowerBound].descriptionIndex
                let before = index > 0 ? chunks[index - 1] : 0..<0
                let isSame = before.count == chunk.count && samples[before.lowerBound].descriptionIndex == description
                guard !isSame else { continue }
                count += 1
                runs.append(bigEndian: UInt32(index + 1))
                runs.append(bigEndian: UInt32(chunk.count))
                runs.append(bigEndian: description)
            }
            var content: [UInt8] = [0, 0, 0, 0]
            content.append(bigEndian: count)
            return .box("stsc", content + runs)
        }

        private func chunkOffsets(_ chunks: [Range<Int>], from offset: UInt64) -> [UInt8] {
            let limit = UInt64(UInt32.max)
            let isLarge = sampleData.count > limit || offset > limit - UInt64(sampleData.count)
            var content: [UInt8] = [0, 0, 0, 0]
            content.append(bigEndian: UInt32(chunks.count))
            for chunk in chunks {
                let position = offset + UInt64(samples[chunk.lowerBound].offset)
                if isLarge {
                    content.append(bigEndian: position)
                } else {
                    content.append(bigEndian: UInt32(position))
                }
            }
            return .box(isLarge ? "co64" : "stco", content)
        }
    }

    /// What tracks are made for.
    package struct Movie: Sendable {
        /// Ticks per second of the movie's header.
        var timescale: CMTimeScale
        /// Where it ends; not numeric if that is not known.
        var duration: CMTime
        /// Whether it is a QuickTime movie rather than MP4.
        var isQuickTime: Bool

        package init(timescale: CMTimeScale, duration: CMTime, isQuickTime: Bool) {
            (self.timescale, self.duration, self.isQuickTime) = (Swift.max(1, timescale), duration, isQuickTime)
        }
    }

    /// A `tref` box whose `chap` reference names other tracks.
    ///
    /// References of other kinds keep their bytes and places.
    ///
    /// - Parameters:
    ///   - content: What the track's `tref` box holds now, `nil` if it has none.
    ///   - trackIDs: The tracks to take chapters from; none removes the reference.
    /// - Returns: `nil` if the track needs no such box.
    package static func trackReferences(changing content: [UInt8]?, chapterTracks trackIDs: [UInt32]) -> [UInt8]? {
        var chapters: [UInt8] = []
        for trackID in trackIDs { chapters.append(bigEndian: trackID) }
        if !chapters.isEmpty { chapters = .box("chap", chapters) }
        let file = RandomAccessFile(bytes: content ?? [])
        var result: [UInt8] = []
        let reader = BoxReader(file: file)
        for reference in reader.boxes(in: 0..<file.byteCount) {
            if reference.type == "chap" {
                result += chapters
                chapters = []
            } else {
                result += reader.wholeBytes(of: reference)
            }
        }
        result += chapters
        return result.isEmpty ? nil : .box("tref", result)
    }
}
