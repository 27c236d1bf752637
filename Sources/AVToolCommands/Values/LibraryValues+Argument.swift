// Public because the conformances of public types are.
public import ArgumentParser
public import MediaCore

extension SceneDetectionSettings.Method: ExpressibleByArgument {}
extension StillFit: ExpressibleByArgument {}
extension SheetLabels: ExpressibleByArgument {}
extension ExportAuditDepth: ExpressibleByArgument {}
extension PreviewTimeline: ExpressibleByArgument {}

extension PreviewImageFormat: ExpressibleByArgument {
    /// The format of a name, as people write it: `jpg` as well as `jpeg`.
    public init?(argument: String) { self.init(filenameExtension: argument.lowercased()) }
}

extension PreviewImageFormat {
    /// The format that a name ends in, or goes by: `jpg` as well as `jpeg`.
    package init?(filenameExtension name: String) {
        let format = Self.allCases.first { $0.filenameExtension == name || $0.rawValue == name }
        guard let format else { return nil }
        self = format
    }
}
