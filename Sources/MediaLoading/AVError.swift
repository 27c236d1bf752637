public import Foundation

/// The domain of the errors that media files and media operations cause.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"
/// The key of the time, a `CMTime`, in an error's information; no error here has one.
public let AVErrorTimeKey = "AVErrorTimeKey"

/// What went wrong with a media file or an operation on it.
///
/// Codes are those of AVFoundation that a library for files has use for. `localizedDescription` is one line of
/// printable text that names the cause.
///
/// - Note: AVFoundation's is a view of an `NSError`; this is a structure of its own, caught as `AVError`.
public struct AVError: Error, CustomNSError, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: Int, Sendable {
        /// Not known further.
        case unknown = -11800
        /// Memory ran out.
        case outOfMemory = -11801
        /// The disk is full.
        case diskFull = -11807
        /// A limit on the duration was reached.
        case maximumDurationReached = -11810
        /// The file would become larger than it may.
        case maximumFileSizeReached = -11811
        /// The export failed.
        case exportFailed = -11820
        /// A picture or sound could not be decoded.
        case decodeFailed = -11821
        /// The source cannot be used.
        case invalidSourceMedia = -11822
        /// The output exists already.
        case fileAlreadyExists = -11823
        /// The file is of no known format.
        case fileFormatNotRecognized = -11828
        /// The file is damaged.
        case fileFailedToParse = -11829
        /// The content is protected.
        case contentIsProtected = -11831
        /// There is no picture at that time.
        case noImageAtTime = -11832
        /// There is no decoder for this codec.
        case decoderNotFound = -11833
        /// There is no encoder for this codec.
        case encoderNotFound = -11834
        /// The asset does not support the operation.
        case operationNotSupportedForAsset = -11838
        /// A reference to another file is forbidden.
        case referenceForbiddenByReferencePolicy = -11842
        /// The name's extension is not one of the file type.
        case invalidOutputURLPathExtension = -11843
        /// The operation was interrupted.
        case operationInterrupted = -11847
        /// The media data could not be loaded.
        case failedToLoadMediaData = -11849
        /// The bytes could not be understood.
        case failedToParse = -11853
        /// The media data cannot be decoded.
        case undecodableMediaData = -11855
        /// The operation is not allowed.
        case operationNotAllowed = -11862
        /// The format is not supported.
        case formatUnsupported = -11864
        /// There is no track of the kind that is needed.
        case noSourceTrack = -11869
        /// The preset cannot do what is asked for.
        case operationNotSupportedForPreset = -11871
        /// Something that is needed was not set.
        case incorrectlyConfigured = -11875
        /// The operation was cancelled.
        case operationCancelled = -11878
        /// The samples could not be loaded.
        case failedToLoadSampleData = -11881
        /// A picture or sound could not be encoded.
        case encodeFailed = -11883
    }

    /// The kind of failure.
    public let code: Code
    /// The cause, in one line.
    ///
    /// Beyond AVFoundation.
    public let reason: String

    /// Makes an error; without a reason, the code's name stands for it.
    ///
    /// Beyond AVFoundation.
    public init(_ code: Code, reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// `AVFoundationErrorDomain`.
    public static var errorDomain: String { AVFoundationErrorDomain }
    /// The code's number.
    public var errorCode: Int { code.rawValue }
    /// The cause under `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: reason.isEmpty ? String(describing: code) : reason]
    }
}

extension AVError: LocalizedError {
    /// The cause.
    ///
    /// Beyond AVFoundation, whose error is no `LocalizedError`.
    public var errorDescription: String? { reason.isEmpty ? String(describing: code) : reason }
}
