internal import ArgumentParser
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The colour behind everything.
struct SheetColor: ExpressibleByArgument, Codable {
    let color: RGBColor

    init?(argument: String) {
        guard let color = RGBColor(argument) else { return nil }
        self.color = color
    }
}
