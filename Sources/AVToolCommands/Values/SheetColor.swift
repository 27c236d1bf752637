internal import ArgumentParser
package import MediaCore

/// The colour behind everything.
package struct SheetColor: ExpressibleByArgument, Codable {
    package let color: RGBColor

    package init?(argument: String) {
        guard let color = RGBColor(argument) else { return nil }
        self.color = color
    }
}
