internal import ArgumentParser

/// Whether embedded pictures are wanted instead of frames.
struct CoverOptions: ParsableArguments {
    @Flag(
        help: "The embedded pictures, such as cover art, instead of frames; --track chooses one. Works on sound files.")
    var cover = false
}
