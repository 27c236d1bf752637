package import ArgumentParser
package import MediaCore
package import MediaIO

/// Which files a command works on, and what they may make it do.
package struct SourceOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The media files; - is standard input.", valueName: "files"), completion: .file())
    package var named: [String] = []

    @OptionGroup package var several: SeveralFilesOptions

    @Flag(help: "Refuse a file whose end is torn off, rather than leave out the last packets that are not whole.")
    var strict = false

    @Option(
        help:
            "Allow a format or a decoder that is off by default, by FFmpeg's name, such as hls or vp6f; may be given several times."
    )
    package var allowFormat: [String] = []

    @Flag(help: "Allow addresses of http and https as well as files.")
    var allowNetwork = false

    @Flag(help: "Measure durations by reading whole files where the header is not exact.")
    var precise = false

    @OptionGroup package var bounds: LimitOptions

    /// Those of the named files that are to be worked on.
    package var files: [String] { several.selected(named) }

    package func validate() throws {
        if let objection = several.objection(to: named) { throw ValidationError(objection) }
        if let objection = SourceFile.objection(to: named) { throw ValidationError(objection) }
    }

    /// Whether nothing is allowed beyond what always is.
    var isUsual: Bool { allowFormat.isEmpty && !allowNetwork && !precise && !strict }

    /// One of the files.
    ///
    /// - Parameters:
    ///   - track: The number of the video track to take, the usual one if `nil`.
    ///   - readsPipesWhole: Whether a pipe is read to its end before anything else.
    ///   - indexes: How it is found out where its frames lie.
    ///   - open: Opens the file by its path, to tell it from others.
    package func source(
        _ file: String, track: Int32? = nil, readsPipesWhole: Bool = true, indexes: IndexOptions? = nil,
        open: (String) -> RandomAccessFile? = { RandomAccessFile(path: $0) }
    ) -> MediaSource {
        var source = MediaSource(file: file, limits: bounds.limits)
        (source.allowedFormats, source.allowsNetwork, source.isPrecise) = (allowFormat, allowNetwork, precise)
        (source.track, source.readsPipesWhole, source.refusesTornEnds) = (track, readsPipesWhole, strict)
        (source.index, source.cachedIndex) = (indexes?.index(of: file), indexes?.cached(file, open: open))
        return source
    }

    package init() {}
}

/// Which video track pictures are made of.
package struct TrackOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Number of the video track, as info shows it; the first enabled one if not given.", valueName: "n"))
    package var track: Int32?

    package func validate() throws {
        if let track, track < 1 { throw ValidationError("--track takes 1 or more.") }
    }

    package init() {}
}

/// Which part of films a command works on.
package struct PartOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only the part from this time on: 90s, 00:01:02.5, 25%, #120, end-20s.", valueName: "time"))
    package var from: Written<TimeExpression>?

    @Option(
        help: ArgumentHelp("Only the part up to this time, which is not in it itself.", valueName: "time"))
    package var to: Written<TimeExpression>?

    /// Whether there is a part at all.
    var isGiven: Bool { from != nil || to != nil }

    package var part: FilmPart { FilmPart(from: from, to: to) }

    package func validate() throws {
        try from?.validate()
        try to?.validate()
        if case .seconds(let start)? = try from?.get(), case .seconds(let end)? = try to?.get(), start >= end {
            throw ValidationError("--from must lie before --to.")
        }
    }

    /// - Parameter times: A list of times that was asked for as well.
    func validate(withTimes times: Written<TimeList>?) throws {
        guard times == nil || !isGiven else {
            throw ValidationError("--at names its times itself; --from and --to go with the other ways to choose.")
        }
    }

    package init() {}
}

/// What the times of previews count from.
package struct TimelineOptions: ParsableArguments {
    @Option(
        name: .customLong("times"),
        help: ArgumentHelp(
            "Count times from the asset's zero, or from the container's, as browsers do.",
            valueName: "asset|container"))
    package var timeline: PreviewTimeline?

    package init() {}
}

/// A command that can make do with damage.
package protocol DamageTolerating {
    static var damageHelp: ArgumentHelp { get }
}

/// Whether a command makes do with damage.
package struct DamageOptions<Command: DamageTolerating>: ParsableArguments {
    @Flag(help: Command.damageHelp)
    package var allowDamaged = false

    package init() {}
}

/// A command whose files may ask for so much.
package protocol Bounded {
    var bounds: LimitOptions { get }
}

/// How much a file may ask for.
package struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Let a file ask for this much at most; may be given several times. docs/limits.md explains the names: \
            \(LimitName.allCases.map(\.rawValue).joined(separator: ", ")).
            """, valueName: "name=value"))
    var limit: [Written<LimitAssignment>] = []

    package func validate() throws {
        for limit in limit { try limit.validate() }
        var seen: Set<LimitName> = []
        for assignment in assignments where !seen.insert(assignment.name).inserted {
            throw ValidationError("--limit \(assignment.name.rawValue) was given twice.")
        }
    }

    private var assignments: [LimitAssignment] { limit.compactMap { try? $0.get() } }

    /// The defaults, with what was given.
    package var limits: MediaLimits {
        assignments.reduce(into: MediaLimits()) { limits, assignment in
            if case .media(let name) = assignment.name { limits[name] = assignment.value }
        }
    }

    /// The limit on the process, in its unit; `nil` if neither was one given nor is there a default.
    subscript(limit: WorkLimit) -> Int64? {
        assignments.first { $0.name == .work(limit) }?.value ?? limit.defaultValue
    }

    package init() {}
}
