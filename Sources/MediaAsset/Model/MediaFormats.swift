/// Formats besides those that are allowed by default.
///
/// Beyond AVFoundation.
public enum MediaFormats {}
