internal import ArgumentParser

/// Where sheets go, and what kind of files they are.
struct SheetFiles: ParsableArguments, Writing, PictureMaking {
    @OptionGroup var pictures: PictureOptions<Self>
    @OptionGroup var destination: OutputOptions<Self>

    @Flag(help: "Leave films alone whose sheet is there, made in the same way of the film as it is; replace others.")
    var ifNewer = false

    static let formatHelp: ArgumentHelp =
        "png, jpeg, webp or avif; if not given, by the filename extension given with -o, else png."
    static let usualQuality = 90
    static let outputHelp = ArgumentHelp(
        "Name of the sheet, with {name} and {ext} for several; a folder; or - for standard output.", valueName: "file")
    func validate() throws {
        guard !ifNewer || !destination.isStandardOutput else {
            throw ValidationError("--if-newer needs a file, not -o -.")
        }
        guard !ifNewer || !destination.force else { throw ValidationError("Give one of --if-newer and --force.") }
    }
}
