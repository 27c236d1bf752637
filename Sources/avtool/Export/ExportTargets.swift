internal import Foundation
internal import OpenAVFoundation

/// Where exports go, and what kinds of files they make.
struct ExportTargets {
    /// Where one export goes.
    struct Target {
        /// The file's path; `-` for standard output.
        let path: String
        let fileType: AVFileType
        let source: String

        var isStandardOutput: Bool { path == "-" }

        /// Fails early if there is a file that must not be replaced.
        func checkIsFree(replaces: Bool) throws {
            guard !isStandardOutput else { return }
            try OutputName(path: path, source: source).checkIsFree(replaces: replaces)
        }

        /// Has the file written, and passes it on if nobody wants it as a file.
        func write(_ body: (URL) async throws -> Void) async throws {
            guard isStandardOutput else { return try await body(URL(fileURLWithPath: path)) }
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("avtool-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let url = folder.appendingPathComponent("export")
            try await body(url)
            let file = try FileHandle(forReadingFrom: url)
            while let data = try file.read(upToCount: 1 << 20), !data.isEmpty { try Console.write(data) }
        }
    }

    private let output: String?
    private let preset: ExportPreset
    private let isFolder: Bool

    /// Makes targets of what `-o` says.
    ///
    /// - Throws: A failure if several files would get one name.
    init(_ output: String?, preset: ExportPreset, fileCount: Int) throws {
        self.output = output
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
        guard let output, !isFolder else {
            let fileType = try await usualFileType(for: asset)
            let folder = output.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
            return Target(
                path: "\(folder)\(Self.base(file))-\(preset.name).\(Self.ending(for: file, fileType))",
                fileType: fileType,
                source: file)
        }
        guard output != "-" else {
            return Target(path: "-", fileType: try await usualFileType(for: asset), source: file)
        }
        var path = output.replacingOccurrences(of: "{name}", with: Self.base(file))
        guard !path.hasSuffix(".{ext}") else {
            let fileType = try await usualFileType(for: asset)
            path = path.replacingOccurrences(of: "{ext}", with: Self.ending(for: file, fileType))
            return Target(path: path, fileType: fileType, source: file)
        }
        return Target(path: path, fileType: try fileType(ofPath: path), source: file)
    }

    private func fileType(ofPath path: String) throws -> AVFileType {
        let pathExtension = (path as NSString).pathExtension
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
