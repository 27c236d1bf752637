internal import ArgumentParser

/// The text formats of chapters, as the command line names them.
package enum ChapterFormatName: String, CaseIterable, Codable, ExpressibleByArgument {
    case ffmetadata, webvtt, xml, text, ogm
}
