/// The log of the libraries underneath.
///
/// Beyond AVFoundation.
public enum MediaLibraryLog {}
