package import ArgumentParser

/// The command-line tool.
package struct AVTool: AsyncParsableCommand {
    /// What decides results, together with the media libraries.
    package static let version = "0.1.0"

    package static let configuration = CommandConfiguration(
        commandName: "avtool",
        abstract: "Exact stills, facts, exports and metadata of media files.",
        discussion: """
            Results go to standard output, progress and diagnostics to standard error. The name - is standard input, \
            and ./- a file of that name. A pipe is read only as far as needed by info and by stills of the first \
            minute, else to its end into an unnamed file in TMPDIR, of 8 GiB at most. Commands that change files take \
            - with -o.

            Exit codes: 0 all done; 1 'metadata get' found no such item, or 'diff' a difference; 64 usage; 65 the input is damaged or unsupported, or a still could not be had; \
            66 no such input; 70 internal error; 73 the output exists or cannot be made; 74 reading or writing failed; \
            75 a limit on time, memory or size was hit; 130 interrupted by SIGINT, SIGTERM or SIGHUP. Where several files \
            fail, the code is that of the first failure. To try again is of use after 74 and 130, and after 75 of a \
            deadline or of memory; 'retry' in --json tells. A reader that goes, as in '| head -1', ends the command by \
            SIGPIPE, which shells tell as 141.

            Files are read by a process of its own, avtool-worker, which opens none by itself, connects to nothing and \
            writes nothing but what it is handed, as far as the kernel can keep it from that. --sandbox require, which \
            any command takes, does nothing where the kernel cannot; --sandbox off does without; auto is the default.

            Results never take the place of a file that the same run reads, whatever name that has and even with \
            --force, nor of each other; what a playlist names is read with it. A symbolic link given with -o is followed: the file that it leads to is made, \
            or with --force replaced. A FIFO or device is written into, never replaced; /dev/stdout is the same as -.

            Of all commands, -q tells failures only besides results, and -v how the work is done as well. Options that are \
            always wanted stand in avtool/config in XDG_CONFIG_HOME or ~/.config, in sections such as [thumbs] and \
            [metadata show], a line NAME = VALUE each; what the command line says goes before them, and --no-config \
            leaves them out.

            'avtool help' followed by times, ranges, names, limits, environment or exit-codes explains what commands have \
            in common.

            Examples:
              avtool info movie.mp4
              avtool thumbs --at 0,1/2,end movie.mp4
              avtool export --preset high --range 1:00+30s movie.mkv
            """,
        version: version,
        subcommands: [
            InfoCommand.self, ThumbsCommand.self, SheetCommand.self, StoryboardCommand.self, ThumbnailCommand.self,
            FramesCommand.self, WaveformCommand.self, ExportCommand.self, JoinCommand.self, FilmCommand.self,
            PresetsCommand.self,
            MetadataCommand.self,
            ChaptersCommand.self, DiffCommand.self, ScenesCommand.self, IndexCommand.self,
            VerifyCommand.self,
            PlanCommand.self, UnitCommand.self, MergeCommand.self,
        ])

    package init() {}
}
