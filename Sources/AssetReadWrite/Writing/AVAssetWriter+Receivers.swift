internal import Foundation
public import MediaCore
public import MediaMetadata
public import SampleBuffers

extension AVAssetWriter {
    /// Adds an input, and gives what samples are brought by without blocking.
    ///
    /// ```swift
    /// let receiver = writer.inputReceiver(for: input)
    /// try writer.start()
    /// writer.startSession(atSourceTime: .zero)
    /// while let sample = try await provider.next() { try await receiver.append(sample) }
    /// receiver.finish()
    /// ```
    ///
    /// - Note: AVFoundation raises an exception for an input that cannot be added. Here the writer does not start.
    public func inputReceiver(for input: AVAssetWriterInput) -> sending AVAssetWriterInput.SampleBufferReceiver {
        add(input)
        return AVAssetWriterInput.SampleBufferReceiver(InputDoor(input, of: self))
    }

    /// Adds an input for pictures, and gives what they are brought by without blocking.
    ///
    /// - Parameter attributes: What buffers of the receiver's pool are; `nil` for no pool.
    /// - Note: AVFoundation raises an exception for an input that cannot be added. Here the writer does not start.
    public func inputPixelBufferReceiver(
        for input: AVAssetWriterInput, pixelBufferAttributes attributes: CVPixelBufferCreationAttributes?
    ) -> sending AVAssetWriterInput.PixelBufferReceiver {
        add(input)
        return AVAssetWriterInput.PixelBufferReceiver(InputDoor(input, of: self), attributes)
    }

    /// Adds an input for timed metadata, and gives what its groups are brought by without blocking.
    ///
    /// - Note: AVFoundation raises an exception for an input that cannot be added. Here the writer does not start.
    public func inputMetadataReceiver(
        for input: AVAssetWriterInput
    ) -> sending AVAssetWriterInput.MetadataReceiver {
        add(input)
        return AVAssetWriterInput.MetadataReceiver(InputDoor(input, of: self))
    }
}

/// An input and its writer, as receivers use them.
final class InputDoor: Sendable {
    let input: AVAssetWriterInput
    private let writer: AVAssetWriter

    init(_ input: AVAssetWriterInput, of writer: AVAssetWriter) { (self.input, self.writer) = (input, writer) }

    /// Brings something on a thread that may wait; where the task is cancelled, so is writing.
    nonisolated(nonsending) func bring(_ body: @escaping @Sendable (AVAssetWriterInput) -> Bool) async throws {
        let (input, writer) = (input, writer)
        if Task.isCancelled { writer.cancelWriting() }
        try await BlockingWork.run(cancel: { writer.cancelWriting() }) {
            guard body(input) else { throw writer.refusal }
        }
    }

    /// Brings something if it would be taken without waiting.
    func bringNow(_ body: (AVAssetWriterInput) -> Bool) throws -> Bool {
        guard input.isInSession else { throw writer.refusal }
        guard input.isReadyForMoreMediaData else { return false }
        guard body(input) else { throw writer.refusal }
        return true
    }

    func finish() { input.markAsFinished() }
}

extension AVAssetWriterInput {
    /// Brings samples to an input without blocking the thread that brings them.
    public final class SampleBufferReceiver: Sendable {
        private let door: InputDoor

        init(_ door: InputDoor) { self.door = door }

        /// Brings samples, once there are not too many any more.
        ///
        /// Where the task is cancelled, so is writing.
        ///
        /// - Throws: Why the writer failed; `CancellationError` where it or the task was cancelled;
        ///   `AVError.operationNotAllowed` before a session and after ``finish()``.
        public nonisolated(nonsending) func append(
            _ sampleBuffer: CMReadySampleBuffer<CMSampleBuffer.DynamicContent>
        ) async throws {
            try await door.bring { input in sampleBuffer.withUnsafeSampleBuffer { input.append($0) } }
        }

        /// Brings samples, unless there are too many.
        ///
        /// - Returns: Whether they were taken.
        /// - Throws: As ``append(_:)``.
        public func appendImmediately(
            _ sampleBuffer: CMReadySampleBuffer<CMSampleBuffer.DynamicContent>
        ) throws -> Bool {
            try door.bringNow { input in sampleBuffer.withUnsafeSampleBuffer { input.append($0) } }
        }

        /// Says that no more samples come.
        public func finish() { door.finish() }
    }

