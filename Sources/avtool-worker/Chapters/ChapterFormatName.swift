internal import ArgumentParser
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The text formats of chapters, as the command line names them.
enum ChapterFormatName: String, CaseIterable, Codable, ExpressibleByArgument {
    case ffmetadata, webvtt, xml, text, ogm

    var format: ChapterTextFormat {
        switch self {
        case .ffmetadata: .ffmetadata
        case .webvtt: .webvtt
        case .xml: .matroskaXML
        case .text: .text
        case .ogm: .ogm
        }
    }
}
