/// What `avtool help TOPIC` explains beside the commands.
enum HelpTopic: String, CaseIterable {
    case times, ranges, names, limits, environment
    case exitCodes = "exit-codes"

    /// The text, in lines of at most 80 columns.
    var text: String {
        switch self {
        case .times: Self.timesText
        case .ranges: Self.rangesText
        case .names: Self.namesText
        case .limits: Self.limitsText
        case .environment: Self.environmentText
        case .exitCodes: Self.exitCodesText
        }
    }

    private static let timesText = """
        TIMES

        Times are read exactly, with any number of digits, and never rounded.

          90s, 1.5, .5          seconds
          250ms, 2m, 1h30m      with units
          00:01:02.5            hours, minutes, seconds
          1001/30000s           a fraction of a second
          1/3, 25%              a share of the duration
          #0, #120, #-1         frames as they are shown: the first, the 121st, the last
          end, end-2s           the end, and before it
          01:00:10:00           a timecode: of the film's timecode track, or else
                                counted by its frame rate
          '01:00:10;02'         the same with drop frame

        A frame is on screen from its own time until the next one's: a still at a time
        shows that frame, and says when it began. What is printed of a frame's time
        names the same frame when it is asked for again.

        MP4 and MOV keep the movie's own timeline, with its edit lists. Other containers
        begin at zero; 'avtool info' tells their first timestamp.

        Example:
          avtool thumbs --at '0,1/3,#120,end-2s' movie.mp4
        """

    private static let rangesText = """
        RANGES

        A range is a start and a length, or a start and an end that is not in it:

          1s+3s                 three seconds from 1 s on
          1s..4s                the same
          1s..                  from 1 s to the end
          ..4s                  the first four seconds
          #30..#100             70 frames

        Starts, lengths and ends are times: see 'avtool help times'. Several ranges, by
        --range again or from a cut list by --segments, become one film; --invert keeps
        what is between them, --split makes a file of each.

        Example:
          avtool export --preset passthrough --range 1:00+30s movie.mp4
        """

    private static let namesText = """
        NAMES OF RESULTS

        Without -o, results land in the working directory, under the film's name. -o
        takes a file, a folder (folder/ makes it where there is none), - for standard
        output, or a pattern:

          {name}                the film's name without its extension
          {index}               the number of the result, from 1
          {requested} {actual}  the time asked for, and the frame's own
          {width} {height}      pixels of a still
          {size}                both, as 320x180
          {ext}                 the extension of the format

        The extension decides the format. Files that are there are never replaced
        without --force, and those that the same run reads not even with it. A file
        appears when it is whole, or not at all.

        Example:
          avtool thumbs --count 20 -o 'stills/{name}-{index}.jpg' movie.mp4
        """

    private static let limitsText = """
        LIMITS

        Each file may ask for so much of the machine and no more: pixels, streams,
        packets, metadata, chapters, bytes, memory, time. Where a limit is hit, the
        command says which it was, and exits with 75. --limit NAME=VALUE, which all
        commands that read media take, sets one; 'avtool info --help' lists the names.

        Example:
          avtool info --limit pixels=200M --limit time=30s movie.mp4
        """

    private static let environmentText = """
        ENVIRONMENT

          XDG_CONFIG_HOME       avtool/config below it, else below ~/.config, has
                                options that are always wanted; avtool/presets/NAME.json
                                is the preset NAME
          AVTOOL_CONFIG         another file of options; nothing for none
          XDG_CACHE_HOME        avtool/index below it, else below ~/.cache, has what
                                --cache auto keeps, and thumbnails what 'avtool
                                thumbnail --desktop-cache' makes
          TMPDIR                where pipes are read into, and exports of two passes
                                take their notes
          SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX
                                the number of --shard auto/N and of 'avtool unit
                                PLAN auto'

        The file of options has sections for commands, and [all] for what all take:

          [all]
          sandbox = require
          [thumbs]
          format = webp
          size = 640x0
          [metadata show]
          identifiers = yes

        An option of the command line goes before the same one of the file; --no-config
        leaves the file out.

        What is printed has no colours, so that NO_COLOR has nothing to change.

        Example:
          avtool thumbs --cache auto --at 1h movie.mpg
        """

    private static let exitCodesText = """
        EXIT CODES

            0   all done
            1   'metadata get' found no such item, or 'diff' a difference
           64   the command line makes no sense
           65   the input is damaged or not supported, or a still could not be had
           66   there is no such input
           70   an internal error, or a library that cannot be loaded
           73   the output exists or cannot be made
           74   reading or writing failed
           75   a limit on time, memory or size was hit
          130   interrupted by SIGINT, SIGTERM or SIGHUP

        Where several files fail, the code is that of the first failure. With --json,
        each failure has a name, and 'retry' says whether it is of use to try again.

        Example:
          avtool info --json movie.mp4
        """
}

extension HelpTopic {
    /// What `help` and the words after it ask for, if it is no command: a topic's text, or what is wrong.
    ///
    /// - Parameter words: The words after `help`.
    static func answer(to words: [String]) -> (text: String, isKnown: Bool)? {
        guard words.count == 1, let word = words.first, !word.hasPrefix("-") else { return nil }
        let commands = Suggestion.names(below: AVTool.self)
        guard !commands.contains(word), word != "help" else { return nil }
        if let topic = HelpTopic(rawValue: word) { return (topic.text + "\n", true) }
        return (Suggestion.objection(toTopic: word, among: commands + allCases.map(\.rawValue)), false)
    }
}
