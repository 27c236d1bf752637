internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension ChapterFormatName {
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
