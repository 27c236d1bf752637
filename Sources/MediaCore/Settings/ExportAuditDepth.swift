/// How much of a finished file is read to compare it with its source.
///
/// Beyond AVFoundation.
public enum ExportAuditDepth: String, CaseIterable, Codable, Hashable, Sendable {
    /// Nothing is compared.
    case none
    /// Headers, and a movie's sample tables; costs about as much as opening the file.
    case index
    /// Every sample of source and output, undecoded; costs a pass over both files.
    case full
}
