internal import ArgumentParser
internal import Foundation
internal import MediaConcurrency
internal import MediaPreviews
internal import OpenAVFoundation

/// `avtool sheet`: contact sheets.
struct SheetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet",
        abstract: "Make a contact sheet: stills of a film side by side, with their times and what the file contains.",
        discussion: """
            The time at each still is that of the frame itself, rounded up to the millisecond: a player that goes there \
            shows that frame. No frame is shown twice: a film of few frames has fewer stills. A picture that cannot be decoded \
            undamaged is an error, and there is no sheet, unless --allow-damaged is given.

            Names land in the working directory: movie-sheet.png. The file appears when it is complete, or not at all, \
            and an existing file is never replaced without --force or, where it is a sheet of another version of the film \
            or made with other options, --if-newer.

            Examples: avtool sheet movie.mp4
                      avtool sheet --columns 5 --rows 6 --width 1920 -o movie.jpg movie.mp4
                      avtool sheet --chapters --if-newer -o 'sheets/{name}.webp' *.mkv
            """)

    @OptionGroup var source: SourceOptions
    @OptionGroup var tracks: TrackOptions
    @OptionGroup(title: "Times") var times: SheetTimes
    @OptionGroup(title: "Looks") var looks: SheetLooks
    @OptionGroup(title: "Files") var files: SheetFiles

    @Flag(help: "Print JSON Lines, one object for each sheet.")
    var json = false

    @Flag(help: "Show damaged pictures too, marked as damaged, and placeholders where there is no picture.")
    var allowDamaged = false

    func validate() throws {
        if let output = files.output, OutputPlace.isStandardOutput(output) {
            guard source.files.count == 1 else { throw ValidationError("-o - takes a single file.") }
            guard !json else { throw ValidationError("-o - and --json both need standard output.") }
        }
    }

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.makeAll() }
    }

    private func makeAll() async throws {
        let target = try SheetTarget(files, fileCount: source.files.count)
        var failures = FailureLog()
        let run = RunFiles(of: source.files)
        var made = 0
        for file in source.files where !Interruption.isRequested {
            do {
                try await makeSheet(of: file, target, in: run)
                made += 1
            } catch {
                let failure = try failures.report(error, file: file)
                if json { try JSONLine.print(JSONFailedSource(source: file, error: JSONError(failure))) }
            }
        }
        // An interruption that comes when all is done has nothing to interrupt.
        if made < source.files.count { try failures.exitIfNeeded() }
    }

    private func makeSheet(of file: String, _ target: SheetTarget, in run: RunFiles) async throws {
        let name = OutputName(path: target.path(for: file), source: file)
        let place = try run.output(
            name.path, replaces: files.force || files.ifNewer, makesFolder: target.makesFolder)
        let asset = source.asset(file, track: tracks.track)
        var settings = looks.settings
        settings.format = target.format
        settings.allowsDamagedPictures = allowDamaged
        try times.apply(to: &settings)
        let options = times.texts + ["\(files.quality)", tracks.track.map { "track \($0)" } ?? ""]
        let mark = SheetMark(of: asset, settings: settings, options: options)
        if files.ifNewer, try isCurrent(name, mark) {
            return try json
                ? JSONLine.print(JSONKeptSheet(source: file, file: name.path))
                : Console.print("\(name.path.oneLine): up to date")
        }
        settings.part = try await times.part.range(of: asset)
        let sheet = try await ContactSheet.make(
            of: asset, name: SourceFile.displayName(file), moments: try await times.moments(of: asset),
            settings: settings
        ) { Console.progress(file, $0) }
        let data = try await BlockingWork.run { [quality = files.quality] in
            try target.format.data(of: sheet.image, quality: quality, mark: mark)
        }
        try AtomicFile.write(data, to: place)
        guard !target.isStandardOutput else { return warn(of: sheet, file) }
        try json
            ? JSONLine.print(JSONSheet(source: file, file: name.path, sheet, times: settings.timeline))
            : Console.print("\(name.path.oneLine): \(sheet.summary)")
        warn(of: sheet, file)
    }

    /// Whether the sheet that is there is the one that would be made.
    ///
    /// - Throws: A failure if what is there is no sheet.
    private func isCurrent(_ name: OutputName, _ mark: SheetMark?) throws -> Bool {
        switch SheetMark.found(at: name.path, making: mark) {
        case .same: return name.isUpToDate
        case .nothing, .other: return false
        case .foreign:
            throw FileWriteError(
                kind: .exists, path: name.path, reason: "the file exists already and is no sheet made by avtool")
        }
    }

    /// Says what is not as it should be on a sheet that was made all the same.
    private func warn(of sheet: ContactSheet, _ file: String) {
        var warnings = sheet.problems
        if sheet.missingCharacterCount > 0 {
            warnings.append(
                "no installed font has \(sheet.missingCharacterCount) of the text's characters;"
                    + " install more, such as fonts-noto")
        }
        for tile in sheet.tiles {
            let time = tile.requestedTime.secondsText()
            if let damage = tile.damage { warnings.append("the picture at \(time) s is damaged: \(damage)") }
            if let gap = tile.gap { warnings.append("no picture at \(time) s: \(gap)") }
        }
        for warning in warnings { Console.error("avtool: \(file.oneLine): \(warning.oneLine)") }
    }
}

extension ContactSheet {
    /// The sheet in a few words.
    fileprivate var summary: String {
        let stills = tiles.count == 1 ? "1 still" : "\(tiles.count) stills"
        let omitted = omittedCount > 0 ? ", \(omittedCount) left out that would repeat a frame" : ""
        return "\(image.width)x\(image.height), \(stills)\(omitted)"
    }
}
