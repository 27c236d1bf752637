// swift-tools-version: 6.2

import PackageDescription

// A client of the library, for scripts/compare --library. The tree of the library is named by AVTOOL_TREE.
let tree = Context.environment["AVTOOL_TREE"] ?? "../../.."

let package = Package(
    name: "client",
    dependencies: [.package(name: "avtool", path: tree)],
    targets: [
        .executableTarget(
            name: "client",
            dependencies: [
                .product(name: "OpenAVFoundation", package: "avtool"),
                .product(name: "OpenAVFoundationExtras", package: "avtool"),
            ])
    ]
)
