internal import MediaIO

/// The fields that `mvhd`, `tkhd` and `mdhd` begin with: dates, a number, a duration.
///
/// In version 1 dates and duration have 64 bits, in version 0 they have 32.
///
/// Source: ISO/IEC 14496-12, "Movie Header Box", "Track Header Box", "Media Header Box".
package struct HeaderFields: Hashable, Sendable {
    /// The content of the box.
    package private(set) var bytes: [UInt8]
    /// Bytes between the dates and the duration.
    private let middle: Int

    /// - Returns: `nil` if the content ends before the duration does.
    fileprivate init?(_ content: [UInt8], middle: Int) {
        self.middle = middle
        bytes = content
        guard content.count >= 4, content.count >= end else { return nil }
    }

    /// Fields of a new header without dates, in version 1 if the duration needs it.
    fileprivate init(flags: UInt8, number: UInt32, middle: Int, duration: UInt64, rest: [UInt8]) {
        self.middle = middle
        bytes = [0, 0, 0, flags] + [UInt8](repeating: 0, count: 12 + middle) + rest
        self.number = number
        self.duration = duration
    }

    fileprivate var isLong: Bool { bytes.first == 1 }
    private var dateWidth: Int { isLong ? 8 : 4 }
    private var numberOffset: Int { 4 + 2 * dateWidth }
    private var durationOffset: Int { numberOffset + middle }
    /// Where the fields end and what only this type of header has begins.
    package var end: Int { durationOffset + dateWidth }

    /// The number: a timescale, or that of a track.
    fileprivate var number: UInt32 {
        get { bytes.bigEndian32(at: numberOffset) ?? 0 }
        set { bytes.set(bigEndian: newValue, at: numberOffset) }
    }

    /// Seconds since 1904 when it was made, 0 if nobody says.
    fileprivate var creationTime: UInt64 { wide(at: 4) }

    fileprivate mutating func setDates(_ seconds: UInt64) {
        for offset in [4, 4 + dateWidth] { setWide(seconds, at: offset) }
    }

    /// `nil` stands for all bits set: a duration that cannot be told.
    fileprivate var duration: UInt64? {
        get {
            let ticks = wide(at: durationOffset)
            return ticks == (isLong ? UInt64.max : UInt64(UInt32.max)) ? nil : ticks
        }
        set {
            if let newValue, newValue >= UInt32.max, !isLong { widen() }
            setWide(newValue ?? .max, at: durationOffset)
        }
    }

    private func wide(at offset: Int) -> UInt64 {
        (isLong ? bytes.bigEndian64(at: offset) : bytes.bigEndian32(at: offset).map(UInt64.init)) ?? 0
    }

    private mutating func setWide(_ number: UInt64, at offset: Int) {
        if isLong {
            bytes.set(bigEndian: number, at: offset)
        } else {
            bytes.set(bigEndian: UInt32(clamping: number), at: offset)
        }
    }

    /// Makes version 1 of version 0.
    private mutating func widen() {
        for offset in [durationOffset, 8, 4] { bytes.insert(contentsOf: [0, 0, 0, 0], at: offset) }
        bytes[0] = 1
    }
    fileprivate mutating func setFlags(_ flags: UInt8) { bytes[3] |= flags }

    /// Replaces a number among what follows the fields.
    fileprivate mutating func set(_ number: some FixedWidthInteger, atEnd offset: Int) {
        guard bytes.count >= end + offset + number.bitWidth / 8 else { return }
        bytes.set(bigEndian: number, at: end + offset)
    }
}

/// A header with dates and a duration.
package protocol TimedHeader: Hashable, Sendable {
    /// The type of its box.
    static var type: FourCC { get }
    /// Bytes between the dates and the duration.
    static var middle: Int { get }
    /// Bytes of all that version 0 has.
    static var byteCount: Int { get }
    /// The content.
    var fields: HeaderFields { get set }

    /// A header of these fields.
    init(fields: HeaderFields)
}

extension TimedHeader {
    /// Reads the content of a box; `nil` if it ends before the duration does.
    package init?(_ content: [UInt8]) {
        guard let fields = HeaderFields(content, middle: Self.middle) else { return nil }
        self.init(fields: fields)
    }

    /// Reads the first box of the type among others, `nil` if there is none or it is cut off.
    package init?(in boxes: [Box], _ reader: BoxReader) {
        guard let box = boxes.first(where: { $0.type == Self.type }) else { return nil }
        self.init(reader.bytes(of: box, limit: 1 << 12))
    }

    /// Whether the box has all that its version does.
    package var isWhole: Bool { fields.bytes.count >= Self.byteCount + (fields.isLong ? 12 : 0) }

