// swift-tools-version: 6.2

import Foundation
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "avtool",
    products: [
        .library(name: "OpenAVFoundation", targets: ["OpenAVFoundation"]),
        .library(name: "OpenAVFoundationExtras", targets: ["OpenAVFoundationExtras"]),
        .executable(name: "avtool", targets: ["avtool"]),
        .executable(name: "avtool-worker", targets: ["avtool-worker"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // FFmpeg's headers and version differences, its callbacks, and its functions, loaded when they are first called.
        .target(name: "CFFmpeg"),
        // libpng, libjpeg-turbo and Pango behind functions that keep longjmp and their objects in C.
        .target(
            name: "CImageCodecs", dependencies: ["CFFmpeg"],
            linkerSettings: [.linkedLibrary("png"), .linkedLibrary("isal"), .linkedLibrary("jpeg")]),
        // C library functions that the executables replace: out-of-memory detection, encoders' log files.
        .target(name: "CProcessHooks"),
        // Linux system calls: files, process start, Landlock, seccomp.
        .target(name: "CLinux"),
        // Values without files or FFmpeg: time, text, geometry, codecs, errors, settings, concurrency.
        .target(name: "MediaCore"),
        // Input and output files, limits, and the sandboxed processes that read untrusted input.
        .target(name: "MediaIO", dependencies: ["CLinux", "MediaCore"]),
        // ISO base media (boxes, tracks, sample tables, trims) and headers of coded samples.
        .target(name: "MediaContainers", dependencies: ["MediaCore", "MediaIO"]),
        // The metadata model: items, key spaces, field mapping, chapters, redaction rules.
        .target(name: "MediaMetadata", dependencies: ["MediaCore", "MediaIO"]),
        // Readers and writers of metadata, a folder per format.
        .target(name: "MetadataFormats", dependencies: ["MediaContainers", "MediaCore", "MediaIO", "MediaMetadata"]),
        // One owner for each FFmpeg object, one error type, the safety limits.
        .target(name: "FFmpegKit", dependencies: ["CFFmpeg", "MediaContainers", "MediaCore", "MediaIO"]),
        // Images in memory and in files: CGImage, CGContext, Image I/O.
        .target(name: "MediaImage", dependencies: ["CImageCodecs", "FFmpegKit", "MediaCore", "MediaIO"]),
        // Core Media's, Core Video's and AVFAudio's buffers, and format descriptions.
        .target(name: "SampleBuffers", dependencies: ["MediaCore"]),
        // Assets, tracks, edit lists; compositions and mixes as descriptions.
        .target(
            name: "MediaAsset",
            dependencies: [
                "FFmpegKit", "MediaContainers", "MediaCore", "MediaIO", "MediaImage", "MediaMetadata",
                "MetadataFormats", "SampleBuffers",
            ]),
        // Reads, composes, filters, encodes and writes; knows no preset and no session.
        .target(
            name: "MediaEngine",
            dependencies: [
                "FFmpegKit", "MediaAsset", "MediaContainers", "MediaCore", "MediaIO", "MediaImage", "MediaMetadata",
                "MetadataFormats", "SampleBuffers",
            ]),
        // Images of the frame at a time; scenes; verification.
        .target(
            name: "ImageGeneration",
            dependencies: [
                "FFmpegKit", "MediaAsset", "MediaContainers", "MediaCore", "MediaEngine", "MediaIO", "MediaImage",
            ]),
        // Export sessions: presets, plans, audits, redaction.
        .target(
            name: "AssetExport",
            dependencies: [
                "FFmpegKit", "MediaAsset", "MediaContainers", "MediaCore", "MediaEngine", "MediaIO",
                "MediaMetadata", "MetadataFormats", "SampleBuffers",
            ]),
        // Readers and writers of samples, frames and audio.
        .target(
            name: "AssetReadWrite",
            dependencies: [
                "FFmpegKit", "MediaAsset", "MediaContainers", "MediaCore", "MediaEngine", "MediaIO", "MediaImage",
                "MediaMetadata", "MetadataFormats", "SampleBuffers",
            ]),
        // Contact sheets, storyboards, waveforms.
        .target(
            name: "MediaPreviews",
            dependencies: [
                "ImageGeneration", "MediaAsset", "MediaCore", "MediaIO", "MediaImage", "MediaMetadata",
                "AssetReadWrite",
            ],  // tools/page writes them into the source.
            exclude: ["Page/page.css", "Page/page.js"]),
        // Product for clients: AVFoundation's names and no others.
        .target(
            name: "OpenAVFoundation",
            dependencies: [
                "ImageGeneration", "MediaAsset", "MediaCore", "AssetExport", "MediaImage", "MediaMetadata",
                "AssetReadWrite", "SampleBuffers",
            ]),
        // Product for clients: API beyond AVFoundation.
        .target(
            name: "OpenAVFoundationExtras",
            dependencies: [
                "AssetExport", "AssetReadWrite", "ImageGeneration", "MediaAsset", "MediaCore", "MediaEngine", "MediaIO",
                "MediaImage", "MediaMetadata", "MediaPreviews", "MetadataFormats", "SampleBuffers",
            ]),
        // The command line: commands, options, values; links no media library.
        .target(
            name: "AVToolCommands",
            dependencies: [
                "MediaCore", "MediaIO", "MediaMetadata", "MetadataFormats",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // The sandboxed process that reads media files.
        .executableTarget(
            name: "avtool-worker",
            dependencies: [
                "AVToolCommands", "CProcessHooks", "MediaCore", "MediaIO", "OpenAVFoundation", "OpenAVFoundationExtras",
            ]),
        // The command-line front process; links no media library.
        .executableTarget(name: "avtool", dependencies: ["AVToolCommands", "CProcessHooks", "MediaCore", "MediaIO"]),
        // Processes that tests start: what Swift's view of the C library leaves out.
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        // What tests of any module share: fixtures and their sidecars, folders, other programs, movies built by hand.
        .target(
            name: "TestSupport", dependencies: ["CTestSupport", "MediaCore", "MediaIO"], path: "Tests/TestSupport"),
        // The same for tests that need a media library: fixtures as assets, the bar code in their frames.
        .target(
            name: "MediaTestSupport", dependencies: ["MediaAsset", "MediaImage", "TestSupport"],
            path: "Tests/MediaTestSupport"),
        .testTarget(
            name: "OpenAVFoundationTests",
            dependencies: [
                "FFmpegKit", "MediaAsset", "MediaContainers", "MediaCore", "MediaImage", "MediaPreviews",
                "MediaTestSupport", "OpenAVFoundation", "OpenAVFoundationExtras",
            ]),
        .testTarget(name: "SampleBuffersTests", dependencies: ["MediaCore", "SampleBuffers"]),
        // A worker that does what a hostile file would make it do.
        .executableTarget(name: "misbehaving-worker", dependencies: ["MediaIO"], path: "Tests/MisbehavingWorker"),
        .testTarget(name: "MediaIOTests", dependencies: ["MediaIO", "TestSupport", "misbehaving-worker"]),
        .testTarget(
            name: "MediaMetadataTests", dependencies: ["MediaCore", "MediaIO", "MediaMetadata", "MetadataFormats"]),
        .testTarget(
            name: "MetadataFormatsTests",
            dependencies: ["MediaContainers", "MediaCore", "MediaIO", "MediaMetadata", "MetadataFormats"]),
        .testTarget(name: "MediaCoreTests", dependencies: ["MediaCore", "TestSupport"]),
        .testTarget(
            name: "MediaContainersTests", dependencies: ["MediaContainers", "MediaCore", "MediaIO", "TestSupport"]),
        .testTarget(
            name: "FFmpegKitTests",
            dependencies: ["CFFmpeg", "FFmpegKit", "MediaContainers", "MediaCore", "MediaIO", "TestSupport"]),
        .testTarget(name: "MediaImageTests", dependencies: ["MediaCore", "MediaImage", "MediaTestSupport"]),
        .testTarget(
            name: "MediaAssetTests",
            dependencies: [
                "FFmpegKit", "MediaAsset", "MediaContainers", "MediaCore", "MediaIO", "MediaImage", "MediaMetadata",
                "MediaTestSupport", "MetadataFormats", "SampleBuffers",
            ]),
        .testTarget(
            name: "MediaEngineTests",
            dependencies: [
                "FFmpegKit", "MediaAsset", "MediaContainers", "MediaCore", "MediaEngine", "MediaIO", "MediaImage",
                "MediaMetadata", "MediaTestSupport", "MetadataFormats", "TestSupport",
            ]),
        .testTarget(
            name: "ImageGenerationTests",
            dependencies: [
                "FFmpegKit", "ImageGeneration", "MediaAsset", "MediaContainers", "MediaCore", "MediaEngine", "MediaIO",
                "MediaImage", "MediaTestSupport",
            ]),
        .testTarget(
            name: "AssetExportTests",
            dependencies: [
                "AssetExport", "FFmpegKit", "ImageGeneration", "MediaAsset", "MediaContainers", "MediaCore",
                "MediaEngine", "MediaIO", "MediaImage", "MediaMetadata", "MediaTestSupport", "MetadataFormats",
                "SampleBuffers",
            ]),
        .testTarget(
            name: "AssetReadWriteTests",
            dependencies: [
                "AssetExport", "AssetReadWrite", "ImageGeneration", "MediaAsset", "MediaCore", "MediaEngine",
                "MediaImage", "MediaMetadata", "MediaTestSupport", "SampleBuffers",
            ]),
        // A program that uses the library and has films read elsewhere.
        .executableTarget(
            name: "isolated-host", dependencies: ["OpenAVFoundation", "OpenAVFoundationExtras"],
            path: "Tests/IsolatedHost"),
        .testTarget(
            name: "AssetIsolationTests",
            dependencies: [
                "ImageGeneration", "MediaAsset", "MediaCore", "MediaIO", "MediaMetadata", "MediaTestSupport",
                "OpenAVFoundation", "OpenAVFoundationExtras", "avtool-worker", "isolated-host", "misbehaving-worker",
            ]),
        .testTarget(
            name: "MediaPreviewsTests",
            dependencies: [
                "ImageGeneration", "MediaAsset", "MediaCore", "MediaIO", "MediaImage", "MediaMetadata", "MediaPreviews",
                "MediaTestSupport",
            ]),
        .testTarget(
            name: "AVToolTests",
            dependencies: [
                "AVToolCommands", "MediaCore", "MediaTestSupport", "OpenAVFoundation", "OpenAVFoundationExtras",
                "avtool", "avtool-worker", "misbehaving-worker",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(name: "excerpt", dependencies: ["OpenAVFoundation"], path: "Tests/Tutorial"),
        // The code in the documentation, and the program that its tutorial ends with.
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["MediaTestSupport", "OpenAVFoundation", "OpenAVFoundationExtras", "excerpt"]),
        // The same in the language of Swift 5, as most clients still have it.
        .testTarget(
            name: "SourceCompatibilitySwift5Tests", dependencies: ["OpenAVFoundation", "TestSupport"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // A client's own types, of names that ours have too.
        .target(name: "ClientModel", path: "Tests/ClientModel"),
        // Client code written for AVFoundation: it has only to compile.
        .testTarget(
            name: "SourceCompatibilityTests", dependencies: ["ClientModel", "OpenAVFoundation", "TestSupport"]),
    ]
)

for target in package.targets where target.type != .system && target.swiftSettings == nil {
    target.swiftSettings = settings
}

// `scripts/test MODULE` names the test targets that it wants, and only they and what they need are built.
if let wanted = Context.environment["AVTOOL_TEST_TARGETS"], !wanted.isEmpty {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var kept: Set<String> = []
    var waiting = wanted.split(separator: ",").map(String.init)
    while let name = waiting.popLast() {
        guard let target = targets[name], kept.insert(name).inserted else { continue }
        for dependency in target.dependencies {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): waiting.append(name)
            default: break
            }
        }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll()
}
