internal import Foundation
internal import OpenAVFoundation

extension RunFiles {
    /// The files of a command's run.
    ///
    /// - Parameters:
    ///   - inputs: The files that the command works on.
    ///   - others: Whatever else it reads; `-` is standard input.
    convenience init(of inputs: [String], _ others: [String?] = []) {
        self.init(reading: (inputs + others.compactMap { $0 }).map { $0 == "-" ? "/dev/stdin" : $0 })
        Console.expect(inputs)
    }
}

/// A name that a result is to get.
struct OutputName {
    let path: String
    let source: String

    /// Whether there is a file of the name that is not older than its source.
    var isUpToDate: Bool {
        func date(_ path: String) -> Date? {
            let path = (path as NSString).resolvingSymlinksInPath
            return (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
        }
        guard let own = date(path), let other = date(source) else { return false }
        return own >= other
    }
}
