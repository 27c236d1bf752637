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