    /// Brings pictures to an input without blocking the thread that brings them.
    public final class PixelBufferReceiver: Sendable {
        private let door: InputDoor
        /// What buffers of the pool are; `nil` for no pool.
        public let sourcePixelBufferAttributes: CVPixelBufferCreationAttributes?
        /// Buffers to fill; `nil` without attributes, and with ones that make no sense.
        public let pixelBufferPool: CVMutablePixelBuffer.Pool?

        init(_ door: InputDoor, _ attributes: CVPixelBufferCreationAttributes?) {
            (self.door, sourcePixelBufferAttributes) = (door, attributes)
            pixelBufferPool = attributes.flatMap { try? CVMutablePixelBuffer.Pool(pixelBufferAttributes: $0) }
        }

        /// Brings a picture, once there are not too many any more.
        ///
        /// - Parameter presentationTime: On the timeline of the samples, later than that of the picture before.
        /// - Throws: As ``SampleBufferReceiver/append(_:)``.
        public nonisolated(nonsending) func append(
            _ pixelBuffer: CVReadOnlyPixelBuffer, with presentationTime: CMTime
        ) async throws {
            try await door.bring { input in
                pixelBuffer.withUnsafeBuffer { input.append($0, at: presentationTime) }
            }
        }

        /// Brings a picture, unless there are too many.
        ///
        /// - Parameter presentationTime: On the timeline of the samples, later than that of the picture before.
        /// - Returns: Whether it was taken.
        /// - Throws: As ``SampleBufferReceiver/append(_:)``.
        public func appendImmediately(
            _ pixelBuffer: CVReadOnlyPixelBuffer, with presentationTime: CMTime
        ) throws -> Bool {
            try door.bringNow { input in pixelBuffer.withUnsafeBuffer { input.append($0, at: presentationTime) } }
        }

        /// Says that no more pictures come.
        public func finish() { door.finish() }
    }

    /// Brings timed metadata to an input without blocking the thread that brings it.
    public final class MetadataReceiver: Sendable {
        private let door: InputDoor
        private let adaptor: AVAssetWriterInputMetadataAdaptor

        init(_ door: InputDoor) { (self.door, adaptor) = (door, .init(assetWriterInput: door.input)) }

        /// Brings a group, once there are not too many any more; as
        /// ``AVAssetWriterInputMetadataAdaptor/append(_:)``.
        ///
        /// - Throws: As ``SampleBufferReceiver/append(_:)``.
        public nonisolated(nonsending) func append(_ timedMetadataGroup: AVTimedMetadataGroup) async throws {
            let adaptor = adaptor
            try await door.bring { _ in adaptor.append(timedMetadataGroup) }
        }

        /// Brings a group, unless there are too many.
        ///
        /// - Returns: Whether it was taken.
        /// - Throws: As ``SampleBufferReceiver/append(_:)``.
        public func appendImmediately(_ timedMetadataGroup: AVTimedMetadataGroup) throws -> Bool {
            try door.bringNow { _ in adaptor.append(timedMetadataGroup) }
        }

        /// Says that no more groups come.
        public func finish() { door.finish() }
    }
}

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

/// Calls a client's block as often as an input would take samples.
///
/// `@unchecked Sendable`: the input is only asked what any thread may ask.
final class SampleSupplier: @unchecked Sendable {
    private weak var input: AVAssetWriterInput?
    private let queue: DispatchQueue
    private let block: @Sendable () -> Void
    private let state = WaitingLock(false)

    init(_ input: AVAssetWriterInput, queue: DispatchQueue, block: @escaping @Sendable () -> Void) {
        (self.input, self.queue, self.block) = (input, queue, block)
    }

    func start() { queue.async { self.ask() } }

    func stop() { state.change { $0 = true } }

    /// - Parameter pause: In microseconds, before a client is asked again that goes on though all is refused.
    private func ask(pause: Int = SampleSupplier.shortestPause) {
        guard !state.look({ $0 }), let input, input.isOpen else { return }
        let isReady = input.isReadyForMoreMediaData
        if isReady { block() }
        let refusesAll = input.refusesAll
        guard !refusesAll || pause < Self.longestPause else { return input.stopSupplying() }
        let next = refusesAll ? 2 * pause : Self.shortestPause
        // Encoders take their time: there is nothing to wait on that a client's queue could not be blocked by.
        queue.asyncAfter(deadline: .now() + .microseconds(isReady ? pause : 1000)) { self.ask(pause: next) }
    }

    private static let shortestPause = 50
    /// Who has not learned by then that all is refused does not look.
    private static let longestPause = 1_000_000
}
