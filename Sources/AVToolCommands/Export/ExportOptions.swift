package import ArgumentParser
internal import Foundation
package import MediaCore
package import MediaMetadata

/// What one export is to have in place of what its preset says.
package struct ExportChangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Quality on the encoder's scale: of the pictures, or of the sound where no pictures are encoded.",
            valueName: "n"))
    package var quality: Double?

    @Option(help: ArgumentHelp("Bits a second for the pictures, on average: 2M, 800k.", valueName: "rate"))
    package var bitrate: BitRate?

    @Option(
        help: ArgumentHelp("Fit pictures into this box, aspect kept, never enlarged.", valueName: "WxH"))
    package var size: PictureBox?

    @Option(help: ArgumentHelp("Pictures a second at most.", valueName: "n"))
    package var fps: Double?

    @Option(help: ArgumentHelp("Bits a second for each track with sound: 128k.", valueName: "rate"))
    package var audioBitrate: BitRate?

    @Option(
        help: ArgumentHelp(
            "Keep this part of the pictures as they are shown: width, height, and where its corner lies from the left and the top.",
            valueName: "WxH+X+Y"))
    package var crop: PictureCrop?

    @Option(
        help: ArgumentHelp(
            "Turn the pictures clockwise by 90, 180 or 270 degrees, after --crop.", valueName: "degrees"))
    package var rotate: Int?

    /// Whether anything is changed.
    package var isGiven: Bool {
        quality != nil || fps != nil || bitrate != nil || audioBitrate != nil || size != nil || crop != nil
            || rotate != nil
    }

    package func validate() throws {
        guard quality == nil || bitrate == nil else {
            throw ValidationError("Give one of --quality and --bitrate.")
        }
    }

    package init() {}
}

/// What an export makes, and of which part of its source.
package struct ExportChoiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A preset's name or the path of a preset's JSON document.", valueName: "name|file"),
        completion: .presets)
    package var preset: String

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "What to keep: 1s+3s (from, length), 1s..4s (from, up to), 1s.. or ..4s; ends may be 1:02, 1m30s, 1/3, 25%, #120, end-2s, 01:00:10:00. Several are joined in their order.",
            valueName: "range"))
    package var range: [Written<TimeRangeExpression>] = []

    @Option(
        help: ArgumentHelp(
            "Take the ranges from a cut list: LosslessCut's CSV, TSV or LLC, an EDL of CMX3600, MPlayer, Kodi or mpv, comskip's list, a CUE sheet.",
            valueName: "file"))
    package var segments: String?

    @Flag(help: "Leave out what the ranges name, and keep the rest.")
    package var invert = false

    @Flag(help: "Make a file of each range: movie-low-1.mp4, movie-low-2.mp4.")
    package var split = false

    @Flag(
        help:
            "Fail where the range cannot be kept just so: beyond the end, or where pictures can begin with a keyframe only."
    )
    package var exact = false

    package func validate() throws {
        for range in range { try range.validate() }
        guard segments == nil || range.isEmpty else {
            throw ValidationError("--segments and --range say the same thing.")
        }
    }

    /// The pattern of results' names, a number being in each where every range becomes a file.
    func namesOfResults(_ output: String?) -> String? {
        guard split, let output, !output.hasSuffix("/") else { return output }
        let folderEnd = output.lastIndex(of: "/").map { output.index(after: $0) } ?? output.startIndex
        let name = output[folderEnd...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return output + "-{part}" }
        return output[..<dot] + "-{part}" + output[dot...]
    }

    package init() {}
}

/// What is done to pictures and sound of an export.
package struct ExportEffectOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Come up from black and silence for so long: 1s, 500ms.", valueName: "dur"))
    package var fadeIn: Written<Length>?

    @Option(help: ArgumentHelp("Go down to black and silence for so long, at the end.", valueName: "dur"))
    package var fadeOut: Written<Length>?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How loud sound is: -3dB or +6dB; normalize for EBU R 128 (-23 LUFS), or a loudness such as -16LUFS, for which sound is read twice and peaks are held below -1 dBTP.",
            valueName: "volume"))
    package var volume: VolumeChange?

    @Option(
        help: ArgumentHelp(
            "Faster above 1, slower below it: 2, 0.5, 24/25; sound keeps its pitch. Subtitles are not kept.",
            valueName: "factor"))
    package var speed: SpeedFactor?

    @Option(
        help: ArgumentHelp(
            "Lay this picture, such as a PNG with transparency, over all pictures, if they are not HDR.",
            valueName: "image"),
        completion: .file())
    package var overlay: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where --overlay lies: top-left, top, top-right, left, center, right, bottom-left, bottom, bottom-right (usual), or pixels from the left and the top; less than zero from the right and the bottom, -1 touching them.",
            valueName: "place|X,Y"))
    package var overlayAt: OverlayPlace?

    @Option(
        help: ArgumentHelp(
            "How wide --overlay is made, of the pictures' width: 20% or 0.2; its own pixels if not given.",
            valueName: "share"))
    package var overlayWidth: Percentage?

    @Option(help: ArgumentHelp("How much of --overlay is seen: 0 to 1, or 50%.", valueName: "share"))
    package var overlayOpacity: Percentage?

    package func validate() throws {
        try fadeIn?.validate(aboveZero: "--fade-in")
        try fadeOut?.validate(aboveZero: "--fade-out")
        guard overlay == nil else { return }
        for (option, isGiven) in [
            ("--overlay-at", overlayAt != nil), ("--overlay-width", overlayWidth != nil),
            ("--overlay-opacity", overlayOpacity != nil),
        ] where isGiven {
            throw ValidationError("\(option) goes with --overlay.")
        }
    }

    package init() {}
}

/// What becomes of metadata in an export.
package struct ExportMetadataOptions: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set an item of the new file, by the names that 'metadata set' takes; may be given several times.",
            valueName: "name=value"))
    package var assignments: [Written<MetadataAssignment>] = []

    @Option(
        help: ArgumentHelp(
            "Leave out an item, by the names that 'metadata remove' takes; may be given several times.",
            valueName: "name"))
    package var remove: [Written<MetadataName>] = []

    @Option(help: ArgumentHelp("Make this JPEG or PNG file the cover.", valueName: "image"))
    package var artwork: String?

    @Flag(help: "Leave out what tells about people, places, devices and moments, and say what that was.")
    package var shareSafe = false

    @Flag(help: "Leave out all of the source's metadata.")
    package var noMetadata = false

    package func validate() throws {
        for assignment in assignments { try assignment.validate() }
        for name in remove { try name.validate() }
    }

    package init() {}
}

/// How pictures are divided that are encoded apart.
package struct ExportSegmentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Encode the pictures in segments of at least this length, whole distances between keyframes, each apart from the others: 10s, 1m.",
            valueName: "dur"))
    package var segmentLength: Written<Length>?

    package func validate() throws { try segmentLength?.validate(aboveZero: "--segment-length") }

    package init() {}
}

/// Which of a file's tracks an export takes.
package struct ExportTrackOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take these tracks only, by the numbers that 'info' prints: 1,3.", valueName: "list"))
    package var tracks: TrackList?

    @Flag(help: "Leave out all sound.")
    package var noAudio = false

    @Flag(help: "Leave out all subtitles and captions that are tracks.")
    package var noSubtitles = false

    package init() {}
}
