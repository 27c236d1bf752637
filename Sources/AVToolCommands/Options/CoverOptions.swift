internal import ArgumentParser

/// Whether embedded pictures are wanted instead of frames.
package struct CoverOptions: ParsableArguments {
    @Flag(
        help: "The embedded pictures, such as cover art, instead of frames; --track chooses one. Works on sound files.")
    package var cover = false

    package init() {}
}
