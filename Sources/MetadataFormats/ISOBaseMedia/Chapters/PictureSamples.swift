internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

extension ISOChapters {
    /// Pictures as samples of a video track.
    struct PictureSamples {
        private(set) var data: [UInt8] = []
        private(set) var samples: [NewTrack.Sample] = []
        /// Sample entries, one for each kind and size of picture.
        private(set) var entries: [[UInt8]] = []
        private(set) var width: UInt16 = 0
        private(set) var height: UInt16 = 0
        private var offsets: [[UInt8]: Int] = [:]

        /// Adds a picture; `false` if it is neither JPEG nor PNG.
        mutating func add(_ picture: [UInt8], duration: UInt32) -> Bool {
            let type: FourCC
            switch MetadataDataType.ofPicture(picture) {
            case MetadataDataType.jpeg: type = "jpeg"
            case MetadataDataType.png: type = "png "
            default: return false
            }
            let size = type == "jpeg" ? Self.sizeOfJPEG(picture) : Self.sizeOfPNG(picture)
            guard let size, size.width > 0, size.height > 0 else { return false }
            let entry = Self.entry(type, size)
            if !entries.contains(entry) { entries.append(entry) }
            let index = UInt32((entries.firstIndex(of: entry) ?? 0) + 1)
            let offset = offsets[picture] ?? data.count
            if offsets[picture] == nil {
                offsets[picture] = offset
                data += picture
            }
            samples.append(
                NewTrack.Sample(offset: offset, size: picture.count, duration: duration, descriptionIndex: index))
            (width, height) = (max(width, size.width), max(height, size.height))
            return true
        }

        private static func entry(_ type: FourCC, _ size: (width: UInt16, height: UInt16)) -> [UInt8] {
            var content: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1] + Array(repeating: 0, count: 16)
            content.append(bigEndian: size.width)
            content.append(bigEndian: size.height)
            content += [0, 72, 0, 0, 0, 72, 0, 0, 0, 0, 0, 0, 0, 1]  // dots per inch; one frame per sample
            content += Array(repeating: 0, count: 32)  // the compressor's name
            return .box(type, content + [0, 24, 0xFF, 0xFF])
        }

        private static func sizeOfPNG(_ picture: [UInt8]) -> (width: UInt16, height: UInt16)? {
            guard let width = picture.bigEndian32(at: 16).flatMap(UInt16.init(exactly:)),
                let height = picture.bigEndian32(at: 20).flatMap(UInt16.init(exactly:))
            else { return nil }
            return (width, height)
        }

        /// From the first frame header.
        private static func sizeOfJPEG(_ picture: [UInt8]) -> (width: UInt16, height: UInt16)? {
            var offset = 2
            while offset + 4 <= picture.count, picture[offset] == 0xFF {
                let marker = picture[offset + 1]
                if marker == 0xFF || marker == 0x01 || (0xD0...0xD8).contains(marker) {
                    offset += marker == 0xFF ? 1 : 2
                    continue
                }
                let isFrame = (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
                if isFrame {
                    guard let height = picture.bigEndian16(at: offset + 5),
                        let width = picture.bigEndian16(at: offset + 7)
                    else { return nil }
                    return (width, height)
                }
                guard marker != 0xD9, marker != 0xDA, let length = picture.bigEndian16(at: offset + 2), length >= 2
                else {
                    return nil
                }
                offset += 2 + Int(length)
            }
            return nil
        }
    }
}
