internal import ArgumentParser

/// The box that stills fit into.
package struct StillSize: ExpressibleByArgument, Codable, CustomStringConvertible {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    package var description: String { "\(width)x\(height)" }

    package init?(argument: String) {
        let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            (0...65535).contains(width), (0...65535).contains(height), width + height > 0
        else { return nil }
        (self.width, self.height) = (width, height)
    }
}
