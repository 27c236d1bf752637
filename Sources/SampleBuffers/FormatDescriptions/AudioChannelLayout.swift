/// How channels are arranged: by a tag, by a bitmap, or one by one.
///
/// As in C, where more descriptions may follow in memory than the one that the structure has room for.
public struct AudioChannelLayout: Sendable {
    /// The arrangement, or who says it.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// The channels, for `kAudioChannelLayoutTag_UseChannelBitmap`.
    public var mChannelBitmap: AudioChannelBitmap
    /// How many descriptions there are, for `kAudioChannelLayoutTag_UseChannelDescriptions`.
    public var mNumberChannelDescriptions: UInt32
    /// The first description.
    public var mChannelDescriptions: (AudioChannelDescription)

    /// A layout of zeros.
    public init() {
        self.init(
            mChannelLayoutTag: 0, mChannelBitmap: [], mNumberChannelDescriptions: 0,
            mChannelDescriptions: AudioChannelDescription())
    }

    /// A layout of its fields.
    public init(
        mChannelLayoutTag: AudioChannelLayoutTag, mChannelBitmap: AudioChannelBitmap,
        mNumberChannelDescriptions: UInt32, mChannelDescriptions: (AudioChannelDescription)
    ) {
        (self.mChannelLayoutTag, self.mChannelBitmap) = (mChannelLayoutTag, mChannelBitmap)
        (self.mNumberChannelDescriptions, self.mChannelDescriptions) =
            (mNumberChannelDescriptions, mChannelDescriptions)
    }
}

/// One channel of a layout.
public struct AudioChannelDescription: Sendable {
    /// Which channel it is.
    public var mChannelLabel: AudioChannelLabel
    /// How the coordinates are meant.
    public var mChannelFlags: AudioChannelFlags
    /// Where the loudspeaker stands.
    public var mCoordinates: (Float32, Float32, Float32)

    /// A description of zeros.
    public init() { self.init(mChannelLabel: 0, mChannelFlags: [], mCoordinates: (0, 0, 0)) }

    /// A description of its fields.
    public init(
        mChannelLabel: AudioChannelLabel, mChannelFlags: AudioChannelFlags, mCoordinates: (Float32, Float32, Float32)
    ) {
        (self.mChannelLabel, self.mChannelFlags, self.mCoordinates) = (mChannelLabel, mChannelFlags, mCoordinates)
    }
}

/// Which channels there are, in the order of WAVE's bits.
public struct AudioChannelBitmap: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// A set of its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Front left.
    public static let bit_Left = AudioChannelBitmap(rawValue: 1 << 0)
    /// Front right.
    public static let bit_Right = AudioChannelBitmap(rawValue: 1 << 1)
    /// Front centre.
    public static let bit_Center = AudioChannelBitmap(rawValue: 1 << 2)
    /// Low frequencies.
    public static let bit_LFEScreen = AudioChannelBitmap(rawValue: 1 << 3)
    /// Left surround.
    public static let bit_LeftSurround = AudioChannelBitmap(rawValue: 1 << 4)
    /// Right surround.
    public static let bit_RightSurround = AudioChannelBitmap(rawValue: 1 << 5)
    /// Between left and centre.
    public static let bit_LeftCenter = AudioChannelBitmap(rawValue: 1 << 6)
    /// Between right and centre.
    public static let bit_RightCenter = AudioChannelBitmap(rawValue: 1 << 7)
    /// Rear centre.
    public static let bit_CenterSurround = AudioChannelBitmap(rawValue: 1 << 8)
    /// Left side.
    public static let bit_LeftSurroundDirect = AudioChannelBitmap(rawValue: 1 << 9)
    /// Right side.
    public static let bit_RightSurroundDirect = AudioChannelBitmap(rawValue: 1 << 10)
}

