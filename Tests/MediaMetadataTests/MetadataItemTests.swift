import Foundation
import MediaCore
import MediaMetadata
import Testing

@Suite struct `Metadata items` {
    private func item(_ keySpace: AVMetadataKeySpace, _ key: MetadataKey, _ value: MetadataValue, type: String? = nil)
        -> AVMetadataItem
    {
        AVMetadataItem(MetadataEntry(keySpace, key, value, dataType: type, languageTag: "de-CH"))
    }

    /// '©nam' is 0xA96E616D, which clients that keep codes in signed integers have as −1452383891.
    @Test func `Metadata items are found by signed numbers`() {
        let title = item(.iTunes, .code(0xA96E_616D), .text("T"))
        let signed = Int32(bitPattern: 0xA96E_616D)
        #expect(signed == -1_452_383_891)
        for key in [signed, Int(signed), Int64(0xA96E_616D), UInt32(0xA96E_616D), NSNumber(value: signed)] as [Any] {
            #expect(AVMetadataItem.metadataItems(from: [title], withKey: key, keySpace: .iTunes).count == 1, "\(key)")
            #expect(AVMetadataItem.identifier(forKey: key, keySpace: .iTunes) == .iTunesMetadataSongName)
        }
        let mutable = AVMutableMetadataItem()
        mutable.keySpace = .iTunes
        mutable.key = NSNumber(value: signed)
        #expect(mutable.identifier == .iTunesMetadataSongName)
        #expect(mutable.keyString == "@nam")
        #expect(item(.id3, .text("TIT2"), .text("T")).keyString == "TIT2")
        #expect(AVMetadataItem().keyString == nil)
    }

    @Test func `Metadata items take dictionaries as values`() {
        let item = AVMutableMetadataItem()
        item.value = ["data": NSData(data: Data([1, 2])), "MIME": "image/png"] as NSDictionary
        #expect(item.dataValue == Data([1, 2]))
        item.value = ["text": "words", "identifier": ""] as NSDictionary
        #expect(item.stringValue == "words")
        item.value = ["other": 1] as NSDictionary
        #expect(item.value == nil)
    }

