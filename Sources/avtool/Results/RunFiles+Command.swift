internal import Foundation
internal import OpenAVFoundation

extension RunFiles {
    /// The files of a command's run.
    ///
    /// - Parameters:
    ///   - inputs: The files that the command works on.
    ///   - others: Whatever else it reads; `-` is standard input.
    convenience init(of inputs: [String], _ others: [String?]) {
        self.init(reading: (inputs + others.compactMap { $0 }).map { $0 == "-" ? "/dev/stdin" : $0 })
        Console.expect(inputs)
    }

    /// Gives a result its name, if nothing speaks against that.
    func output(_ place: ResultPlace) throws -> OutputPlace {
        try output(place.path, replaces: place.replaces, makesFolder: place.makesFolder)
    }

    /// Gives a folder of results its name.
    func folder(_ place: ResultPlace) throws -> OutputPlace {
        try folder(place.path, replaces: place.replaces, makesFolder: place.makesFolder)
    }
}
