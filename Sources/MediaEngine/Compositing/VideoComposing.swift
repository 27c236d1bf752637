package import MediaAsset

/// A video composition as it is carried out: a copy that does not change, and the client's compositor if it names one.
package struct VideoComposing: Sendable {
    /// What the composition says.
    package let composition: AVVideoComposition
    private let custom: Result<CustomCompositor, any Error>?

    /// Takes a copy, and makes the compositor.
    package init(_ composition: AVVideoComposition) {
        let copy = composition.copy() as? AVVideoComposition ?? composition
        self.composition = copy
        custom = copy.customVideoCompositorClass.map { type in Result { try CustomCompositor(type, of: copy) } }
    }

    /// The client's compositor, `nil` for our own.
    ///
    /// - Throws: What there is none for.
    package func compositor() throws -> CustomCompositor? { try custom?.get() }
}