    @Test func `Metadata items have the type of the image that was set`() throws {
        let png = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] as [UInt8]
        let cover = try #require(
            item(.iTunes, .code(0x636F_7672), .data([0xFF, 0xD8, 0xFF, 0xE0]), type: MetadataDataType.jpeg)
                .mutableCopy()
                as? AVMutableMetadataItem)
        #expect(cover.entry?.dataType == MetadataDataType.jpeg)
        cover.value = NSData(data: Data(png))
        #expect(cover.entry?.dataType == MetadataDataType.png)
        var frame = MetadataEntry(.id3, .text("APIC"), .data(png), dataType: MetadataDataType.jpeg)
        frame.extras[.dataType] = .text("image/jpg")
        #expect(AVMetadataItem(frame).entry?.extras[.dataType] == .text("image/png"))
        // Bytes of no known picture, and types that are none, stay.
        let text = item(.iTunes, .code(0x636F_7672), .data(png), type: MetadataDataType.raw)
        #expect(text.entry?.dataType == MetadataDataType.raw)
    }

    @Test func `Metadata items give their value in every type that it has`() async throws {
        let text = item(.iTunes, .code(0xA96E_616D), .text("Büchse"))
        #expect(text.stringValue == "Büchse")
        #expect(text.value as? NSString == "Büchse")
        #expect(text.numberValue == nil)
        #expect(text.dataValue == Data("Büchse".utf8))
        #expect(try await text.load(.stringValue) == "Büchse")
        #expect(try await text.load(.value) as? NSString == "Büchse")
        let number = item(.iTunes, .code(0x746D_706F), .integer(258), type: MetadataDataType.int16)
        #expect(number.numberValue == 258)
        #expect(number.stringValue == "258")
        #expect(number.dataValue == Data([1, 2]))
        #expect(number.dateValue == nil)
        let data = item(.iTunes, .code(0x7472_6B6E), .data([0, 0, 0, 3]))
        #expect(data.stringValue == nil)
        #expect(data.dataValue == Data([0, 0, 0, 3]))
        #expect(try await data.load(.dataValue) == Data([0, 0, 0, 3]))
    }

    @Test(arguments: [
        ("2026-01-09T18:32:07+0900", 1_767_951_127.0), ("2026-01-09T09:32:07Z", 1_767_951_127.0),
        ("2026-01-09 09:32:07.5", 1_767_951_127.5), ("2000-02-29T00:00:00+00:00", 951_782_400.0),
        ("1904-01-01T00:00:00Z", -2_082_844_800.0),
    ])
    func `Metadata items read complete timestamps as dates`(_ text: String, _ seconds: Double) {
        let date = item(.quickTimeMetadata, .text("com.apple.quicktime.creationdate"), .text(text)).dateValue
        #expect(date?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: ["2004", "2004-05", "2004-05-06", "2004-13-01T00:00:00Z", "", "x"])
    func `Metadata items read incomplete timestamps as no date`(_ text: String) {
        #expect(item(.id3, .text("TDRC"), .text(text)).dateValue == nil)
    }

    @Test func `Frames of ID3 with a description give it beside their text`() throws {
        for (key, info) in [("COMM", ""), ("COMM", "iTunNORM"), ("TXXX", "mood"), ("USLT", "")] {
            let frame = MetadataEntry(
                .id3, .text(key), .text("x"), languageTag: "en", extras: [.info: .text(info)])
            let item = AVMetadataItem(frame)
            let parts = try #require(item.value as? NSDictionary)
            #expect(parts["identifier"] as? String == info)
            #expect(parts["text"] as? String == "x")
            #expect(parts["language"] as? String == "en")
            #expect(item.stringValue == "x")
            let copy = AVMutableMetadataItem()
            (copy.identifier, copy.value) = (item.identifier, item.value)
            #expect(copy.entry?.text == "x" && copy.entry?.info == info)
        }
        #expect(AVMetadataItem(MetadataEntry(.id3, .text("TIT2"), .text("x"))).value as? NSString == "x")
    }

    @Test(arguments: [[0, 2, 3, 0], [2, 3], [0, 2, 3]])
    func `A list of numbers is a track's or a disc's number`(_ numbers: [Int]) {
        let item = AVMutableMetadataItem()
        item.identifier = .iTunesMetadataDiscNumber
        item.value = NSArray(array: numbers.map { NSNumber(value: $0) })
        #expect(item.dataValue == Data([0, 0, 0, 2, 0, 3, 0, 0]))
    }

    @Test(arguments: [[], [1], [1, 2, 3, 4, 5], [0, 70_000]])
    func `Other lists are no value`(_ numbers: [Int]) {
        let item = AVMutableMetadataItem()
        item.value = NSArray(array: numbers.map { NSNumber(value: $0) })
        #expect(item.value == nil)
    }

    @Test func `Frames of ID3 with data give what belongs to these`() throws {
        let picture = MetadataEntry(
            .id3, .text("APIC"), .data([1, 2]),
            extras: [.info: .text("d"), .dataType: .text("image/png"), .pictureType: .text("Cover (front)")])
        let named = Array("image/png\0a.png\0d\0".utf8)
        let frames: [(MetadataEntry, [String: String])] = [
            (picture, ["identifier": "d", "MIME": "image/png", "pictureType": "Cover (front)"]),
            (MetadataEntry(.id3, .text("PRIV"), .data(Array("me\0".utf8) + [1, 2])), ["identifier": "me"]),
            (
                MetadataEntry(.id3, .text("GEOB"), .data([0] + named + [1, 2])),
                ["identifier": "d", "MIME": "image/png", "filename": "a.png"]
            ),
            (
                MetadataEntry(
                    .id3, .text("GEOB"),
                    .data([1] + Array("a/b\0".utf8) + [0xFF, 0xFE, 0, 0, 0xFF, 0xFE, 1, 4, 0, 0, 1, 2])),
                ["identifier": "\u{401}", "MIME": "a/b", "filename": ""]
            ),
        ]
        for (frame, texts) in frames {
            let item = AVMetadataItem(frame)
            let parts = try #require(item.value as? NSDictionary)
            #expect(parts["data"] as? NSData == NSData(data: Data([1, 2])))
            for (key, text) in texts { #expect(parts[key] as? String == text) }
            let copy = AVMutableMetadataItem()
            (copy.identifier, copy.value) = (item.identifier, item.value)
            #expect(try #require(copy.value as? NSDictionary).isEqual(parts))
            // In whatever order a client sets them.
            let late = AVMutableMetadataItem()
            late.value = item.value
            late.keySpace = .id3
            late.key = item.key
            #expect(late.entry?.value == frame.value)
        }
        let nameless = AVMutableMetadataItem()
        nameless.identifier = AVMetadataIdentifier(rawValue: "id3/PRIV")
        nameless.value = ["identifier": "\u{401}", "data": NSData(data: Data([1]))] as NSDictionary
        #expect(nameless.entry == nil)
        #expect(AVMetadataItem(picture).dataValue == Data([1, 2]))
    }

    @Test func `Metadata items have the identifiers of AVFoundation`() {
        let song = item(.iTunes, .code(0xA96E_616D), .text("x"))
        #expect(song.identifier?.rawValue == "itsk/%A9nam")
        #expect(song.key as? NSNumber == NSNumber(value: -1_452_383_891))
        #expect(song.extendedLanguageTag == "de-CH")
        #expect(song.locale?.identifier == "de-CH")
        #expect(!song.time.isValid)
        #expect(!song.duration.isValid)
        let frame = item(.id3, .text("TIT2"), .text("x"))
        #expect(frame.key as? NSString == "TIT2")
        #expect(frame.identifier?.rawValue == "id3/TIT2")
    }

    @Test func `Mutable metadata items keep key, key space and identifier consistent`() {
        let item = AVMutableMetadataItem()
        #expect(item.identifier == nil)
        item.keySpace = .iTunes
        item.key = NSString(string: "@nam")
        #expect(item.identifier?.rawValue == "itsk/%A9nam")
        item.identifier = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.make")
        #expect(item.keySpace == .quickTimeMetadata)
        #expect(item.key as? NSString == "com.apple.quicktime.make")
        item.value = NSString(string: "Acme")
        item.locale = Locale(identifier: "en_GB")
        #expect(item.extendedLanguageTag == "en-GB")
        item.extraAttributes = [.info: "a description"]
        let copy = item.copy() as? AVMetadataItem
        item.value = NSNumber(value: 2.5)
        #expect(item.numberValue == 2.5)
        #expect(copy?.stringValue == "Acme")
        #expect(copy?.extraAttributes?[.info] as? String == "a description")
        #expect(copy is AVMutableMetadataItem == false)
        #expect((copy?.mutableCopy() as? AVMutableMetadataItem)?.stringValue == "Acme")
    }

    @Test func `Metadata items load again after a change`() async throws {
        let item = AVMutableMetadataItem()
        item.value = NSString(string: "one")
        #expect(try await item.load(.stringValue) == "one")
        item.value = NSString(string: "two")
        #expect(try await item.load(.stringValue) == "two")
    }

    @Test func `Metadata items request their value once`() async throws {
        let calls = Counter()
        let template = AVMutableMetadataItem()
        template.identifier = AVMetadataIdentifier(rawValue: "itsk/covr")
        let item = AVMetadataItem(propertiesOf: template) { request in
            calls.add()
            request.respond(value: NSData(data: Data([1, 2])))
        }
        #expect(item.identifier?.rawValue == "itsk/covr")
        #expect(calls.count == 0)
        #expect(try await item.load(.dataValue) == Data([1, 2]))
        #expect(item.dataValue == Data([1, 2]))
        #expect(calls.count == 1)
        let failing = AVMetadataItem(propertiesOf: template) { $0.respond(error: CocoaError(.fileReadUnknown)) }
        await #expect(throws: CocoaError.self) { try await failing.load(.value) }
    }

    @Test func `Metadata items are found by key, key space and language`() {
        let items = [
            item(.iTunes, .code(0xA96E_616D), .text("a")), item(.id3, .text("TIT2"), .text("b")),
            AVMetadataItem(MetadataEntry(.quickTimeUserData, .code(0xA96E_616D), .text("c"), languageTag: "en")),
        ]
        func texts(_ found: [AVMetadataItem]) -> [String?] { found.map(\.stringValue) }
        #expect(texts(AVMetadataItem.metadataItems(from: items, withKey: "@nam", keySpace: .iTunes)) == ["a"])
        #expect(texts(AVMetadataItem.metadataItems(from: items, withKey: "©nam", keySpace: nil)) == ["a", "c"])
        #expect(
            texts(
                AVMetadataItem.metadataItems(
                    from: items, withKey: NSNumber(value: 0xA96E_616D as UInt32), keySpace: nil))
                == ["a", "c"])
        #expect(texts(AVMetadataItem.metadataItems(from: items, withKey: nil, keySpace: .id3)) == ["b"])
        #expect(texts(AVMetadataItem.metadataItems(from: items, with: Locale(identifier: "de_CH"))) == ["a", "b"])
        #expect(
            texts(
                AVMetadataItem.metadataItems(
                    from: items, filteredAndSortedAccordingToPreferredLanguages: ["en-GB", "de"])) == ["c", "a", "b"])
        #expect(
            texts(
                AVMetadataItem.metadataItems(
                    from: items, filteredByIdentifier: AVMetadataIdentifier(rawValue: "id3/TIT2")))
                == ["b"])
        #expect(
            texts(
                AVMetadataItem.metadataItems(
                    from: items, filteredByIdentifier: AVMetadataIdentifier(rawValue: "common/title")))
                == ["a", "b", "c"])
    }

    @Test func `Identifiers of metadata items are made of keys and taken apart`() {
        #expect(
            AVMetadataItem.identifier(forKey: "zx", keySpace: AVMetadataKeySpace(rawValue: "z2xy"))?.rawValue
                == "z2xy/zx")
        #expect(AVMetadataItem.identifier(forKey: "zx", keySpace: AVMetadataKeySpace(rawValue: "toolong")) == nil)
        let unknown = AVMetadataIdentifier(rawValue: "z2xy/zx")
        #expect(AVMetadataItem.key(forIdentifier: unknown) as? Data == Data("zx".utf8))
        #expect(AVMetadataItem.keySpace(forIdentifier: unknown)?.rawValue == "z2xy")
        let song = AVMetadataIdentifier(rawValue: "itsk/%A9nam")
        #expect(AVMetadataItem.key(forIdentifier: song) as? NSNumber == NSNumber(value: 0xA96E_616D as UInt32))
    }
}

/// Counts calls from any thread.
private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var calls = 0
    var count: Int { lock.withLock { calls } }
    func add() { lock.withLock { calls += 1 } }
}
