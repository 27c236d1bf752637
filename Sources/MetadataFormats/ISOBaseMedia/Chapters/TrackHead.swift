internal import MediaContainers
internal import MediaCore
internal import MediaIO
internal import MediaMetadata

extension ISOChapters {
    /// The headers of a track of chapters.
    struct TrackHead: Sendable {
        enum Media: Sendable {
            case text
            /// Sample entries, and the size of the largest picture.
            case pictures(entries: [[UInt8]], width: UInt16, height: UInt16)
        }

        let trackID: UInt32
        let media: Media
        let movie: Movie
        let timescale: CMTimeScale
        let languageTag: String?
        let alternateGroup: UInt16

        private static let identityMatrix: [UInt8] = [
            0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0,
            0,
        ]

        func box(edits: [EditList.Segment], sampleTable: [UInt8], mediaDuration: UInt64) -> [UInt8] {
            let duration = edits.reduce(0) { $0 + $1.duration }
            let language = ISOChapters.languageCode(of: languageTag)
            let header = MediaHeader(
                timescale: UInt32(bitPattern: timescale), duration: mediaDuration, languageCode: language.code)
            var media = header.box
            if let tag = language.extended { media += .box("elng", [0, 0, 0, 0] + Array(tag.utf8) + [0]) }
            media += handler + mediaInformation(sampleTable)
            return .box("trak", trackHeader(duration).box + EditList(edits).box + .box("mdia", media))
        }

        /// In the movie, but not enabled: players list the chapters and do not
        /// show them as subtitles or as a picture.
        private func trackHeader(_ duration: UInt64) -> TrackHeader {
            var rest = [UInt8](repeating: 0, count: 10)  // reserved, layer
            rest.append(bigEndian: alternateGroup)
            rest += [0, 0, 0, 0]  // volume, reserved
            rest += Self.identityMatrix
            if case .pictures(_, let width, let height) = media {
                rest.append(bigEndian: UInt32(width) << 16)
                rest.append(bigEndian: UInt32(height) << 16)
            } else {
                rest += Array(repeating: 0, count: 8)
            }
            return TrackHeader(trackID: trackID, flags: 2, duration: duration, rest: rest)
        }

        /// QuickTime counts the name's bytes and says what the handler is for; MP4 ends the name with zero.
        private var handler: [UInt8] {
            let name: String
            let type: FourCC
            switch media {
            case .text: (type, name) = ("text", "Chapters")
            case .pictures: (type, name) = ("vide", "Chapter pictures")
            }
            return handlerBox(component: "mhlr", type: type, name: name)
        }

        private func handlerBox(component: FourCC, type: FourCC, name: String) -> [UInt8] {
            var content: [UInt8] = [0, 0, 0, 0]
            content += movie.isQuickTime ? component.bytes : [0, 0, 0, 0]
            content += type.bytes + Array(repeating: 0, count: 12)
            content += movie.isQuickTime ? [UInt8(name.utf8.count)] + Array(name.utf8) : Array(name.utf8) + [0]
            return .box("hdlr", content)
        }

        private func mediaInformation(_ sampleTable: [UInt8]) -> [UInt8] {
            var content: [UInt8]
            var entries: [UInt8] = [0, 0, 0, 0]
            switch media {
            case .text:
                // Graphics mode "dither copy", as all writers have it, and the text's matrix.
                let general: [UInt8] = [0, 0, 0, 0, 0, 0x40, 0x80, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0]
                content = [UInt8].box(
                    "gmhd", [UInt8].box("gmin", general) + [UInt8].box("text", Self.identityMatrix))
                entries.append(bigEndian: UInt32(1))
                entries += Self.textEntry
            case .pictures(let pictures, _, _):
                content = [UInt8].box("vmhd", [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
                entries.append(bigEndian: UInt32(pictures.count))
                entries += pictures.joined()
            }
            if movie.isQuickTime { content += handlerBox(component: "dhlr", type: "url ", name: "Data") }
            let reference = [UInt8].box("url ", [0, 0, 0, 1])  // in this file
            content += .box("dinf", [UInt8].box("dref", [0, 0, 0, 0, 0, 0, 0, 1] + reference))
            return .box(
                "minf", content + [UInt8].box("stbl", [UInt8].box("stsd", entries) + sampleTable))
        }

        /// Text that is not displayed: no colours, no box, the first font.
        private static let textEntry: [UInt8] = {
            var content: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
            content.append(bigEndian: UInt32(1))  // not to be displayed
            return .box("text", content + Array(repeating: 0, count: 40))
        }()
    }
}
