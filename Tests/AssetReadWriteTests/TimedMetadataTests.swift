import AssetExport
import AssetReadWrite
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import SampleBuffers
import Testing

/// Timed metadata in new films, whose bytes are those that the standard asks for, and read again.
struct TimedMetadataTests {
    private func specification(
        _ identifier: String, _ type: String, language: String? = nil
    ) -> NSDictionary {
        let values = NSMutableDictionary()
        values.setObject(
            NSString(string: identifier), forKey: kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier)
        values.setObject(NSString(string: type), forKey: kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType)
        if let language {
            values.setObject(
                NSString(string: language),
                forKey: kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag)
        }
        return values
    }

    private func description(_ specifications: NSDictionary...) throws -> CMFormatDescription {
        var made: CMFormatDescription?
        let status = CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
            allocator: kCFAllocatorDefault, metadataType: kCMMetadataFormatType_Boxed,
            metadataSpecifications: NSArray(array: specifications), formatDescriptionOut: &made)
        #expect(status == 0)
        return try #require(made)
    }

    private func item(
        _ identifier: String, _ value: any NSCopying & NSObjectProtocol, type: String? = nil, language: String? = nil
    ) -> AVMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: identifier)
        item.value = value
        item.dataType = type
        item.extendedLanguageTag = language
        return item
    }

    private func group(_ items: [AVMetadataItem], _ start: Int64, _ duration: Int64?) -> AVTimedMetadataGroup {
        AVTimedMetadataGroup(
            items: items,
            timeRange: CMTimeRange(start: seconds(start, 600), duration: duration.map { seconds($0, 600) } ?? .invalid))
    }

    /// A film of four seconds with a track of metadata about its pictures.
    private func film(
        _ name: String, in folder: TemporaryFolder, hint: CMFormatDescription?, groups: [AVTimedMetadataGroup]
    ) async throws -> AVAssetWriter {
        let url = URL(fileURLWithPath: folder.path(name))
        let writer = try AVAssetWriter(
            outputURL: url, fileType: #require(AVFileType(filenameExtension: url.pathExtension)))
        let pictures = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 48])
        let input = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: hint)
        let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
        #expect(input.canAddTrackAssociation(withTrackOf: pictures, type: "cdsc"))
        input.addTrackAssociation(
            withTrackOf: pictures, type: AVAssetTrack.AssociationType.metadataReferent.rawValue)
        writer.add(pictures)
        writer.add(input)
        guard writer.startWriting() else { return writer }
        writer.startSession(atSourceTime: .zero)
        let buffers = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: pictures)
        for index in 0..<8 {
            var made: CVPixelBuffer?
            CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_32BGRA, nil, &made)
            guard buffers.append(try #require(made), withPresentationTime: seconds(Int64(index), 2)) else {
                return writer
            }
        }
        for group in groups where !adaptor.append(group) { return writer }
        pictures.markAsFinished()
        input.markAsFinished()
        writer.endSession(atSourceTime: seconds(4, 1))
        await writer.finishWriting()
        return writer
    }

    private func groups(in path: String) async throws -> [AVTimedMetadataGroup] {
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        let track = try #require(try await asset.loadTracks(withMediaType: .metadata).first)
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
        reader.add(output)
        try reader.start()
        var groups: [AVTimedMetadataGroup] = []
        while let group = adaptor.nextTimedMetadataGroup() { groups.append(group) }
        #expect(reader.status == .completed, "\(String(describing: reader.error))")
        return groups
    }

    private static let stillTime = "mdta/com.apple.quicktime.still-image-time"

    @Test(arguments: ["live.mov", "live.mp4"])
    func `The time of a live photo's still is described as cameras do`(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let writer = try await film(
            name, in: folder, hint: description(specification(Self.stillTime, kCMMetadataBaseDataType_SInt8)),
            groups: [group([item(Self.stillTime, NSNumber(value: 0), type: kCMMetadataBaseDataType_SInt8)], 300, 40)])
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
        // By ISO/IEC 14496-12: the entry, the table of keys, the one key with its declaration and well-known type 65.
        func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
            let size = UInt32(content.count + 8)
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + type + content
        }
        let key = box(
            [0, 0, 0, 1],
            box(Array("keyd".utf8), Array("mdtacom.apple.quicktime.still-image-time".utf8))
                + box(Array("dtyp".utf8), [0, 0, 0, 0, 0, 0, 0, 65]))
        let entry = box(Array("mebx".utf8), [0, 0, 0, 0, 0, 0, 0, 1] + box(Array("keys".utf8), key))
        let table = box(Array("stsd".utf8), [0, 0, 0, 0, 0, 0, 0, 1] + entry)
        let hasTable = bytes.firstRange(of: table) != nil
        #expect(hasTable)
        let hasReference = bytes.firstRange(of: box(Array("tref".utf8), box(Array("cdsc".utf8), [0, 0, 0, 1]))) != nil
        #expect(hasReference)
        let told = try await ffprobe(
            folder.path(name),
            ["-select_streams", "d", "-show_packets", "-show_data", "-show_entries", "stream=codec_tag_string"])
        #expect(told.contains("mebx"))
        #expect(told.contains { $0.contains("0000 0009 0000 0001 00") })
        let read = try await groups(in: folder.path(name))
        #expect(read.map(\.timeRange) == [CMTimeRange(start: seconds(300, 600), duration: seconds(40, 600))])
        #expect(read.first?.items.map(\.numberValue) == [NSNumber(value: 0)])
        #expect(read.first?.items.first?.identifier?.rawValue == Self.stillTime)
        #expect(read.first?.items.first?.dataType == kCMMetadataBaseDataType_SInt8)
    }

    @Test func `Groups of timed metadata are read again at their times, with types and languages`()
        async throws
    {
        let folder = try TemporaryFolder()
        let location = "mdta/com.apple.quicktime.location.ISO6709"
        let title = "mdta/com.example.title"
        let hint = try description(
            specification(location, kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709),
            specification(title, kCMMetadataBaseDataType_UTF8, language: "de"),
            specification(title, kCMMetadataBaseDataType_UTF8, language: "en-GB"),
            specification("mdta/com.example.height", kCMMetadataBaseDataType_Float32),
            specification("mdta/com.example.count", kCMMetadataBaseDataType_UInt16),
            specification("mdta/com.example.place", kCMMetadataBaseDataType_PointF32),
            specification("uiso/titl", kCMMetadataBaseDataType_UTF16))
        let point = NSData(data: Data([0x3F, 0x80, 0, 0, 0x40, 0, 0, 0]))
        let writer = try await film(
            "telemetry.mov", in: folder, hint: hint,
            groups: [
                group(
                    [
                        item(location, NSString("+48.2085+016.3721/")),
                        item(title, NSString("Wien"), language: "de"),
                        item(title, NSString("Vienna"), language: "en-GB"),
                        item("mdta/com.example.height", NSNumber(value: 171.5)),
                    ], 0, 600),
                group(
                    [
                        item("mdta/com.example.count", NSNumber(value: 65_535)), item("mdta/com.example.place", point),
                        item("uiso/titl", NSString("Höhe")),
                    ], 900, nil),
                group([item(location, NSString("+48.2/"))], 1500, 300),
            ])
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        let read = try await groups(in: folder.path("telemetry.mov"))
        #expect(read.map { $0.timeRange.start } == [0, 600, 900, 1500].map { seconds($0, 600) })
        #expect(read.map { $0.timeRange.duration } == [600, 300, 600, 300].map { seconds($0, 600) })
        #expect(read.map(\.items.count) == [4, 0, 3, 1])
        let first = try #require(read.first)
        #expect(first.items.map(\.stringValue) == ["+48.2085+016.3721/", "Wien", "Vienna", "171.5"])
        #expect(first.items.map(\.extendedLanguageTag) == [nil, "de", "en-GB", nil])
        #expect(first.items.map(\.time) == [CMTime](repeating: .zero, count: 4))
        #expect(first.items.first?.commonKey == .commonKeyLocation)
        #expect(first.items.first?.dataType == kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709)
        #expect(read[2].items[0].numberValue == 65_535)
        #expect(read[2].items[1].dataValue == point as Data)
        #expect(read[2].items[1].dataType == kCMMetadataBaseDataType_PointF32)
        #expect(read[2].items[2].stringValue == "Höhe")
        #expect(read[2].items[2].identifier?.rawValue == "uiso/titl")
    }

    @Test func `A track of metadata that is copied sample by sample is described as before`() async throws {
        let folder = try TemporaryFolder()
        let first = group([item("mdta/com.example.a", NSString("one"))], 0, 600)
        let second = group([item("mdta/com.example.a", NSString("two"))], 600, 1800)
        _ = try await film(
            "a.mov", in: folder, hint: first.copyFormatDescription(), groups: [first, second])
        let asset = AVURLAsset(url: URL(fileURLWithPath: folder.path("a.mov")))
        let reader = try AVAssetReader(asset: asset)
        let writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: folder.path("b.mp4")), fileType: .mp4)
        var pairs: [(AVAssetReaderTrackOutput, AVAssetWriterInput)] = []
        for track in try await asset.load(.tracks) {
            let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
            let input = AVAssetWriterInput(mediaType: track.mediaType, outputSettings: nil)
            reader.add(output)
            writer.add(input)
            pairs.append((output, input))
        }
        try reader.start()
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        for (output, input) in pairs {
            while let sample = output.copyNextSampleBuffer() { #expect(input.append(sample)) }
            input.markAsFinished()
        }
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        let read = try await groups(in: folder.path("b.mp4"))
        #expect(read.map { $0.items.map(\.stringValue) } == [["one"], ["two"]])
        #expect(read.map { $0.timeRange.duration } == [seconds(600, 600), seconds(1800, 600)])
        let before = try await asset.loadTracks(withMediaType: .metadata)[0].load(.formatDescriptions)
        let copy = AVURLAsset(url: URL(fileURLWithPath: folder.path("b.mp4")))
        #expect(try await copy.loadTracks(withMediaType: .metadata)[0].load(.formatDescriptions) == before)
        #expect(CMMetadataFormatDescriptionGetIdentifiers(before[0]) == ["mdta/com.example.a"] as NSArray)
    }

    @Test func `Timed metadata that cannot be written fails and leaves no file`() async throws {
        let hint = try description(specification("mdta/com.example.count", kCMMetadataBaseDataType_UInt8))
        let cases: [(String, CMFormatDescription?, [AVTimedMetadataGroup], String)] = [
            ("key.mov", hint, [group([item("mdta/com.example.other", NSNumber(value: 1))], 0, 600)], "no such key"),
            (
                "type.mov", hint,
                [
                    group(
                        [item("mdta/com.example.count", NSNumber(value: 1), type: kCMMetadataBaseDataType_SInt8)], 0,
                        600)
                ],
                "no such key"
            ),
            ("range.mov", hint, [group([item("mdta/com.example.count", NSNumber(value: 256))], 0, 600)], "cannot hold"),
            (
                "negative.mov", hint, [group([item("mdta/com.example.count", NSNumber(value: -1))], 0, 600)],
                "cannot hold"
            ),
            ("text.mov", hint, [group([item("mdta/com.example.count", NSString("1"))], 0, 600)], "cannot hold text"),
            (
                "back.mov", hint,
                [
                    group([item("mdta/com.example.count", NSNumber(value: 1))], 600, 600),
                    group([item("mdta/com.example.count", NSNumber(value: 2))], 900, 60),
                ], "times go back"
            ),
            (
                "stop.mov", hint,
                [
                    group([item("mdta/com.example.count", NSNumber(value: 1))], 600, nil),
                    group([item("mdta/com.example.count", NSNumber(value: 2))], 300, nil),
                ], "times go back"
            ),
            (
                "hint.mov", nil, [group([item("mdta/com.example.count", NSNumber(value: 1))], 0, 600)],
                "sourceFormatHint"
            ),
            ("kind.mkv", hint, [group([item("mdta/com.example.count", NSNumber(value: 1))], 0, 600)], "matroska"),
            (
                "time.mov", hint,
                [
                    AVTimedMetadataGroup(
                        items: [item("mdta/com.example.count", NSNumber(value: 1))],
                        timeRange: CMTimeRange(start: .indefinite, duration: seconds(1, 1)))
                ], "no time"
            ),
        ]
        for (name, hint, groups, reason) in cases {
            let folder = try TemporaryFolder()
            let writer = try await film(name, in: folder, hint: hint, groups: groups)
            #expect(writer.status == .failed, "\(name)")
            #expect(
                writer.error?.localizedDescription.contains(reason) == true
                    || "\(writer.error as Any)".contains(reason), "\(name): \(writer.error as Any)")
            #expect(try folder.contents().isEmpty, "\(name)")
        }
    }

    @Test func `Timed metadata without an end lasts until the next group or the end of the file`() async throws {
        let folder = try TemporaryFolder()
        let first = group([item("mdta/com.example.a", NSString("one"))], 0, nil)
        let second = group([item("mdta/com.example.a", NSString("two"))], 900, nil)
        let writer = try await film(
            "a.mp4", in: folder, hint: first.copyFormatDescription(), groups: [first, second])
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        let read = try await groups(in: folder.path("a.mp4"))
        #expect(read.map(\.timeRange.start) == [.zero, seconds(900, 600)])
        #expect(read.map(\.timeRange.duration) == [seconds(900, 600), seconds(1500, 600)])
    }

    @Test func `Timed metadata that comes too soon makes the writer fail, and can be written elsewhere`()
        async throws
    {
        let folder = try TemporaryFolder()
        let only = group([item("mdta/com.example.a", NSString("one"))], 0, 600)
        let writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: folder.path("a.mov")), fileType: .mov)
        let input = AVAssetWriterInput(
            mediaType: .metadata, outputSettings: nil, sourceFormatHint: only.copyFormatDescription())
        let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
        writer.add(input)
        #expect(!adaptor.append(only))
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        #expect(adaptor.append(only))
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        #expect(try await groups(in: folder.path("a.mov")).count == 1)
    }

    @Test func `Values of timed metadata have the types that their key's type conforms to`() async throws {
        let key = NSMutableDictionary()
        key.setObject(NSNumber(value: 0x6D64_7461), forKey: kCMMetadataFormatDescriptionKey_Namespace)
        key.setObject(NSData(data: Data("com.example.heat".utf8)), forKey: kCMMetadataFormatDescriptionKey_Value)
        key.setObject(NSNumber(value: 7), forKey: kCMMetadataFormatDescriptionKey_LocalID)
        key.setObject(NSNumber(value: 1), forKey: kCMMetadataFormatDescriptionKey_DataTypeNamespace)
        key.setObject(NSData(data: Data("com.example.celsius".utf8)), forKey: kCMMetadataFormatDescriptionKey_DataType)
        let kind = NSMutableDictionary()
        kind.setObject(NSNumber(value: 0), forKey: kCMMetadataFormatDescriptionKey_DataTypeNamespace)
        kind.setObject(NSData(data: Data([0, 0, 0, 23])), forKey: kCMMetadataFormatDescriptionKey_DataType)
        key.setObject(NSArray(object: kind), forKey: kCMMetadataFormatDescriptionKey_ConformingDataTypes)
        var made: CMFormatDescription?
        #expect(
            CMMetadataFormatDescriptionCreateWithKeys(
                allocator: nil, metadataType: kCMMetadataFormatType_Boxed, keys: NSArray(object: key),
                formatDescriptionOut: &made) == 0)
        let folder = try TemporaryFolder()
        let writer = try await film(
            "heat.mov", in: folder, hint: made,
            groups: [group([item("mdta/com.example.heat", NSNumber(value: 36.5))], 0, 600)])
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        let read = try await groups(in: folder.path("heat.mov"))
        #expect(read.first?.items.first?.numberValue == 36.5)
        #expect(read.first?.items.first?.dataType == "com.example.celsius")
    }

    @Test func `Samples without bytes and unused keys of timed metadata mean nothing`() throws {
        let description = try description(specification("mdta/com.example.a", kCMMetadataBaseDataType_UTF8))
        func sample(_ block: CMBlockBuffer, _ count: Int) throws -> CMSampleBuffer {
            try CMSampleBuffer(
                dataBuffer: block, formatDescription: description, numSamples: 1,
                sampleTimings: [
                    CMSampleTimingInfo(duration: seconds(1, 1), presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
                ], sampleSizes: [count])
        }
        #expect(AVTimedMetadataGroup(sampleBuffer: try sample(CMBlockBuffer(capacity: 0), 0))?.items.isEmpty == true)
        // A value, one of a key that nobody declared, one out of use, and the beginning of another.
        let bytes: [UInt8] = [
            0, 0, 0, 9, 0, 0, 0, 1, 65, 0, 0, 0, 9, 0, 0, 0, 5, 66, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 99,
        ]
        let block = try CMBlockBuffer(length: bytes.count)
        try block.fillDataBytes(with: 0)
        try bytes.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
        let group = AVTimedMetadataGroup(sampleBuffer: try sample(block, bytes.count))
        #expect(group?.items.map(\.stringValue) == ["A"])
    }

    @Test func `Descriptions of timed metadata are made of specifications and of keys, and merged`() throws {
        let one = try description(specification("mdta/com.example.a", kCMMetadataBaseDataType_UTF8))
        let two = try description(
            specification("mdta/com.example.a", kCMMetadataBaseDataType_UTF8),
            specification("mdta/com.example.b", "com.example.type"))
        var merged: CMFormatDescription?
        #expect(
            CMMetadataFormatDescriptionCreateByMergingMetadataFormatDescriptions(
                allocator: nil, sourceDescription: one, otherSourceDescription: two, formatDescriptionOut: &merged) == 0
        )
        #expect(merged == two)
        let keys =
            CMFormatDescriptionGetExtension(
                two, extensionKey: kCMFormatDescriptionExtensionKey_MetadataKeyTable) as? NSArray
        var made: CMFormatDescription?
        #expect(
            CMMetadataFormatDescriptionCreateWithKeys(
                allocator: nil, metadataType: kCMMetadataFormatType_Boxed, keys: keys, formatDescriptionOut: &made) == 0
        )
        #expect(made == two)
        let key = CMMetadataFormatDescriptionGetKeyWithLocalID(two, localKeyID: 2)
        #expect(
            key?.object(forKey: kCMMetadataFormatDescriptionKey_DataType) as? NSData
                == NSData(data: Data("com.example.type".utf8)))
        #expect(CMMetadataFormatDescriptionGetKeyWithLocalID(two, localKeyID: 3) == nil)
        for wrong: NSArray in [[NSDictionary()], [specification("nonsense", "x")], ["text"]] {
            let status = CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
                allocator: nil, metadataType: kCMMetadataFormatType_Boxed, metadataSpecifications: wrong,
                formatDescriptionOut: &made)
            #expect(status == -12710)
            #expect(made == nil)
        }
    }
}
