// The global names that kinds of files had before they were members. AVFoundation keeps them for Objective-C.

/// The old name of `AVFileType.mov`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.mov")
public let AVFileTypeQuickTimeMovie = AVFileType.mov

/// The old name of `AVFileType.mp4`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.mp4")
public let AVFileTypeMPEG4 = AVFileType.mp4

/// The old name of `AVFileType.m4v`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.m4v")
public let AVFileTypeAppleM4V = AVFileType.m4v

/// The old name of `AVFileType.m4a`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.m4a")
public let AVFileTypeAppleM4A = AVFileType.m4a

/// The old name of `AVFileType.mobile3GPP`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.mobile3GPP")
public let AVFileType3GPP = AVFileType.mobile3GPP

/// The old name of `AVFileType.mobile3GPP2`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.mobile3GPP2")
public let AVFileType3GPP2 = AVFileType.mobile3GPP2

/// The old name of `AVFileType.caf`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.caf")
public let AVFileTypeCoreAudioFormat = AVFileType.caf

/// The old name of `AVFileType.wav`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.wav")
public let AVFileTypeWAVE = AVFileType.wav

/// The old name of `AVFileType.aiff`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.aiff")
public let AVFileTypeAIFF = AVFileType.aiff

/// The old name of `AVFileType.aifc`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.aifc")
public let AVFileTypeAIFC = AVFileType.aifc

/// The old name of `AVFileType.amr`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.amr")
public let AVFileTypeAMR = AVFileType.amr

/// The old name of `AVFileType.mp3`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.mp3")
public let AVFileTypeMPEGLayer3 = AVFileType.mp3

/// The old name of `AVFileType.ac3`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVFileType.ac3")
public let AVFileTypeAC3 = AVFileType.ac3
