internal import AVToolCommands
internal import Foundation

/// When files were changed.
enum FileDate {
    /// Whether there is a file that is not older than the one that it was made of.
    static func isCurrent(_ path: String, madeOf source: String) -> Bool {
        guard let own = date(path), let other = date(source) else { return false }
        return own >= other
    }

    private static func date(_ path: String) -> Date? {
        let path = (path as NSString).resolvingSymlinksInPath
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
}
