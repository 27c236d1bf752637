internal import Foundation
internal import OpenAVFoundation

/// Where exports go, and what kinds of files they make.
struct ExportTargets {
    /// Where one export goes.
    struct Target {
        /// The file's path; `-` for standard output.
        let path: String
        let fileType: AVFileType
    }

    /// Whether the folder that the files go to is made where there is none.
    let makesFolder: Bool
    private let output: String?
    private let preset: ExportPreset
    private let isFolder: Bool

    /// Makes targets of what `-o` says.
    ///
    /// - Throws: A failure if several files would get one name.
    init(_ output: String?, preset: ExportPreset, fileCount: Int) throws {
        let output = output.map { OutputPlace.isStandardOutput($0) ? "-" : $0 }
        self.output = output
        makesFolder = output?.hasSuffix("/") == true
        self.preset = preset
        var isDirectory: ObjCBool = false
        isFolder =
            output.map { path in
                path.hasSuffix("/")
                    || FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
            } ?? false
        if let output, !isFolder, fileCount > 1, !output.contains("{name}") {
            throw Failure(.usage, "usage", "several files need {name} in the name, or a folder")
        }
    }

    /// Where the export of a file goes.
    func target(for file: String, asset: AVURLAsset) async throws -> Target {
        if preset.fileTypes.first?.isFolder == true {
            let own = output.map { isFolder && !Self.holdsStream($0) ? ($0.hasSuffix("/") ? $0 : $0 + "/") : "" } ?? ""
            let name = output.flatMap { isFolder && !Self.holdsStream($0) ? nil : $0 } ?? "{name}-\(preset.name)"
            guard name != "-", !name.hasSuffix(".m3u8") else {
                throw Failure(.usage, "usage", "the preset \(preset.name) makes a folder; -o takes the folder's name")
            }
            return Target(path: own + name.replacingOccurrences(of: "{name}", with: Self.base(file)), fileType: .hls)
        }
        guard let output, !isFolder else {
            let fileType = try await usualFileType(for: asset)
            let folder = output.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
            return Target(
                path: "\(folder)\(Self.base(file))-\(preset.name).\(Self.ending(for: file, fileType))",
                fileType: fileType)
        }
        guard !OutputPlace.isStream(output) || AVFileType(filenameExtension: output.pathExtension) != nil else {
            return Target(path: output, fileType: try await usualFileType(for: asset))
        }
        var path = output.replacingOccurrences(of: "{name}", with: Self.base(file))
        guard !path.hasSuffix(".{ext}") else {
            let fileType = try await usualFileType(for: asset)
            path = path.replacingOccurrences(of: "{ext}", with: Self.ending(for: file, fileType))
            return Target(path: path, fileType: fileType)
        }
        return Target(path: path, fileType: try fileType(ofPath: path))
    }

    /// Whether a folder is a stream, which is to be replaced, and no place for another.
    private static func holdsStream(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/index.m3u8")
    }

    private func fileType(ofPath path: String) throws -> AVFileType {
        let pathExtension = path.pathExtension
        guard !pathExtension.isEmpty else {
            throw Failure(.usage, "usage", "\(path): the name needs an extension that tells the kind of file")
        }
        guard let fileType = AVFileType(filenameExtension: pathExtension) else {
            throw Failure(.usage, "usage", "\(path): .\(pathExtension) is no kind of file that can be made")
        }
        guard preset.fileTypes.contains(fileType) else {
            throw Failure(
                .usage, "usage",
                "\(path): the preset \(preset.name) makes \(preset.fileTypeNames), not .\(pathExtension)")
        }
        return fileType
    }

    private func usualFileType(for asset: AVURLAsset) async throws -> AVFileType {
        let description = try await asset.loadDescription()
        guard let fileType = preset.usualFileType(for: description, filenameExtension: asset.url.pathExtension) else {
            throw Failure(
                .badInput, "noFileType", "no kind of file that can be made fits; name one with -o and an extension")
        }
        return fileType
    }

    /// The end of the new name: the source's own, if that is one of the kind of file.
    private static func ending(for file: String, _ fileType: AVFileType) -> String {
        let own = (file as NSString).pathExtension.lowercased()
        return fileType.filenameExtensions.contains(own) ? own : fileType.preferredFilenameExtension
    }

    private static func base(_ file: String) -> String {
        let base = SourceFile.baseName(file)
        return base.isEmpty ? "export" : base
    }
}

extension String {
    fileprivate var pathExtension: String { (self as NSString).pathExtension }
}
