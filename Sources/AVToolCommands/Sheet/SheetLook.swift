package import MediaCore

/// How a sheet is to look; what is `nil` is as usual.
package struct SheetLook: Codable, Sendable {
    package let width: Int?
    package let tile: StillSize?
    package let margin: Int?
    package let gap: Int?
    package let background: SheetColor?
    package let labels: SheetLabels?
    package let timeline: PreviewTimeline
    package let showsHeader: Bool
}