/// How the coordinates of a channel are meant.
public struct AudioChannelFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// A set of its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Left and right, back and front, down and up.
    public static let rectangularCoordinates = AudioChannelFlags(rawValue: 1 << 0)
    /// Azimuth, elevation and distance.
    public static let sphericalCoordinates = AudioChannelFlags(rawValue: 1 << 1)
    /// Distances are metres.
    public static let meters = AudioChannelFlags(rawValue: 1 << 2)
}

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

/// How channels are arranged, as a value: by a tag or by a bitmap.
public struct ManagedAudioChannelLayout: Hashable, Sendable {
    /// The arrangement, or `kAudioChannelLayoutTag_UseChannelBitmap`.
    public var tag: AudioChannelLayoutTag
    /// The channels, for `kAudioChannelLayoutTag_UseChannelBitmap`.
    public var bitmap: AudioChannelBitmap

    /// A layout of a tag.
    public init(tag: AudioChannelLayoutTag) { (self.tag, bitmap) = (tag, []) }

    /// A layout of the channels that there are.
    public init(bitmap: AudioChannelBitmap) {
        (tag, self.bitmap) = (kAudioChannelLayoutTag_UseChannelBitmap, bitmap)
    }

    /// Lends the layout in C's form to a piece of work.
    ///
    /// - Throws: What the work throws.
    public func withUnsafePointer<Result>(_ body: (UnsafePointer<AudioChannelLayout>) throws -> Result) rethrows
        -> Result
    {
        try Swift.withUnsafePointer(to: plain, body)
    }

    /// The layout in C's form.
    var plain: AudioChannelLayout {
        var layout = AudioChannelLayout()
        (layout.mChannelLayoutTag, layout.mChannelBitmap) = (tag, bitmap)
        return layout
    }
}

/// How channels are arranged: a number for the arrangement in the high 16 bits, how many there are in the low ones.
public typealias AudioChannelLayoutTag = UInt32

/// How many channels a layout of a tag has.
///
/// - Returns: 0 for the tags that leave it to the bitmap or the descriptions.
public func AudioChannelLayoutTag_GetNumberOfChannels(_ layoutTag: AudioChannelLayoutTag) -> UInt32 {
    layoutTag & 0xFFFF
}

