public import Foundation

/// How channels are arranged: never changes.
///
/// Two layouts are the same if they say the same in the same way.
///
/// - Note: Unlike AVFoundation's it has no `NSSecureCoding`. Which fields count depends on the tag: a bitmap or
///   descriptions that the tag does not ask for are left out.
open class AVAudioChannelLayout: NSObject, @unchecked Sendable {
    // @unchecked Sendable: nothing of it changes.

    let arrangement: ChannelArrangement
    private let bytes: LentBytes

    init(_ arrangement: ChannelArrangement) {
        self.arrangement = arrangement
        bytes = .of(arrangement.bytes)
        super.init()
    }

    /// A layout of a tag.
    ///
    /// - Returns: `nil` for tags that name no channels: `kAudioChannelLayoutTag_UseChannelBitmap`,
    ///   `kAudioChannelLayoutTag_UseChannelDescriptions`, and those that have 0 for the number of channels.
    /// - Note: AVFoundation speaks of the first two only.
    public init?(layoutTag: AudioChannelLayoutTag) {
        guard AudioChannelLayoutTag_GetNumberOfChannels(layoutTag) > 0 else { return nil }
        arrangement = ChannelArrangement(tag: layoutTag)
        bytes = .of(arrangement.bytes)
        super.init()
    }

    /// A layout of C's structure, which is copied.
    ///
    /// - Parameter layout: With as many descriptions in memory as it says.
    public init(layout: UnsafePointer<AudioChannelLayout>) {
        arrangement = ChannelArrangement(layout)
        bytes = .of(arrangement.bytes)
        super.init()
    }

    /// The arrangement, or who says it.
    open var layoutTag: AudioChannelLayoutTag { arrangement.tag }

    /// How many channels there are; 0 for a bitmap or descriptions that name none.
    open var channelCount: AVAudioChannelCount { arrangement.channelCount }

    /// C's structure with its descriptions, in memory that lasts as long as the layout.
    open var layout: UnsafePointer<AudioChannelLayout> {
        bytes.start.assumingMemoryBound(to: AudioChannelLayout.self)
    }

    /// Whether another layout says the same in the same way: a tag is never the same as a bitmap.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioChannelLayout else { return false }
        return self === other || arrangement == other.arrangement
    }

    /// A hash of what the layout says.
    open override var hash: Int { arrangement.hashValue }
}

/// How channels are arranged, as a value: the bytes of an `AudioChannelLayout`.
///
/// Only what the tag asks for is kept, so that two arrangements are the same if they say the same.
struct ChannelArrangement: Hashable, Sendable {
    /// The bytes of C's structure with all descriptions; never fewer than the structure has.
    let bytes: [UInt8]

    private static let headerSize = 12
    private static let descriptionSize = MemoryLayout<AudioChannelDescription>.stride

    /// An arrangement of a tag.
    init(tag: AudioChannelLayoutTag) { self.init(tag: tag, bitmap: [], descriptions: []) }

    /// An arrangement of a format description.
    init(_ layout: ManagedAudioChannelLayout) { self.init(tag: layout.tag, bitmap: layout.bitmap, descriptions: []) }

    /// An arrangement in memory, with as many descriptions as it says.
    init(_ layout: UnsafePointer<AudioChannelLayout>) {
        // Layouts without descriptions may be shorter than the structure: only the header is sure to be there.
        let start = UnsafeRawPointer(layout)
        let header = UnsafeRawBufferPointer(start: start, count: Self.headerSize)
        self.init(header, descriptions: { UnsafeRawBufferPointer(start: start + Self.headerSize, count: $0) })
    }

    /// An arrangement of settings.
    ///
    /// - Returns: `nil` for fewer bytes than it says that there are.
    init?(_ data: Data) {
        let bytes = [UInt8](data)
        guard bytes.count >= Self.headerSize else { return nil }
        let count = bytes.withUnsafeBytes {
            Self.descriptionCount(UnsafeRawBufferPointer(rebasing: $0[..<Self.headerSize]))
        }
        guard (bytes.count - Self.headerSize) / Self.descriptionSize >= count else { return nil }
        self = bytes.withUnsafeBytes { buffer in
            Self(UnsafeRawBufferPointer(rebasing: buffer[..<Self.headerSize])) { size in
                UnsafeRawBufferPointer(rebasing: buffer[Self.headerSize..<(Self.headerSize + size)])
            }
        }
    }

    private init(_ header: UnsafeRawBufferPointer, descriptions: (Int) -> UnsafeRawBufferPointer) {
        let count = Self.descriptionCount(header)
        self.init(
            tag: header.loadUnaligned(as: UInt32.self),
            bitmap: AudioChannelBitmap(rawValue: header.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
            descriptions: count > 0 ? [UInt8](descriptions(count * Self.descriptionSize)) : [])
    }

    private init(tag: AudioChannelLayoutTag, bitmap: AudioChannelBitmap, descriptions: [UInt8]) {
        let bits = tag == kAudioChannelLayoutTag_UseChannelBitmap ? bitmap.rawValue : 0
        let header = [tag, bits, UInt32(clamping: descriptions.count / Self.descriptionSize)]
        var bytes = header.withUnsafeBytes { [UInt8]($0) } + descriptions
        let missing = MemoryLayout<AudioChannelLayout>.size - bytes.count
        if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
        self.bytes = bytes
    }

    private static func descriptionCount(_ header: UnsafeRawBufferPointer) -> Int {
        guard header.loadUnaligned(as: UInt32.self) == kAudioChannelLayoutTag_UseChannelDescriptions else { return 0 }
        return Int(header.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    }

    private func word(_ offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }

    /// The arrangement, or who says it.
    var tag: AudioChannelLayoutTag { word(0) }

    /// The channels that a bitmap says.
    var bitmap: AudioChannelBitmap { AudioChannelBitmap(rawValue: word(4)) }

    /// The channels that descriptions name.
    var labels: [AudioChannelLabel] {
        (0..<Int(word(8))).map { word(Self.headerSize + $0 * Self.descriptionSize) }
    }

    /// How many channels there are.
    var channelCount: UInt32 {
        switch tag {
        case kAudioChannelLayoutTag_UseChannelBitmap: UInt32(clamping: bitmap.rawValue.nonzeroBitCount)
        case kAudioChannelLayoutTag_UseChannelDescriptions: word(8)
        default: AudioChannelLayoutTag_GetNumberOfChannels(tag)
        }
    }

    /// The arrangement without descriptions, `nil` if only they can say it.
    var managed: ManagedAudioChannelLayout? {
        switch tag {
        case kAudioChannelLayoutTag_UseChannelBitmap: return ManagedAudioChannelLayout(bitmap: bitmap)
        case kAudioChannelLayoutTag_UseChannelDescriptions: break
        default: return ManagedAudioChannelLayout(tag: tag)
        }
        let labels = labels
        if labels == [kAudioChannelLabel_Mono] { return ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_Mono) }
        // Labels 1 to 18 are WAVE's bits, which say nothing of channels in another order than theirs.
        guard !labels.isEmpty, labels.allSatisfy({ (1...18).contains($0) }),
            zip(labels, labels.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        let bits = labels.reduce(UInt32(0)) { $0 | 1 << ($1 - 1) }
        return ManagedAudioChannelLayout(bitmap: AudioChannelBitmap(rawValue: bits))
    }

    /// Whether it says no more than that there are one or two channels.
    var isUsual: Bool { tag == kAudioChannelLayoutTag_Mono || tag == kAudioChannelLayoutTag_Stereo }
}