    /// How long it lasts, `nil` if that cannot be told.
    package var duration: UInt64? {
        get { fields.duration }
        set { fields.duration = newValue }
    }

    /// Seconds since 1904 when it was made, 0 if nobody says.
    package var creationTime: UInt64 { fields.creationTime }

    /// Says when it was made and changed, in seconds since 1904.
    package mutating func setDates(_ seconds: UInt64) { fields.setDates(seconds) }

    /// The whole box.
    package var box: [UInt8] { .box(Self.type, fields.bytes) }
}

/// What a movie says of itself: `mvhd`.
package struct MovieHeader: TimedHeader {
    package static let type: FourCC = "mvhd"
    package static let middle = 4
    package static let byteCount = 100
    package var fields: HeaderFields

    package init(fields: HeaderFields) { self.fields = fields }

    /// Ticks in each second.
    package var timescale: UInt32 {
        get { fields.number }
        set { fields.number = newValue }
    }

    /// How fast it is to be played, in 16.16 fixed point.
    package var rate: Int32 { fields.bytes.bigEndian32(at: fields.end).map(Int32.init(bitPattern:)) ?? 1 << 16 }

    /// How loud, in 8.8 fixed point.
    package var volume: Int16 { fields.bytes.bigEndian16(at: fields.end + 4).map(Int16.init(bitPattern:)) ?? 1 << 8 }

    /// The times of preview, poster, selection and current time, in QuickTime movies.
    static let timeCount = 6

    /// One of these times.
    subscript(time index: Int) -> UInt32 {
        get { fields.bytes.bigEndian32(at: fields.end + 52 + index * 4) ?? 0 }
        set { fields.set(newValue, atEnd: 52 + index * 4) }
    }

    /// The number that the next new track is to have.
    package var nextTrackID: UInt32 {
        get { fields.bytes.bigEndian32(at: fields.end + 76) ?? 0 }
        set { fields.set(newValue, atEnd: 76) }
    }
}

/// What a track says of itself: `tkhd`.
package struct TrackHeader: TimedHeader {
    package static let type: FourCC = "tkhd"
    package static let middle = 8
    package static let byteCount = 84
    package var fields: HeaderFields

    package init(fields: HeaderFields) { self.fields = fields }

    /// A header of a new track.
    ///
    /// - Parameters:
    ///   - flags: 1 for enabled, 2 for in the movie.
    ///   - duration: In the movie's timescale.
    ///   - rest: From the reserved bytes after the duration on.
    package init(trackID: UInt32, flags: UInt8, duration: UInt64, rest: [UInt8]) {
        fields = HeaderFields(flags: flags, number: trackID, middle: Self.middle, duration: duration, rest: rest)
    }

    /// The track's number.
    package var trackID: UInt32 {
        get { fields.number }
        set { fields.number = newValue }
    }

    /// The size that pictures are scaled to before they are turned; `nil` if it is cut off.
    package var size: (width: Double, height: Double)? {
        guard let width = fields.bytes.bigEndian32(at: fields.end + 52),
            let height = fields.bytes.bigEndian32(at: fields.end + 56)
        else { return nil }
        return (Double(width) / 65536, Double(height) / 65536)
    }

    /// Whether players show the track.
    package var isEnabled: Bool { fields.bytes[3] & 1 != 0 }

    /// The group of tracks of which one is to be played, 0 for none.
    package var alternateGroup: UInt16 {
        get { fields.bytes.bigEndian16(at: fields.end + 10) ?? 0 }
        set { fields.set(newValue, atEnd: 10) }
    }

    /// Has players show the track.
    mutating func enable() { fields.setFlags(1) }
}

/// What a track's media say of themselves: `mdhd`.
package struct MediaHeader: TimedHeader {
    package static let type: FourCC = "mdhd"
    package static let middle = 4
    package static let byteCount = 24
    package var fields: HeaderFields

    package init(fields: HeaderFields) { self.fields = fields }

    /// A header of new media.
    package init(timescale: UInt32, duration: UInt64, languageCode: UInt16) {
        fields = HeaderFields(
            flags: 0, number: timescale, middle: Self.middle, duration: duration, rest: [0, 0, 0, 0])
        self.languageCode = languageCode
    }

    /// Ticks in each second.
    var timescale: UInt32 {
        get { fields.number }
        set { fields.number = newValue }
    }

    /// The language as three letters of five bits, or below 0x400 one of QuickTime's numbers; `nil` if it is cut off.
    package var languageCode: UInt16? {
        get { fields.bytes.bigEndian16(at: fields.end) }
        set { fields.set(newValue ?? 0, atEnd: 0) }
    }
}
