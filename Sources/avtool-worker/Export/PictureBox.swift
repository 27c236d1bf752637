internal import ArgumentParser
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A box for pictures as people write it.
struct PictureBox: ExpressibleByArgument {
    let size: ExportPreset.MaximumSize

    init?(argument: String) {
        let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
        size = .init(width: width, height: height)
    }
}

/// A part of pictures as people write it.
struct PictureCrop: ExpressibleByArgument {
    let crop: ExportPreset.Crop

    init?(argument: String) {
        let parts = argument.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 3, let box = PictureBox(argument: String(parts[0])), let x = Int(parts[1]),
            let y = Int(parts[2])
        else { return nil }
        crop = .init(x: x, y: y, width: box.size.width, height: box.size.height)
    }
}
