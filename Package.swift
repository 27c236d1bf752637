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
        .library(name: "MediaPreviews", targets: ["MediaPreviews"]),
        .executable(name: "avtool", targets: ["avtool"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // FFmpeg's headers with the macros and version differences that Swift cannot read.
        .systemLibrary(
            name: "CLibAV",
            pkgConfig: "libavformat libavcodec libavutil libswscale",
            providers: [
                .apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswscale-dev", "libavfilter-dev"])
            ]
        ),
        // The callbacks that FFmpeg calls from C: log capture, interruption, the files that a playlist names.
        .target(name: "CLibAVShims", dependencies: ["CLibAV"]),
        // libpng, and ISA-L for speed, behind functions that keep longjmp in C.
        .target(name: "CLibPNG", linkerSettings: [.linkedLibrary("png"), .linkedLibrary("isal")]),
        // libjpeg-turbo behind functions that keep its longjmp in C.
        .target(name: "CLibJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        // Lines of text by Pango and Cairo, whose objects stay in C.
        .target(
            name: "CLibPango",
            linkerSettings: [
                .linkedLibrary("pangocairo-1.0"), .linkedLibrary("pango-1.0"), .linkedLibrary("gobject-2.0"),
                .linkedLibrary("cairo"),
            ]),
        // Codecs, containers, field orders, colour tags: what there is of each, and what is true of it.
        .target(name: "MediaTypes"),
        // What coded samples say of themselves: units, headers, references, entry points, pre-roll.
        .target(name: "Bitstream", dependencies: ["MediaTypes"]),
        // Exact rational time, and the time expressions of the command line.
        .target(name: "MediaTime"),
        // What Swift's view of the C library leaves out of Linux's files.
        .target(name: "CFileShims"),
        // Files on disk: bounded reads, writes that appear whole, rewrites that a crash cannot break.
        .target(name: "MediaFile", dependencies: ["CFileShims"]),
        // Boxes of MP4 and QuickTime files: tracks, edit lists, sample tables, cutting and layout.
        .target(name: "ISOBaseMedia", dependencies: ["Bitstream", "MediaFile", "MediaTime", "MediaTypes"]),
        // Work on threads: blocking calls, channels, results put back into order, one cancellation.
        .target(name: "MediaConcurrency"),
        // Values loaded when asked for, and the errors they fail with.
        .target(name: "MediaLoading", dependencies: ["MediaConcurrency"]),
        // Names and values of metadata in every key space; chapters; their readers and writers.
        .target(
            name: "MediaMetadata",
            dependencies: ["Bitstream", "ISOBaseMedia", "MediaFile", "MediaLoading", "MediaTime"]),
        // One owner for each FFmpeg object, one error type, the safety limits.
        .target(
            name: "FFmpegKit",
            dependencies: [
                "Bitstream", "CLibAV", "CLibAVShims", "MediaConcurrency", "MediaFile", "MediaTime", "MediaTypes",
            ]),
        // Pixels in memory and their file encodings.
        .target(name: "MediaImage", dependencies: ["CLibPNG", "CLibJPEG", "CLibPango", "FFmpegKit"]),
        // What a file contains: assets, tracks, edit lists, format descriptions.
        .target(
            name: "MediaAsset",
            dependencies: [
                "FFmpegKit", "ISOBaseMedia", "MediaConcurrency", "MediaFile", "MediaLoading", "MediaMetadata",
                "MediaTime", "MediaTypes",
            ]),
        // The frame at a time, and the picture made of it.
        .target(
            name: "ImageGeneration",
            dependencies: [
                "Bitstream", "MediaAsset", "MediaConcurrency", "MediaImage", "MediaLoading", "FFmpegKit", "MediaTime",
                "MediaTypes",
            ]),
        // Assets to new files: as they are, trimmed, encoded anew.
        .target(
            name: "MediaExport",
            dependencies: [
                "Bitstream", "FFmpegKit", "ISOBaseMedia", "MediaAsset", "MediaConcurrency", "MediaFile", "MediaLoading",
                "MediaMetadata", "MediaTime", "MediaTypes",
            ]),
        // Contact sheets, storyboards and their indexes: what AVFoundation has not.
        .target(
            name: "MediaPreviews",
            dependencies: [
                "ImageGeneration", "MediaAsset", "MediaFile", "MediaImage", "MediaLoading", "MediaMetadata",
                "MediaTime", "MediaTypes",
            ]),
        // The umbrella that applications import.
        .target(
            name: "OpenAVFoundation",
            dependencies: [
                "MediaFile", "MediaLoading", "MediaTime", "MediaImage", "MediaMetadata", "MediaAsset",
                "ImageGeneration", "MediaExport",
            ]
        ),
        // The command-line tool.
        .executableTarget(
            name: "avtool",
            dependencies: [
                "MediaConcurrency", "OpenAVFoundation", "MediaPreviews",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // Fixtures, their sidecars, the bar code in their pictures, and runs of the tool.
        .target(
            name: "MediaTestSupport", dependencies: ["MediaFile", "MediaTime", "OpenAVFoundation"],
            path: "Tests/MediaTestSupport"),
        .testTarget(name: "MediaConcurrencyTests", dependencies: ["MediaConcurrency", "MediaTestSupport"]),
        .testTarget(name: "MediaTimeTests", dependencies: ["MediaTime"]),
        .testTarget(name: "MediaFileTests", dependencies: ["MediaFile", "MediaTestSupport"]),
        .testTarget(
            name: "ISOBaseMediaTests", dependencies: ["ISOBaseMedia", "MediaFile", "MediaTestSupport", "MediaTime"]),
        .testTarget(
            name: "MediaMetadataTests",
            dependencies: ["ISOBaseMedia", "MediaMetadata", "MediaFile", "MediaLoading", "MediaTime"]),
        .testTarget(name: "MediaTypesTests", dependencies: ["CLibAV", "FFmpegKit", "MediaTypes", "MediaTestSupport"]),
        .testTarget(name: "BitstreamTests", dependencies: ["Bitstream", "MediaTypes"]),
        .testTarget(
            name: "FFmpegKitTests", dependencies: ["Bitstream", "FFmpegKit", "MediaTypes", "MediaTestSupport"]),
        .testTarget(name: "MediaImageTests", dependencies: ["MediaImage", "MediaTestSupport"]),
        .testTarget(
            name: "MediaAssetTests",
            dependencies: [
                "ISOBaseMedia", "MediaAsset", "MediaFile", "MediaLoading", "MediaMetadata", "MediaTestSupport",
            ]),
        .testTarget(
            name: "ImageGenerationTests",
            dependencies: [
                "Bitstream", "ImageGeneration", "MediaAsset", "MediaImage", "MediaLoading", "MediaTime", "MediaTypes",
                "FFmpegKit", "MediaTestSupport",
            ]
        ),
        .testTarget(
            name: "MediaExportTests",
            dependencies: [
                "ISOBaseMedia", "MediaConcurrency", "MediaExport", "MediaAsset", "MediaFile", "MediaLoading",
                "MediaMetadata", "MediaTime", "MediaTypes", "FFmpegKit", "MediaTestSupport",
            ]
        ),
        .testTarget(
            name: "MediaPreviewsTests",
            dependencies: [
                "MediaPreviews", "ImageGeneration", "MediaAsset", "MediaFile", "MediaImage", "MediaLoading",
                "MediaMetadata", "MediaTime", "MediaTestSupport",
            ]
        ),
        .testTarget(
            name: "AVToolTests", dependencies: ["MediaPreviews", "MediaTestSupport", "OpenAVFoundation", "avtool"],
            exclude: ["Snapshots"]),
        // Client code written for AVFoundation: it has only to compile.
        .testTarget(name: "SourceCompatibilityTests", dependencies: ["OpenAVFoundation"]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}
