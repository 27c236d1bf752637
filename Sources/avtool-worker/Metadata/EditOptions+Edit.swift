internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension EditOptions {
    /// Changes a file, or makes a changed copy of it.
    ///
    /// - Parameters:
    ///   - limits: How much the file may ask for.
    ///   - refusesLosses: Whether what a format cannot hold is a failure: for what was asked for by name.
    ///   - change: Gets what is changed, and the film as it is; gives what goes of private details, `nil` if that was
    ///     not asked for.
    func edit<Document: EditDocument>(
        _ file: String, in work: Work<Document>, limits: MediaLimits, refusesLosses: Bool = false,
        _ change: (inout MetadataFile, AVURLAsset) async throws -> [PrivateDetail]?
    ) async throws -> FileReport<Document> {
        let place = try place(for: file, in: work.files)
        // What is read is what is changed: nobody else of this package changes it between the two.
        let lock = place == nil && !dryRun ? try EditLock(changing: SourceFile.url(file).path) : nil
        defer { withExtendedLifetime(lock) {} }
        let nameCount = linkCount(SourceFile.url(file).path)
        let film = try MediaSource(file: file, limits: limits).asset()
        var tagged = try await film.loadMetadataFile()
        let removed = try await change(&tagged, film)
        for problem in problemLines(tagged.problems) { work.warn(problem) }
        let outcome = try dryRun ? tagged.plan() : tagged.save(to: place, refusesLosses: refusesLosses)
        work.warn(of: outcome.losses)
        if place == nil, outcome.method == .copy, nameCount > 1 {
            let links =
                nameCount == 2
                ? "another name of the file, a hard link, leads"
                : "\(nameCount - 1) other names of the file, hard links, lead"
            work.warn("\(links) to the old version still")
        }
        let document = JSONEdit(
            source: file, file: place?.path ?? file, method: outcome.method.rawValue, size: outcome.byteCount,
            dryRun: dryRun, losses: outcome.losses.map { JSONEdit.Loss($0) },
            removed: removed?.map(JSONPrivateDetail.init))
        let isSilent = place?.isStandardOutput == true && !dryRun
        return FileReport(
            document: Document(document), lines: isSilent ? [] : lines(outcome, document.file, removed ?? []))
    }

    /// Where a changed copy goes; `nil` if the file itself is changed.
    private func place(for file: String, in run: RunFiles) throws -> OutputPlace? {
        guard let output else { return nil }
        let pathExtension = (file as NSString).pathExtension
        let naming = try ResultNaming(output, default: pathExtension.isEmpty ? "{name}" : "{name}.{ext}", count: 1)
        var place = naming.place(source: file, filenameExtension: pathExtension, replaces: destination.force)
        place.makesFolder = place.makesFolder && !dryRun
        return try run.output(place)
    }

    private func lines(_ outcome: MetadataFile.Outcome, _ target: String, _ removed: [PrivateDetail]) -> [String] {
        let would = dryRun ? "would be " : ""
        let line =
            switch outcome.method {
            case _ where output != nil: "\(would)written, \(outcome.byteCount) bytes"
            case .unchanged: "nothing to change"
            case .inPlace: "\(would)changed in place"
            case .copy: "\(would)replaced by a changed copy, \(outcome.byteCount) bytes"
            }
        return ["\(target.oneLine): \(line)"]
            + removed.map { "  \(dryRun ? "would be removed" : "removed"): \($0.line)" }
    }
}
