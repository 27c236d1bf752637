// Public because the conformances of public types are.
public import ArgumentParser
internal import OpenAVFoundation
public import OpenAVFoundationExtras

extension SceneDetectionSettings.Method: ExpressibleByArgument {}
extension AVAssetImageGenerator.Fit: ExpressibleByArgument {}
extension ContactSheet.Labels: ExpressibleByArgument {}
extension ExportAuditDepth: ExpressibleByArgument {}
extension PreviewTimeline: ExpressibleByArgument {}

extension PreviewImageFormat: ExpressibleByArgument {
    /// The format of a name, as people write it: `jpg` as well as `jpeg`.
    public init?(argument: String) { self.init(filenameExtension: argument.lowercased()) }
}
