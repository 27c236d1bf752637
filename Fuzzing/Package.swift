// swift-tools-version: 6.2

import Foundation
import PackageDescription

// The modules that read untrusted bytes, built with libFuzzer's instrumentation, and the programs that feed them:
// `fuzz` without FFmpeg, `fuzzFilms` with it. `scripts/fuzz` runs them.
// A package of its own, because such flags bar a package from being depended on.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"]),
]

let linking: [LinkerSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]

/// A target of single files of modules that cannot be built without FFmpeg or without the command line.
///
/// The target has a link `Sources` to all modules. Files are found by name, so that they may move.
func part(_ name: String, own: String? = nil, dependencies: [Target.Dependency] = [], files: [String]) -> Target {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../Sources")
    let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let paths = files.map { file in all.filter { $0.hasSuffix("/\(file)") }.min() ?? file }
    let others = all.filter { $0.contains(".") && !$0.hasSuffix(".docc") && !paths.contains($0) }
    return .target(
        name: name, dependencies: dependencies, exclude: others.map { "Sources/\($0)" },
        sources: paths.map { "Sources/\($0)" } + (own.map { [$0] } ?? []))
}

/// Modules of the package, with the dependencies that they have there.
func modules(_ names: [String]) -> [Target] {
    let manifest = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../Package.swift")
    let text = (try? String(contentsOf: manifest, encoding: .utf8)) ?? ""
    return names.map { name in
        // Up to the end of the target, or of its list of dependencies.
        let target = text.components(separatedBy: "name: \"\(name)\"").dropFirst().first ?? ""
        let own = target.components(separatedBy: "arget(")[0]
        let list = own.components(separatedBy: "dependencies: [").dropFirst().first?.components(separatedBy: "]")[0]
        let dependencies = (list ?? "").components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 1 }
        return .target(name: name, dependencies: dependencies.map { .init(stringLiteral: $0.element) })
    }
}

let package = Package(
    name: "avtool-fuzzing",
    targets: [
        // What reads by itself.
        .target(name: "CLinux")
    ]
        + modules(["MediaCore", "MediaContainers", "MediaIO", "MediaMetadata", "MetadataFormats"]) + [
            // Parts of modules.
            part(
                "PictureFiles", own: "PictureFiles.swift", dependencies: ["MediaIO"],
                files: ["FileChunks.swift", "MetadataDirectory.swift", "MetadataTag.swift"]),
            // What the documents of the command line need of it.
            part(
                "AVToolCommands", dependencies: ["MediaIO", "MediaMetadata", "MediaCore"],
                files: ["Failure.swift"]),
            // The umbrellas' names, with as much in them as the documents of the command line need.
            .target(name: "OpenAVFoundation", dependencies: ["MediaMetadata", "MediaCore"]),
            .target(
                name: "OpenAVFoundationExtras",
                dependencies: ["MediaIO", "MediaMetadata", "MediaCore", "MetadataFormats"]),
            part(
                "ToolDocuments", own: "ToolDocuments.swift",
                dependencies: ["AVToolCommands", "MetadataFormats", "OpenAVFoundation", "OpenAVFoundationExtras"],
                files: ["JSONChapters.swift", "JSONMetadata.swift"]),
            .target(name: "FuzzDriver"),
            .executableTarget(
                name: "fuzz",
                dependencies: [
                    "MediaContainers", "FuzzDriver", "MediaIO", "MediaMetadata", "MediaCore", "MetadataFormats",
                    "AssetExport", "PictureFiles", "ToolDocuments",
                ],
                linkerSettings: linking),

            // The way through FFmpeg, which has no instrumentation of its own.
            .target(name: "CFFmpeg"),
            .target(
                name: "CImageCodecs", dependencies: ["CFFmpeg"],
                linkerSettings: [.linkedLibrary("png"), .linkedLibrary("isal"), .linkedLibrary("jpeg")]),
        ]
        + modules([
            "SampleBuffers", "FFmpegKit", "MediaImage", "MediaAsset", "MediaEngine", "ImageGeneration", "AssetExport",
        ]) + [
            .executableTarget(
                name: "fuzzFilms",
                dependencies: [
                    "FuzzDriver", "MediaImage", "ImageGeneration", "MediaAsset", "AssetExport", "MediaIO", "MediaCore",
                ],
                linkerSettings: linking)
        ]
)

let targetsInC = ["CLinux", "CFFmpeg", "CImageCodecs"]
for target in package.targets where !targetsInC.contains(target.name) { target.swiftSettings = settings }
