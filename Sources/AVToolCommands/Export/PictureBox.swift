internal import ArgumentParser

/// A box for pictures as people write it.
package struct PictureBox: ExpressibleByArgument, Sendable {
    package let width: Int
    package let height: Int

    package init?(argument: String) {
        let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
        (self.width, self.height) = (width, height)
    }
}
