internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// Where exports go, and what kinds of files they make.
struct ExportTargets: Codable, Sendable {
    /// Where one export goes.
    struct Target {
        /// The file's path; `-` for standard output.
        let path: String
        let fileType: AVFileType

        /// The same for one of several parts: `movie-2.mp4`.
        func numbered(_ number: Int, of count: Int) -> Target {
            let digits = String(count).count
            let text = String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
            let name = path as NSString
            let filenameExtension = name.pathExtension.isEmpty ? "" : ".\(name.pathExtension)"
            return Target(path: "\(name.deletingPathExtension)-\(text)\(filenameExtension)", fileType: fileType)
        }
    }

    let naming: ResultNaming
    private let preset: ExportPreset

    /// Makes targets of what `-o` says.
    ///
    /// - Throws: A failure if several files would get one name.
    init(_ output: String?, preset: ExportPreset, fileCount: Int) throws {
        let makesFolder = preset.fileTypes.first?.isFolder == true
        naming = try ResultNaming(
            output, default: "{name}-\(preset.name)" + (makesFolder ? "" : ".{ext}"), count: fileCount,
            // A stream that is there is the one to replace, not a place for another.
            isResult: { makesFolder && FileManager.default.fileExists(atPath: "\($0)/index.m3u8") })
        self.preset = preset
        try naming.checkNamesDiffer(ofFiles: fileCount)
    }

    /// Where the export of a file goes.
    func target(for file: String, asset: AVURLAsset) async throws -> Target {
        if preset.fileTypes.first?.isFolder == true {
            guard !naming.isStandardOutput, naming.filenameExtension != "m3u8" else {
                throw Failure(.usage, "the preset \(preset.name) makes a folder; -o takes the folder's name")
            }
            return Target(path: naming.path(source: file, filenameExtension: ""), fileType: .hls)
        }
        let path = naming.path(source: file, filenameExtension: "")
        let isOpen = naming.isStream && AVFileType(filenameExtension: path.pathExtension) == nil
        guard naming.isStandardOutput || naming.leavesExtensionOpen || isOpen else {
            return Target(path: path, fileType: try fileType(ofPath: path))
        }
        let fileType = try await usualFileType(for: asset)
        return Target(
            path: naming.path(source: file, filenameExtension: Self.filenameExtension(for: file, fileType)),
            fileType: fileType)
    }

    private func fileType(ofPath path: String) throws -> AVFileType {
        let pathExtension = path.pathExtension
        guard !pathExtension.isEmpty else {
            throw Failure(.usage, "\(path): the name needs an extension that tells the kind of file")
        }
        guard let fileType = AVFileType(filenameExtension: pathExtension) else {
            throw Failure(.usage, "\(path): .\(pathExtension) is no kind of file that can be made")
        }
        guard preset.fileTypes.contains(fileType) else {
            throw Failure(
                .usage, "\(path): the preset \(preset.name) makes \(preset.fileTypeNames), not .\(pathExtension)")
        }
        return fileType
    }

    private func usualFileType(for asset: AVURLAsset) async throws -> AVFileType {
        let description = try await asset.loadDescription()
        guard let fileType = preset.usualFileType(for: description, filenameExtension: asset.url.pathExtension) else {
            throw Failure(.noFileType, "no kind of file that can be made fits; name one with -o and an extension")
        }
        return fileType
    }

    /// The end of the new name: the source's own, if that is one of the kind of file.
    private static func filenameExtension(for file: String, _ fileType: AVFileType) -> String {
        let own = (file as NSString).pathExtension.lowercased()
        return fileType.filenameExtensions.contains(own) ? own : fileType.preferredFilenameExtension
    }
}

extension String {
    fileprivate var pathExtension: String { (self as NSString).pathExtension }
}
