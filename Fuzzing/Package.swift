// swift-tools-version: 6.2

import PackageDescription

// The modules that read untrusted bytes by themselves, built with libFuzzer's
// instrumentation, and one program that feeds them. `scripts/fuzz` runs it.
// A package of its own, because such flags bar a package from being depended on.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"]),
]

let package = Package(
    name: "avtool-fuzzing",
    targets: [
        .target(name: "CFileShims"),
        .target(name: "CoreFoundationNames"),
        .target(name: "MediaTypes"),
        .target(name: "Bitstream", dependencies: ["MediaTypes"]),
        .target(name: "MediaAlgorithms"),
        .target(name: "MediaErrors"),
        .target(name: "MediaText"),
        .target(name: "MediaTime", dependencies: ["MediaAlgorithms", "MediaErrors", "MediaText"]),
        .target(name: "MediaFile", dependencies: ["CFileShims", "MediaAlgorithms", "MediaErrors"]),
        .target(
            name: "ISOBaseMedia",
            dependencies: [
                "Bitstream", "MediaAlgorithms", "MediaErrors", "MediaFile", "MediaTime", "MediaTypes",
            ]),
        .target(name: "MediaConcurrency"),
        .target(name: "MediaLoading", dependencies: ["MediaConcurrency", "MediaErrors"]),
        .target(
            name: "MediaMetadata",
            dependencies: [
                "CoreFoundationNames", "MediaErrors", "MediaFile", "MediaLoading", "MediaText", "MediaTime",
            ]),
        .target(
            name: "MetadataFormats",
            dependencies: [
                "Bitstream", "ISOBaseMedia", "MediaAlgorithms", "MediaFile", "MediaMetadata", "MediaText",
                "MediaTime",
            ]),
        .executableTarget(
            name: "fuzz",
            dependencies: ["Bitstream", "MediaFile", "MediaMetadata", "MediaTime", "MediaTypes", "MetadataFormats"],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
    ]
)

for target in package.targets where target.name != "CFileShims" {
    target.swiftSettings = settings
}
