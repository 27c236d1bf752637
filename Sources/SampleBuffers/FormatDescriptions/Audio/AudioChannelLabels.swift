/// Which channel it is.
public typealias AudioChannelLabel = UInt32

/// Nobody knows.
public let kAudioChannelLabel_Unknown: AudioChannelLabel = 0xFFFF_FFFF
/// No channel.
public let kAudioChannelLabel_Unused: AudioChannelLabel = 0
/// Front left.
public let kAudioChannelLabel_Left: AudioChannelLabel = 1
/// Front right.
public let kAudioChannelLabel_Right: AudioChannelLabel = 2
/// Front centre.
public let kAudioChannelLabel_Center: AudioChannelLabel = 3
/// Low frequencies.
public let kAudioChannelLabel_LFEScreen: AudioChannelLabel = 4
/// Left surround.
public let kAudioChannelLabel_LeftSurround: AudioChannelLabel = 5
/// Right surround.
public let kAudioChannelLabel_RightSurround: AudioChannelLabel = 6
/// Between left and centre.
public let kAudioChannelLabel_LeftCenter: AudioChannelLabel = 7
/// Between right and centre.
public let kAudioChannelLabel_RightCenter: AudioChannelLabel = 8
/// Rear centre.
public let kAudioChannelLabel_CenterSurround: AudioChannelLabel = 9
/// Left side.
public let kAudioChannelLabel_LeftSurroundDirect: AudioChannelLabel = 10
/// Right side.
public let kAudioChannelLabel_RightSurroundDirect: AudioChannelLabel = 11
/// Rear left.
public let kAudioChannelLabel_RearSurroundLeft: AudioChannelLabel = 33
/// Rear right.
public let kAudioChannelLabel_RearSurroundRight: AudioChannelLabel = 34
/// Low frequencies, a second channel.
public let kAudioChannelLabel_LFE2: AudioChannelLabel = 37
/// The only channel.
public let kAudioChannelLabel_Mono: AudioChannelLabel = 42
