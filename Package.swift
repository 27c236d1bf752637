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
        // FFmpeg's headers with the macros and version differences that Swift cannot read.
        .systemLibrary(
            name: "CLibAV",
            providers: [
                .apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswscale-dev", "libavfilter-dev"])
            ]
        ),
        // FFmpeg's and Pango's functions, loaded when they are first called: stubs of their names.
        .target(name: "CLateLibraries", dependencies: ["CLibAV"]),
        // The callbacks that FFmpeg calls from C: log capture, interruption, the files that a playlist names.
        .target(name: "CLibAVShims", dependencies: ["CLateLibraries", "CLibAV"]),
        // libpng, and ISA-L for speed, behind functions that keep longjmp in C.
        .target(name: "CLibPNG", linkerSettings: [.linkedLibrary("png"), .linkedLibrary("isal")]),
        // libjpeg-turbo behind functions that keep its longjmp in C.
        .target(name: "CLibJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        // Lines of text by Pango and Cairo, whose objects stay in C.
        .target(name: "CLibPango", dependencies: ["CLateLibraries"]),
        // Core Foundation's names for Foundation's types, and what else of C's world clients write.
        .target(name: "CoreFoundationNames"),
        // Uniform types: identifiers, filename extensions, MIME types, what conforms to what.
        .target(name: "UniformTypes", dependencies: ["CoreFoundationNames"]),
        // Codecs, containers, field orders, colour tags: what there is of each, and what is true of it.
        .target(name: "MediaTypes"),
        // What coded samples say of themselves: units, headers, references, entry points, pre-roll.
        .target(name: "Bitstream", dependencies: ["MediaTypes"]),
        // Search in what is sorted, common divisors, random numbers with a seed, unpacking.
        .target(name: "MediaAlgorithms"),
        // What makes an error one that Foundation can bridge.
        .target(name: "MediaErrors"),
        // Text for people: what is safe to print, decimal numbers, the escapes of markup.
        .target(name: "MediaText"),
        // Transforms of the plane, which Foundation for Linux lacks.
        .target(name: "MediaGeometry"),
        // Exact rational time, and the time expressions of the command line.
        .target(name: "MediaTime", dependencies: ["MediaAlgorithms", "MediaErrors", "MediaText"]),
        // Lists of segments that other programs write: which parts of a film stay, or go.
        .target(name: "CutLists", dependencies: ["MediaErrors", "MediaText", "MediaTime"]),
        // What there is to choose for coded pictures and sound, for previews and for exports: keys and values.
        .target(name: "MediaSettings", dependencies: ["CoreFoundationNames", "MediaTime"]),
        // Format descriptions of Core Media and Core Audio: codes, extensions, stream descriptions, channel layouts.
        .target(name: "FormatDescriptions", dependencies: ["CoreFoundationNames", "MediaTime"]),
        // What Swift's view of the C library leaves out of Linux's files.
        .target(name: "CFileShims"),
        // Whether memory ran out in a library, which may not say so.
        .target(name: "CAllocationWatch"),
        // What the kernel refuses to a worker, and the channel that open files go through.
        .target(name: "CIsolation"),
        // Files on disk: bounded reads, writes that appear whole, rewrites that a crash cannot break.
        .target(name: "MediaFile", dependencies: ["CFileShims", "MediaAlgorithms", "MediaErrors"]),
        // Workers: processes that read strangers' files, and what the kernel keeps from them.
        .target(name: "MediaIsolation", dependencies: ["CIsolation", "MediaConcurrency", "MediaFile"]),
        // Boxes of MP4 and QuickTime files: tracks, edit lists, sample tables, cutting and layout.
        .target(
            name: "ISOBaseMedia",
            dependencies: ["Bitstream", "MediaAlgorithms", "MediaErrors", "MediaFile", "MediaTime", "MediaTypes"]),
        // Work on threads: blocking calls, channels, results put back into order, one cancellation.
        .target(name: "MediaConcurrency"),
        // Values loaded when asked for, and the errors they fail with.
        .target(name: "MediaLoading", dependencies: ["MediaConcurrency", "MediaErrors", "MediaFile"]),
        // The model of metadata: items, key spaces and what corresponds in them; chapters; what may be shared.
        .target(
            name: "MediaMetadata",
            dependencies: [
                "CoreFoundationNames", "MediaAlgorithms", "MediaErrors", "MediaFile", "MediaLoading", "MediaText",
                "MediaTime",
            ]),
        // The readers and writers of metadata, a folder for each format.
        .target(
            name: "MetadataFormats",
            dependencies: [
                "Bitstream", "ISOBaseMedia", "MediaAlgorithms", "MediaFile", "MediaMetadata", "MediaText",
                "MediaTime",
            ]),
        // One owner for each FFmpeg object, one error type, the safety limits.
        .target(
            name: "FFmpegKit",
            dependencies: [
                "Bitstream", "CLateLibraries", "CLibAV", "CLibAVShims", "MediaAlgorithms", "MediaConcurrency",
                "MediaErrors", "MediaFile",
                "MediaText", "MediaTime", "MediaTypes",
            ]),
        // Pixels in memory and their file encodings.
        .target(
            name: "MediaImage",
            dependencies: [
                "CLibJPEG", "CLibPNG", "CLibPango", "FFmpegKit", "MediaErrors", "MediaGeometry", "MediaSettings",
                "MediaText",
            ]),
        // Picture files as Image I/O reads and writes them.
        .target(
            name: "ImageFiles", dependencies: ["FFmpegKit", "MediaFile", "MediaImage", "MediaSettings", "MediaTypes"]),
        // What a file contains: assets, tracks, edit lists, format descriptions.
        .target(
            name: "MediaAsset",
            dependencies: [
                "Bitstream", "CoreFoundationNames", "FFmpegKit", "FormatDescriptions", "ISOBaseMedia",
                "MediaAlgorithms", "MediaConcurrency",
                "MediaErrors", "MediaFile", "MediaGeometry", "MediaIsolation", "MediaLoading", "MediaMetadata",
                "MediaText",
                "MediaTime", "MediaTypes", "MetadataFormats",
            ]),
        // Core Video's pixel buffers: memory for pictures, what is attached to it, pools.
        .target(name: "PixelBuffers", dependencies: ["CoreFoundationNames", "MediaTime"]),
        // Core Media's samples: blocks of coded data or pictures, with times and attachments.
        .target(
            name: "SampleBuffers",
            dependencies: ["CoreFoundationNames", "FormatDescriptions", "MediaTime", "PixelBuffers"]),
        // AVFAudio's formats and buffers of sound.
        .target(
            name: "SoundBuffers",
            dependencies: ["FormatDescriptions", "MediaSettings"]),
        // Video compositions and audio mixes: what is drawn and heard when, and the drawing of layers.
        .target(
            name: "MediaComposition",
            dependencies: [
                "CoreFoundationNames", "MediaAlgorithms", "MediaAsset", "MediaConcurrency", "MediaGeometry",
                "MediaImage", "MediaLoading", "MediaTime", "PixelBuffers",
            ]),
        // The frame at a time, and the picture made of it.
        .target(
            name: "ImageGeneration",
            dependencies: [
                "Bitstream", "FFmpegKit", "MediaAlgorithms", "MediaAsset", "MediaComposition", "MediaConcurrency",
                "MediaErrors", "MediaFile", "MediaImage", "MediaIsolation", "MediaLoading",
                "MediaSettings", "MediaTime", "MediaTypes",
            ]),
        // Assets to new files: as they are, trimmed, encoded anew.
        .target(
            name: "MediaExport",
            dependencies: [
                "Bitstream", "CoreFoundationNames", "FFmpegKit", "FormatDescriptions", "ISOBaseMedia",
                "MediaAlgorithms", "MediaAsset",
                "MediaComposition", "MediaConcurrency", "MediaErrors", "MediaFile", "MediaImage",
                "MediaLoading", "MediaMetadata", "MediaSettings", "MediaText", "MediaTime", "MediaTypes",
                "MetadataFormats", "UniformTypes",
            ]),
        // Samples of assets, one by one, decoded or as they are, and new files of samples.
        .target(
            name: "MediaSamples",
            dependencies: [
                "Bitstream", "CoreFoundationNames", "FFmpegKit", "FormatDescriptions", "ISOBaseMedia",
                "MediaAlgorithms",
                "MediaAsset", "MediaComposition", "MediaConcurrency", "MediaExport", "MediaFile", "MediaGeometry",
                "MediaImage", "MediaLoading", "MediaMetadata", "MediaSettings", "MediaTime", "MediaTypes",
                "MetadataFormats", "PixelBuffers", "SampleBuffers", "SoundBuffers",
            ]),
        // Contact sheets, storyboards and their indexes: what AVFoundation has not.
        .target(
            name: "MediaPreviews",
            dependencies: [
                "ImageGeneration", "MediaAlgorithms", "MediaAsset", "MediaErrors", "MediaFile", "MediaImage",
                "MediaLoading", "MediaMetadata", "MediaSamples", "MediaSettings", "MediaText", "MediaTime",
                "MediaTypes",
            ],
            // tools/page writes them into the source.
            exclude: ["Page/page.css", "Page/page.js"]),
        // The umbrella that applications import: AVFoundation's names, and no others.
        .target(
            name: "OpenAVFoundation",
            dependencies: [
                "CoreFoundationNames", "FormatDescriptions", "ImageFiles", "ImageGeneration", "MediaAsset",
                "MediaComposition", "MediaExport", "MediaGeometry", "MediaImage", "MediaLoading", "MediaMetadata",
                "MediaSamples", "MediaSettings", "MediaTime", "PixelBuffers", "SampleBuffers", "SoundBuffers",
                "UniformTypes",
            ]
        ),
        // The umbrella for what AVFoundation has not.
        .target(
            name: "OpenAVFoundationExtras",
            dependencies: [
                "CoreFoundationNames", "FormatDescriptions", "ImageFiles", "ImageGeneration", "MediaAsset",
                "MediaComposition", "MediaErrors", "MediaExport", "MediaFile", "MediaGeometry", "MediaImage",
                "MediaLoading",
                "MediaMetadata", "MediaPreviews", "MediaSamples", "MediaSettings", "MediaTime", "MetadataFormats",
                "PixelBuffers", "SampleBuffers", "SoundBuffers", "UniformTypes",
            ]
        ),
        // The command line: what commands, options and values there are, and what they allow; no media library.
        .target(
            name: "AVToolCommands",
            dependencies: [
                "MediaAlgorithms", "MediaFile", "MediaMetadata", "MediaSettings", "MediaText", "MediaTime",
                "MetadataFormats",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // The process that reads files for the command-line tool.
        .executableTarget(
            name: "avtool-worker",
            dependencies: [
                "AVToolCommands", "CAllocationWatch", "CutLists", "MediaConcurrency", "MediaFile", "MediaIsolation",
                "MediaText", "OpenAVFoundation", "OpenAVFoundationExtras",
            ]
        ),
        // The command-line tool: it links no media library.
        .executableTarget(
            name: "avtool",
            dependencies: [
                "AVToolCommands", "MediaAlgorithms", "MediaConcurrency", "MediaFile", "MediaIsolation", "MediaText",
                "MediaTime",
            ]),
        // Fixtures, their sidecars, the bar code in their pictures, and runs of the tool.
        .target(
            name: "MediaTestSupport", dependencies: ["MediaAlgorithms", "MediaFile", "MediaTime", "OpenAVFoundation"],
            path: "Tests/MediaTestSupport"),
        .testTarget(name: "MediaAlgorithmsTests", dependencies: ["MediaAlgorithms"]),
        .testTarget(
            name: "MediaErrorsTests",
            dependencies: [
                "FFmpegKit", "ISOBaseMedia", "MediaAsset", "MediaErrors", "MediaImage", "MediaPreviews",
                "MediaTestSupport",
                "OpenAVFoundation", "OpenAVFoundationExtras",
            ]),
        .testTarget(name: "MediaTextTests", dependencies: ["MediaText"]),
        .testTarget(name: "MediaConcurrencyTests", dependencies: ["MediaConcurrency", "MediaTestSupport"]),
        .testTarget(name: "MediaTimeTests", dependencies: ["MediaAlgorithms", "MediaTime"]),
        .testTarget(name: "PixelBuffersTests", dependencies: ["CoreFoundationNames", "MediaTime", "PixelBuffers"]),
        .testTarget(
            name: "SampleBuffersTests",
            dependencies: ["CoreFoundationNames", "FormatDescriptions", "MediaTime", "PixelBuffers", "SampleBuffers"]),
        .testTarget(
            name: "SoundBuffersTests",
            dependencies: ["CoreFoundationNames", "FormatDescriptions", "MediaSettings", "SoundBuffers"]),
        .testTarget(
            name: "MediaCompositionTests",
            dependencies: [
                "MediaAlgorithms", "MediaAsset", "MediaComposition", "MediaGeometry", "MediaImage", "MediaLoading",
                "MediaTime",
            ]),
        .testTarget(name: "CutListsTests", dependencies: ["CutLists", "MediaAlgorithms", "MediaTime"]),
        .testTarget(name: "MediaFileTests", dependencies: ["MediaFile", "MediaTestSupport"]),
        // A worker that does what a hostile file would make it do.
        .executableTarget(
            name: "misbehaving-worker", dependencies: ["MediaFile", "MediaIsolation"],
            path: "Tests/MisbehavingWorker"),
        .testTarget(
            name: "MediaIsolationTests", dependencies: ["MediaFile", "MediaIsolation", "misbehaving-worker"]),
        .testTarget(
            name: "ISOBaseMediaTests",
            dependencies: ["ISOBaseMedia", "MediaAlgorithms", "MediaFile", "MediaTestSupport", "MediaTime"]),
        .testTarget(
            name: "MediaMetadataTests",
            dependencies: ["MediaMetadata", "MediaFile", "MediaLoading", "MediaTime", "MetadataFormats"]),
        .testTarget(
            name: "MetadataFormatsTests",
            dependencies: ["Bitstream", "ISOBaseMedia", "MediaMetadata", "MediaFile", "MediaTime", "MetadataFormats"]),
        .testTarget(name: "MediaTypesTests", dependencies: ["CLibAV", "FFmpegKit", "MediaTypes", "MediaTestSupport"]),
        .testTarget(name: "BitstreamTests", dependencies: ["Bitstream", "MediaTypes"]),
        .testTarget(
            name: "FFmpegKitTests",
            dependencies: ["Bitstream", "FFmpegKit", "MediaAlgorithms", "MediaFile", "MediaTypes", "MediaTestSupport"]),
        .testTarget(name: "MediaImageTests", dependencies: ["MediaImage", "MediaSettings", "MediaTestSupport"]),
        .testTarget(
            name: "MediaAssetTests",
            dependencies: [
                "FFmpegKit", "FormatDescriptions", "ISOBaseMedia", "MediaAsset", "MediaFile", "MediaLoading",
                "MediaMetadata", "MediaTestSupport", "MetadataFormats",
            ]),
        .testTarget(
            name: "ImageGenerationTests",
            dependencies: [
                "Bitstream", "FFmpegKit", "ImageGeneration", "MediaAsset", "MediaConcurrency", "MediaFile",
                "MediaImage", "MediaLoading", "MediaSettings", "MediaTestSupport", "MediaTime", "MediaTypes",
            ]
        ),
        .testTarget(
            name: "MediaExportTests",
            dependencies: [
                "ISOBaseMedia", "MediaConcurrency", "MediaExport", "MediaAsset", "MediaFile", "MediaLoading",
                "MediaMetadata", "MediaTime", "MediaTypes", "MetadataFormats", "FFmpegKit", "MediaTestSupport",
                "OpenAVFoundationExtras",
            ]
        ),
        .testTarget(
            name: "MediaSamplesTests",
            dependencies: [
                "CoreFoundationNames", "FormatDescriptions", "ImageGeneration", "MediaAsset", "MediaComposition",
                "MediaExport", "MediaGeometry", "MediaImage", "MediaLoading", "MediaMetadata", "MediaSamples",
                "MediaSettings",
                "MediaTestSupport", "MediaTime", "PixelBuffers",
                "SampleBuffers", "SoundBuffers",
            ]),
        // A program that uses the library and has films read elsewhere.
        .executableTarget(
            name: "isolated-host", dependencies: ["OpenAVFoundation", "OpenAVFoundationExtras"],
            path: "Tests/IsolatedHost"),
        .testTarget(
            name: "AssetIsolationTests",
            dependencies: [
                "ImageGeneration", "MediaAsset", "MediaFile", "MediaIsolation", "MediaLoading", "MediaMetadata",
                "MediaTestSupport", "OpenAVFoundation", "OpenAVFoundationExtras", "avtool-worker", "isolated-host",
                "misbehaving-worker",
            ]),
        .testTarget(
            name: "MediaPreviewsTests",
            dependencies: [
                "ImageGeneration", "MediaAsset", "MediaFile", "MediaImage", "MediaLoading", "MediaMetadata",
                "MediaPreviews", "MediaSettings", "MediaTestSupport", "MediaText", "MediaTime",
            ]
        ),
        .testTarget(
            name: "AVToolTests",
            dependencies: [
                "AVToolCommands", "MediaTestSupport", "OpenAVFoundation", "OpenAVFoundationExtras", "avtool",
                "avtool-worker", "misbehaving-worker",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Snapshots"]),
        // The code in the documentation, and the program that its tutorial ends with.
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["MediaTestSupport", "OpenAVFoundation", "OpenAVFoundationExtras", "excerpt"]),
        .executableTarget(name: "excerpt", dependencies: ["OpenAVFoundation"], path: "Tests/Tutorial"),
        // Client code written for AVFoundation: it has only to compile.
        .testTarget(name: "SourceCompatibilityTests", dependencies: ["ClientModel", "OpenAVFoundation"]),
        // The same in the language of Swift 5, as most clients still have it.
        .testTarget(
            name: "SourceCompatibilitySwift5Tests", dependencies: ["OpenAVFoundation"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // A client's own types, of names that ours have too.
        .target(name: "ClientModel", path: "Tests/ClientModel"),
    ]
)

for target in package.targets where target.type != .system && target.swiftSettings == nil {
    target.swiftSettings = settings
}
