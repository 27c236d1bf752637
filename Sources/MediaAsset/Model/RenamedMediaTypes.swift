// The global names that kinds of media had before they were members. AVFoundation keeps them for Objective-C.

/// The old name of `AVMediaType.video`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.video")
public let AVMediaTypeVideo = AVMediaType.video

/// The old name of `AVMediaType.audio`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.audio")
public let AVMediaTypeAudio = AVMediaType.audio

/// The old name of `AVMediaType.text`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.text")
public let AVMediaTypeText = AVMediaType.text

/// The old name of `AVMediaType.closedCaption`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.closedCaption")
public let AVMediaTypeClosedCaption = AVMediaType.closedCaption

/// The old name of `AVMediaType.subtitle`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.subtitle")
public let AVMediaTypeSubtitle = AVMediaType.subtitle

/// The old name of `AVMediaType.timecode`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.timecode")
public let AVMediaTypeTimecode = AVMediaType.timecode

/// The old name of `AVMediaType.metadata`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.metadata")
public let AVMediaTypeMetadata = AVMediaType.metadata

/// The old name of `AVMediaType.muxed`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaType.muxed")
public let AVMediaTypeMuxed = AVMediaType.muxed

/// The old name of `AVMediaCharacteristic.visual`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaCharacteristic.visual")
public let AVMediaCharacteristicVisual = AVMediaCharacteristic.visual

/// The old name of `AVMediaCharacteristic.audible`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaCharacteristic.audible")
public let AVMediaCharacteristicAudible = AVMediaCharacteristic.audible

/// The old name of `AVMediaCharacteristic.legible`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaCharacteristic.legible")
public let AVMediaCharacteristicLegible = AVMediaCharacteristic.legible

/// The old name of `AVMediaCharacteristic.frameBased`.
///
/// - Note: In Swift, AVFoundation has the member alone.
@available(*, deprecated, renamed: "AVMediaCharacteristic.frameBased")
public let AVMediaCharacteristicFrameBased = AVMediaCharacteristic.frameBased
