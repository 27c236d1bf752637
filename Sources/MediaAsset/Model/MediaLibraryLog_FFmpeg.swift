internal import FFmpegKit

extension MediaLibraryLog {
    /// Stops FFmpeg's own messages from reaching standard error, for the whole process.
    ///
    /// What matters of them is in the errors that are thrown.
    public static func silence() { FFmpegLog.silence() }
}
