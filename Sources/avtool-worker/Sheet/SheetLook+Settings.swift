internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension SheetLook {
    var settings: ContactSheet.Settings {
        var settings = ContactSheet.Settings()
        if let width { settings.scale = .sheetWidth(width) }
        if let tile {
            settings.scale = .tile(
                width: tile.width == 0 ? 65535 : tile.width, height: tile.height == 0 ? 65535 : tile.height)
        }
        settings.margin = margin
        settings.gap = gap
        if let background { settings.background = background.color }
        settings.labels = labels ?? settings.labels
        settings.timeline = timeline
        settings.showsHeader = showsHeader
        return settings
    }
}
