internal import MediaCore
internal import SampleBuffers

/// Takes the samples of one input for the file, on the thread that brings them.
protocol SampleIntake: AnyObject {
    /// Takes a sample; blocks while there are too many.
    func append(_ sample: CMSampleBuffer) throws
    /// Takes a picture; blocks while there are too many.
    func append(_ buffer: CVPixelBuffer, at time: CMTime) throws
    /// There are no more samples.
    ///
    /// - Parameter end: When the session ends; `nil` for with the last sample.
    func finish(at end: CMTime?) throws
    /// Whether a sample would be taken without waiting.
    var hasRoom: Bool { get }
    /// Whether its last sample lasts until the file ends, which is not known before the other tracks are there.
    var awaitsEnd: Bool { get }
}

extension SampleIntake {
    var awaitsEnd: Bool { false }
}

/// What an input is told when its writer starts a session.
struct IntakeSession: Sendable {
    /// The time of samples that is the file's zero.
    let start: CMTime
}
