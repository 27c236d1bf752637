internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension RunFiles {
    /// Gives a result its name, if nothing speaks against that.
    func output(_ place: ResultPlace) throws -> OutputPlace {
        try output(place.path, replaces: place.replaces, makesFolder: place.makesFolder)
    }

    /// Gives a folder of results its name.
    func folder(_ place: ResultPlace) throws -> OutputPlace {
        try folder(place.path, replaces: place.replaces, makesFolder: place.makesFolder)
    }
}
