// Walks over a folder and sorts what is in it; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

struct ScannedFile: Sendable, Hashable, Comparable {
    enum Kind: String, Sendable { case film, song, unreadable }

    let name: String
    let kind: Kind
    let seconds: Double
    let codecs: [String]

    static func < (a: ScannedFile, b: ScannedFile) -> Bool { a.name < b.name }
}

struct MediaScanner: Sendable {
    var maximumConcurrentFiles = 3

    /// Files of types that are media, by their names only.
    func candidates(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
            .filter { url in
                guard let type = UTType(filenameExtension: url.pathExtension) else { return false }
                return type.conforms(to: .audiovisualContent) || type.conforms(to: .audio)
            }
    }

    func scan(_ urls: [URL]) async -> [ScannedFile] {
        await withTaskGroup(of: ScannedFile.self, returning: [ScannedFile].self) { group in
            var results: [ScannedFile] = []
            var rest = urls[...]
            for url in rest.prefix(maximumConcurrentFiles) { group.addTask { await file(url) } }
            rest = rest.dropFirst(maximumConcurrentFiles)
            while let result = await group.next() {
                results.append(result)
                if let url = rest.popFirst() { group.addTask { await file(url) } }
            }
            return results.sorted()
        }
    }

    private func file(_ url: URL) async -> ScannedFile {
        let name = url.lastPathComponent
        let asset = AVURLAsset(url: url)
        do {
            let (duration, tracks) = try await asset.load(.duration, .tracks)
            var codecs: [String] = []
            for track in tracks where track.mediaType == .video || track.mediaType == .audio {
                for description in try await track.load(.formatDescriptions) {
                    codecs.append("\(description.mediaSubType)")
                }
            }
            let hasPicture = try await !asset.loadTracks(withMediaCharacteristic: .visual).isEmpty
            return ScannedFile(name: name, kind: hasPicture ? .film : .song, seconds: duration.seconds, codecs: codecs)
        } catch {
            return ScannedFile(name: name, kind: .unreadable, seconds: 0, codecs: [])
        }
    }
}
