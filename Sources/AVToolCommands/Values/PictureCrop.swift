internal import ArgumentParser

/// A part of pictures as people write it.
package struct PictureCrop: ExpressibleByArgument, Codable, Sendable {
    /// Pixels from the left, and from the top.
    package let x, y: Int
    package let width: Int
    package let height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    package init?(argument: String) {
        let parts = argument.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 3, let box = PictureBox(argument: String(parts[0])), let x = Int(parts[1]),
            let y = Int(parts[2])
        else { return nil }
        self.init(x: x, y: y, width: box.width, height: box.height)
    }
}
