internal import Foundation

/// The files of a storyboard's folder.
enum StoryboardFolder {
    static let page = "index.html"

    /// What speaks against replacing a folder with these files; `nil` if it
    /// holds nothing but a storyboard.
    static func objection(to names: [String]) -> String? {
        guard let foreign = names.first(where: { !isOwn($0) }) else {
            guard names.isEmpty || names.contains(StoryboardDocument.fileName) else {
                return
                    "the folder holds no \(StoryboardDocument.fileName), so it is no storyboard that could be replaced"
            }
            return nil
        }
        return "the folder holds a file that is not the storyboard's and would be lost: \(foreign)"
    }

    private static let fixed: Set = [
        StoryboardDocument.fileName, WebVTTIndex.fileName, page, BIFFile.fileName, HLSImagePlaylist.fileName,
        HLSImagePlaylist.lineFileName, DASHThumbnails.fileName, DASHThumbnails.adaptationSetFileName,
    ]

    private static func isOwn(_ name: String) -> Bool {
        if fixed.contains(name) { return true }
        let endings = PreviewImageFormat.allCases.map(\.filenameExtension).joined(separator: "|")
        let sheet = "^storyboard-[0-9]+\\.(\(endings))$"
        let jellyfin = "^[^/]+\\.trickplay/[0-9]+ - [0-9]+x[0-9]+/[0-9]+\\.jpg$"
        return [sheet, jellyfin].contains { name.range(of: $0, options: .regularExpression) != nil }
    }
}
