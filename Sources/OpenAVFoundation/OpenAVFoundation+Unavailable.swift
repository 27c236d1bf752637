// What of Apple's frameworks is not offered, by name, so that code which uses it is told what to use instead. A type of
// the same name that a client declares, or that a module which it imports does, is taken rather than these.
public import MediaAsset
public import MediaCore

// MARK: Playback

/// Not offered.
@available(
    *, unavailable,
    message:
        "Nothing is played on a server. `AVAssetImageGenerator` gives the pictures at any time, `AVAssetExportSession` new files."
)
public enum AVPlayer {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Nothing is played on a server. `AVAssetImageGenerator` gives the pictures at any time, `AVAssetExportSession` new files."
)
public enum AVPlayerItem {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Nothing is played on a server. `AVAssetImageGenerator` gives the pictures at any time, `AVAssetExportSession` new files."
)
public enum AVPlayerLayer {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Nothing is played on a server. `AVAssetImageGenerator` gives the pictures at any time, `AVAssetExportSession` new files."
)
public enum AVQueuePlayer {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Nothing is played on a server. `AVAssetImageGenerator` gives the pictures at any time, `AVAssetExportSession` new files."
)
public enum AVPlayerLooper {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Nothing is played on a server. `AVAssetImageGenerator` gives the pictures at any time, `AVAssetExportSession` new files."
)
public enum AVPlayerItemVideoOutput {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Nothing is played on a server. `AVAssetImageGenerator` gives the pictures at any time, `AVAssetExportSession` new files."
)
public enum AVPlayerMediaSelectionCriteria {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Nothing is played on a server. `AVAssetImageGenerator` gives the pictures at any time, `AVAssetExportSession` new files."
)
public enum AVAssetPlaybackAssistant {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Nothing is played on a server. `AVAssetImageGenerator` gives the pictures at any time, `AVAssetExportSession` new files."
)
public enum AVPictureInPictureController {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Nothing is played on a server. `AVAssetImageGenerator` gives the pictures at any time, `AVAssetExportSession` new files."
)
public enum AVPlayerViewController {}

// MARK: Capture

/// Not offered.
@available(
    *, unavailable,
    message:
        "There are no cameras or microphones to open: record with another program, and open its file as an `AVURLAsset`."
)
public enum AVCaptureSession {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "There are no cameras or microphones to open: record with another program, and open its file as an `AVURLAsset`."
)
public enum AVCaptureDevice {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "There are no cameras or microphones to open: record with another program, and open its file as an `AVURLAsset`."
)
public enum AVCaptureDeviceInput {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "There are no cameras or microphones to open: record with another program, and open its file as an `AVURLAsset`."
)
public enum AVCaptureMovieFileOutput {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "There are no cameras or microphones to open: record with another program, and open its file as an `AVURLAsset`."
)
public enum AVCaptureVideoDataOutput {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "There are no cameras or microphones to open: record with another program, and open its file as an `AVURLAsset`."
)
public enum AVCaptureAudioDataOutput {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "There are no cameras or microphones to open: record with another program, and open its file as an `AVURLAsset`."
)
public enum AVCapturePhotoOutput {}

// MARK: Core Image

/// Not offered.
@available(
    *, unavailable,
    message:
        "There is no Core Image on Linux. `CGImage` has its pixels, and encodes itself as PNG, JPEG, WebP and AVIF; crops, turns and sizes are settings of exports."
)
public enum CIImage {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "There is no Core Image on Linux. `CGImage` has its pixels, and encodes itself as PNG, JPEG, WebP and AVIF; crops, turns and sizes are settings of exports."
)
public enum CIContext {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "There is no Core Image on Linux. `CGImage` has its pixels, and encodes itself as PNG, JPEG, WebP and AVIF; crops, turns and sizes are settings of exports."
)
public enum CIFilter {}

// MARK: AVFAudio

/// Not offered.
@available(
    *, unavailable,
    message: "There is no AVFAudio on Linux. `AVURLAsset` opens files of sound, `AVAssetExportSession` converts them."
)
public enum AVAudioEngine {}

/// Not offered.
@available(
    *, unavailable,
    message: "There is no AVFAudio on Linux. `AVURLAsset` opens files of sound, `AVAssetExportSession` converts them."
)
public enum AVAudioPlayer {}

