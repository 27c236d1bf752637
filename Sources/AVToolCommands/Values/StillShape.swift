package import MediaCore

/// Which part of pictures is shown, and how large.
package struct StillShape: Codable, Sendable {
    package let sizes: [StillSize]
    package let fit: StillFit
    package let crop: StillCrop?
    package let background: SheetColor?
}
