public import Foundation

/// Inputs whose tracks are alternatives: sound in several languages, subtitles, of which players are to choose one.
///
/// - Note: AVFoundation's is a media selection group.
open class AVAssetWriterInputGroup: NSObject, @unchecked Sendable {
    // @unchecked Sendable: nothing changes.

    /// The inputs.
    public let inputs: [AVAssetWriterInput]
    /// The one whose track is to be played where nobody chooses; `nil` for none.
    public let defaultInput: AVAssetWriterInput?

    /// A group of inputs.
    ///
    /// - Parameters:
    ///   - inputs: Inputs of one writer.
    ///   - defaultInput: One of them; another one counts as none.
    public init(inputs: [AVAssetWriterInput], defaultInput: AVAssetWriterInput?) {
        self.inputs = inputs
        self.defaultInput = inputs.first { $0 === defaultInput }
        super.init()
    }
}