/// Not offered.
@available(
    *, unavailable,
    message: "There is no AVFAudio on Linux. `AVURLAsset` opens files of sound, `AVAssetExportSession` converts them."
)
public enum AVAudioSession {}

/// Not offered.
@available(
    *, unavailable,
    message: "There is no AVFAudio on Linux. `AVURLAsset` opens files of sound, `AVAssetExportSession` converts them."
)
public enum AVAudioRecorder {}

// MARK: Network streams and keys

/// Not offered.
@available(
    *, unavailable,
    message: "Streams are not downloaded: fetch the file with `URLSession`, and open it as an `AVURLAsset`."
)
public enum AVAssetDownloadURLSession {}

/// Not offered.
@available(
    *, unavailable,
    message: "Streams are not downloaded: fetch the file with `URLSession`, and open it as an `AVURLAsset`."
)
public enum AVAssetDownloadTask {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Files and pipes are opened, and addresses by `AVURLAssetAllowsNetworkAccessKey`: bytes from elsewhere go through a pipe or a file."
)
public enum AVAssetResourceLoader {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Files and pipes are opened, and addresses by `AVURLAssetAllowsNetworkAccessKey`: bytes from elsewhere go through a pipe or a file."
)
public protocol AVAssetResourceLoaderDelegate {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Files and pipes are opened, and addresses by `AVURLAssetAllowsNetworkAccessKey`: bytes from elsewhere go through a pipe or a file."
)
public enum AVAssetResourceLoadingRequest {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "There are no keys for protected content: `AVAsset.load(.hasProtectedContent)` tells which files need them."
)
public enum AVContentKeySession {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Nothing is cached for playing without a network: fetch the file with `URLSession`, and open it as an `AVURLAsset`."
)
public enum AVAssetCache {}

/// Not offered.
@available(
    *, unavailable,
    message: "Variants of streams are not listed: open the playlist of one variant, by `AVURLAssetAllowedFormatsKey`."
)
public enum AVAssetVariant {}

/// Not offered.
@available(
    *, unavailable,
    message: "Metrics are of playback, which there is none of; `AVAsset.load(_:)` throws what goes wrong."
)
public enum AVMetricEvent {}

// MARK: Movies and samples

/// Not offered.
@available(
    *, unavailable,
    message: "An asset is of one file as it was when it was opened: make a new `AVURLAsset` to see what was added."
)
public enum AVFragmentedAsset {}

/// Not offered.
@available(
    *, unavailable,
    message: "An asset is of one file as it was when it was opened: make a new `AVURLAsset` to see what was added."
)
public enum AVFragmentedAssetTrack {}

/// Not offered.
@available(
    *, unavailable,
    message: "An asset is of one file as it was when it was opened: make a new `AVURLAsset` to see what was added."
)
public enum AVFragmentedAssetMinder {}

/// Not offered.
@available(
    *, unavailable,
    message: "An asset is of one file as it was when it was opened: make a new `AVURLAsset` to see what was added."
)
public enum AVFragmentedMovie {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "`AVAssetTrack.makeSampleCursor(presentationTimeStamp:)` finds samples; `AVAssetImageGenerator` gives their pictures."
)
public enum AVSampleBufferGenerator {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "`AVAssetTrack.makeSampleCursor(presentationTimeStamp:)` finds samples; `AVAssetImageGenerator` gives their pictures."
)
public enum AVSampleBufferRequest {}

/// Not offered.
@available(
    *, unavailable,
    message:
        "Captions are not written one by one: `AVMediaSelectionGroup` lists the tracks, exports keep them or convert them."
)
public enum AVCaption {}

extension AVURLAsset {
    /// Not offered.
    @available(
        *, unavailable,
        message: "Bytes from elsewhere than a file go through a pipe, whose path is the asset's URL."
    )
    public var resourceLoader: AVAssetResourceLoader { fatalError("unavailable") }
}

extension AVPartialAsyncProperty where Root: AVURLAsset {
    /// Not offered.
    @available(*, unavailable, message: "Variants of streams are not listed: open the playlist of one variant.")
    public static var variants: AVAsyncProperty<Root, [AVAssetVariant]> { fatalError("unavailable") }
}
