package import ArgumentParser
package import MediaIO

/// A command that does the same with each of several files.
package protocol FileCommand: AsyncParsableCommand, Sendable {
    var files: [String] { get }
    var json: Bool { get }
    /// What is read beside the files, for all of them.
    var otherInputs: [String?] { get }
    /// Whether each file's work stands for itself; else all is done in one go.
    static var isPerFile: Bool { get }
    /// Whether a file may name others, below its folder, that are read with it.
    var allowsNesting: Bool { get }

    /// Lets the work on a file do what the command line asks for, beyond reading it.
    func addGrants(to grants: inout FileGrants, for file: String)
}

/// A command that opens films as its options say.
package protocol SourceReading {
    var source: SourceOptions { get }
}

/// A command that reads media files and can say as JSON what it found or made.
package protocol MediaCommand: SeveralFilesCommand, SourceReading, Bounded, Reporting {
    var report: ReportOptions<Self> { get }
}

/// A command that reads files and is no ``FileCommand``.
package protocol ReadingCommand {
    var inputs: [String] { get }
}

/// A command that needs no file to answer.
protocol AnsweringCommand {
    /// What it prints.
    func answer() throws -> String
}

extension MediaCommand {
    package var files: [String] { source.files }
    package var several: SeveralFilesOptions { source.several }
    package var named: [String] { source.named }
    package var json: Bool { report.json }
    package var bounds: LimitOptions { source.bounds }
    package var allowsNesting: Bool { source.allowFormat.contains(PlaylistFiles.formatName) }
}

extension FileCommand {
    package var otherInputs: [String?] { [] }
    package static var isPerFile: Bool { true }
    package var allowsNesting: Bool { false }

    package func addGrants(to grants: inout FileGrants, for file: String) {}

    /// What the work on a file may do.
    package func grants(for file: String) -> FileGrants {
        var grants = FileGrants()
        for other in otherInputs { if let other { grants.add(input: other) } }
        grants.add(input: file, allowsNesting: allowsNesting)
        addGrants(to: &grants, for: file)
        return grants
    }
}

/// A command that reads boxes and tags, and needs media libraries at most for files that have neither.
///
/// To load them takes several times as long as the rest of it.
package protocol DecoderFreeCommand {}

extension MetadataShowCommand: DecoderFreeCommand {}
extension MetadataGetCommand: DecoderFreeCommand {}
extension MetadataSetCommand: DecoderFreeCommand {}
extension MetadataRemoveCommand: DecoderFreeCommand {}
extension MetadataArtworkCommand: DecoderFreeCommand {}
extension ChaptersRemoveCommand: DecoderFreeCommand {}
extension PresetsListCommand: DecoderFreeCommand {}
extension PresetsShowCommand: DecoderFreeCommand {}
extension PresetsCheckCommand: DecoderFreeCommand {}