// Letters: left, right, centre, Ls and Rs for surround, Rls and Rrs for the rear, Cs for rear centre, Lc and Rc between
// the front ones, LFE for low frequencies.
/// The array of channel descriptions says it.
public let kAudioChannelLayoutTag_UseChannelDescriptions: AudioChannelLayoutTag = 0 << 16 | 0
/// The bitmap says it.
public let kAudioChannelLayoutTag_UseChannelBitmap: AudioChannelLayoutTag = 1 << 16 | 0
/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
/// Left and right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2
/// Left and right in headphones.
public let kAudioChannelLayoutTag_StereoHeadphones: AudioChannelLayoutTag = 102 << 16 | 2
/// A stereo pair that surround is matrixed into.
public let kAudioChannelLayoutTag_MatrixStereo: AudioChannelLayoutTag = 103 << 16 | 2
/// Middle and side.
public let kAudioChannelLayoutTag_MidSide: AudioChannelLayoutTag = 104 << 16 | 2
/// Left and right ear.
public let kAudioChannelLayoutTag_Binaural: AudioChannelLayoutTag = 106 << 16 | 2
/// W, X, Y, Z.
public let kAudioChannelLayoutTag_Ambisonic_B_Format: AudioChannelLayoutTag = 107 << 16 | 4
/// Left, right, rear left, rear right.
public let kAudioChannelLayoutTag_Quadraphonic: AudioChannelLayoutTag = 108 << 16 | 4
/// Left, right, rear left, rear right, centre.
public let kAudioChannelLayoutTag_Pentagonal: AudioChannelLayoutTag = 109 << 16 | 5
/// Left, right, rear left, rear right, centre, rear.
public let kAudioChannelLayoutTag_Hexagonal: AudioChannelLayoutTag = 110 << 16 | 6
/// Front, rear and side pairs, centre and rear centre.
public let kAudioChannelLayoutTag_Octagonal: AudioChannelLayoutTag = 111 << 16 | 8
/// L R C.
public let kAudioChannelLayoutTag_MPEG_3_0_A: AudioChannelLayoutTag = 113 << 16 | 3
/// C L R.
public let kAudioChannelLayoutTag_MPEG_3_0_B: AudioChannelLayoutTag = 114 << 16 | 3
/// L R C Cs.
public let kAudioChannelLayoutTag_MPEG_4_0_A: AudioChannelLayoutTag = 115 << 16 | 4
/// C L R Cs.
public let kAudioChannelLayoutTag_MPEG_4_0_B: AudioChannelLayoutTag = 116 << 16 | 4
/// L R C Ls Rs.
public let kAudioChannelLayoutTag_MPEG_5_0_A: AudioChannelLayoutTag = 117 << 16 | 5
/// L R Ls Rs C.
public let kAudioChannelLayoutTag_MPEG_5_0_B: AudioChannelLayoutTag = 118 << 16 | 5
/// L C R Ls Rs.
public let kAudioChannelLayoutTag_MPEG_5_0_C: AudioChannelLayoutTag = 119 << 16 | 5
/// C L R Ls Rs.
public let kAudioChannelLayoutTag_MPEG_5_0_D: AudioChannelLayoutTag = 120 << 16 | 5
/// L R C LFE Ls Rs.
public let kAudioChannelLayoutTag_MPEG_5_1_A: AudioChannelLayoutTag = 121 << 16 | 6
/// L R Ls Rs C LFE.
public let kAudioChannelLayoutTag_MPEG_5_1_B: AudioChannelLayoutTag = 122 << 16 | 6
/// L C R Ls Rs LFE.
public let kAudioChannelLayoutTag_MPEG_5_1_C: AudioChannelLayoutTag = 123 << 16 | 6
/// C L R Ls Rs LFE.
public let kAudioChannelLayoutTag_MPEG_5_1_D: AudioChannelLayoutTag = 124 << 16 | 6
/// L R C LFE Ls Rs Cs.
public let kAudioChannelLayoutTag_MPEG_6_1_A: AudioChannelLayoutTag = 125 << 16 | 7
/// L R C LFE Ls Rs Lc Rc.
public let kAudioChannelLayoutTag_MPEG_7_1_A: AudioChannelLayoutTag = 126 << 16 | 8
/// C Lc Rc L R Ls Rs LFE.
public let kAudioChannelLayoutTag_MPEG_7_1_B: AudioChannelLayoutTag = 127 << 16 | 8
/// L R C LFE Ls Rs Rls Rrs.
public let kAudioChannelLayoutTag_MPEG_7_1_C: AudioChannelLayoutTag = 128 << 16 | 8
/// L R Cs.
public let kAudioChannelLayoutTag_ITU_2_1: AudioChannelLayoutTag = 131 << 16 | 3
/// L R Ls Rs.
public let kAudioChannelLayoutTag_ITU_2_2: AudioChannelLayoutTag = 132 << 16 | 4
/// L R LFE.
public let kAudioChannelLayoutTag_DVD_4: AudioChannelLayoutTag = 133 << 16 | 3
/// L R LFE Cs.
public let kAudioChannelLayoutTag_DVD_5: AudioChannelLayoutTag = 134 << 16 | 4
/// L R LFE Ls Rs.
public let kAudioChannelLayoutTag_DVD_6: AudioChannelLayoutTag = 135 << 16 | 5
/// L R C LFE.
public let kAudioChannelLayoutTag_DVD_10: AudioChannelLayoutTag = 136 << 16 | 4
/// L R C LFE Cs.
public let kAudioChannelLayoutTag_DVD_11: AudioChannelLayoutTag = 137 << 16 | 5
/// L R Ls Rs C Cs.
public let kAudioChannelLayoutTag_AudioUnit_6_0: AudioChannelLayoutTag = 139 << 16 | 6
/// L R Ls Rs C Rls Rrs.
public let kAudioChannelLayoutTag_AudioUnit_7_0: AudioChannelLayoutTag = 140 << 16 | 7
/// C L R Ls Rs Cs.
public let kAudioChannelLayoutTag_AAC_6_0: AudioChannelLayoutTag = 141 << 16 | 6
/// C L R Ls Rs Cs LFE.
public let kAudioChannelLayoutTag_AAC_6_1: AudioChannelLayoutTag = 142 << 16 | 7
/// C L R Ls Rs Rls Rrs.
public let kAudioChannelLayoutTag_AAC_7_0: AudioChannelLayoutTag = 143 << 16 | 7
/// C L R Ls Rs Rls Rrs LFE.
public let kAudioChannelLayoutTag_AAC_7_1_B: AudioChannelLayoutTag = 183 << 16 | 8
/// L C R.
public let kAudioChannelLayoutTag_AC3_3_0: AudioChannelLayoutTag = 150 << 16 | 3
/// L C R Cs.
public let kAudioChannelLayoutTag_AC3_3_1: AudioChannelLayoutTag = 151 << 16 | 4
/// L R Rls Rrs.
public let kAudioChannelLayoutTag_WAVE_4_0_B: AudioChannelLayoutTag = 185 << 16 | 4
/// L R C Rls Rrs.
public let kAudioChannelLayoutTag_WAVE_5_0_B: AudioChannelLayoutTag = 186 << 16 | 5
/// L R C LFE Rls Rrs.
public let kAudioChannelLayoutTag_WAVE_5_1_B: AudioChannelLayoutTag = 187 << 16 | 6
/// L R C LFE Cs Ls Rs.
public let kAudioChannelLayoutTag_WAVE_6_1: AudioChannelLayoutTag = 188 << 16 | 7
/// L R C LFE Rls Rrs Ls Rs.
public let kAudioChannelLayoutTag_WAVE_7_1: AudioChannelLayoutTag = 189 << 16 | 8
/// Channels without a place, as many as the low 16 bits say.
public let kAudioChannelLayoutTag_DiscreteInOrder: AudioChannelLayoutTag = 147 << 16 | 0
/// C L R Ls Rs LFE, as AAC codes them.
public let kAudioChannelLayoutTag_AAC_5_1: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_D
/// C L R Ls Rs, as AAC codes them.
public let kAudioChannelLayoutTag_AAC_5_0: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_0_D
/// C L R Cs, as AAC codes them.
public let kAudioChannelLayoutTag_AAC_4_0: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_4_0_B
/// C L R, as AAC codes them.
public let kAudioChannelLayoutTag_AAC_3_0: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_3_0_B
/// C Lc Rc L R Ls Rs LFE, as AAC codes them.
public let kAudioChannelLayoutTag_AAC_7_1: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_7_1_B
/// Left, right, rear left, rear right.
public let kAudioChannelLayoutTag_AAC_Quadraphonic: AudioChannelLayoutTag = kAudioChannelLayoutTag_Quadraphonic
/// L R LFE.
public let kAudioChannelLayoutTag_WAVE_2_1: AudioChannelLayoutTag = kAudioChannelLayoutTag_DVD_4
/// L R C.
public let kAudioChannelLayoutTag_WAVE_3_0: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_3_0_A
/// L R Ls Rs.
public let kAudioChannelLayoutTag_WAVE_4_0_A: AudioChannelLayoutTag = kAudioChannelLayoutTag_ITU_2_2
/// L R C Ls Rs.
public let kAudioChannelLayoutTag_WAVE_5_0_A: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_0_A
/// L R C LFE Ls Rs.
public let kAudioChannelLayoutTag_WAVE_5_1_A: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
/// L R C LFE Ls Rs.
public let kAudioChannelLayoutTag_ITU_3_2_1: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
/// Nobody knows.
public let kAudioChannelLayoutTag_Unknown: AudioChannelLayoutTag = 0xFFFF_0000
