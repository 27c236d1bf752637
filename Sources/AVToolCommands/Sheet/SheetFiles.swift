package import ArgumentParser

/// Where sheets go, and what kind of files they are.
package struct SheetFiles: ParsableArguments, Writing, PictureMaking {
    @OptionGroup package var pictures: PictureOptions<Self>
    @OptionGroup package var destination: OutputOptions<Self>

    @Flag(help: "Leave films alone whose sheet is there, made in the same way of the film as it is; replace others.")
    package var ifNewer = false

    package static let formatHelp: ArgumentHelp =
        "png, jpeg, webp or avif; if not given, by the filename extension given with -o, else png."
    package static let usualQuality = 90
    package static let outputHelp = ArgumentHelp(
        "Name of the sheet, with {name} and {ext} for several; a folder; or - for standard output.", valueName: "file")
    package func validate() throws {
        guard !ifNewer || !destination.isStandardOutput else {
            throw ValidationError("--if-newer needs a file, not -o -.")
        }
        guard !ifNewer || !destination.force else { throw ValidationError("Give one of --if-newer and --force.") }
    }

    package init() {}
}
