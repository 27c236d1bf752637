internal import ArgumentParser

/// How metadata is written down.
package enum MetadataFormatName: String, CaseIterable, Codable, ExpressibleByArgument {
    case text, json, csv, ffmetadata, xmp, exiftool

    /// Whether a second file's cannot follow a first one's.
    package var isDocument: Bool { self == .ffmetadata || self == .xmp }
}
