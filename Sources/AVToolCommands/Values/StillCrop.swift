internal import ArgumentParser

/// The part of pictures that is shown.
package enum StillCrop: ExpressibleByArgument, Codable {
    /// What is inside of black bars.
    case auto
    case part(PictureCrop)

    package init?(argument: String) {
        if argument == "auto" {
            self = .auto
            return
        }
        let numbers = argument.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "+" }
        let signs = argument.filter { !("0"..."9").contains($0) }
        let values = numbers.compactMap { Int($0) }
        guard signs == "x++", values.count == 4, values.allSatisfy({ $0 <= 1_000_000 }), values[0] > 0, values[1] > 0
        else { return nil }
        self = .part(PictureCrop(x: values[2], y: values[3], width: values[0], height: values[1]))
    }
}
