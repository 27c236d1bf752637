internal import Foundation
public import MediaCore
internal import Synchronization

/// Samples of one track: their bytes or their picture, when they are shown, and what is attached to them.
///
/// Made by `CMSampleBufferCreateReady` and the like, or given by readers. Two buffers are the same only if they are one
/// object.
///
/// - Note: A type of Core Foundation's on Apple's platforms. Once it is invalid its data is let go of, and what it
///   gives is nothing, 0 or invalid.
///
/// `@unchecked Sendable`: format, times and sizes never change, all else is behind mutexes. Handlers are the client's,
/// who lets them be called on any thread, as in Core Media; the bytes and the dictionaries of samples are what clients
/// share: whoever writes has to see to it that nobody else uses them meanwhile.
public final class CMSampleBuffer: @unchecked Sendable {
    /// What may change.
    struct State: @unchecked Sendable {
        var isValid = true
        var dataBuffer: CMBlockBuffer?
        var imageBuffer: CVImageBuffer?
        var readiness: DataReadiness
        var makeDataReady: CMSampleBufferMakeDataReadyHandler?
        var tracked: CMSampleBuffer?
        var invalidateHandler: CMSampleBufferInvalidateHandler?
        var outputPresentationTimeStamp: CMTime
        var sampleAttachments: SampleAttachmentList?
        /// What the attachments of samples are made of when somebody asks for them.
        var dependencies: [SampleDependency]
        var packetDescriptions: PacketDescriptionMemory?
    }

    let format: CMFormatDescription?
    let count: Int
    let timings: SampleTimings
    let sizes: SampleSizes
    let attachmentStore: AttachmentStore
    /// Held while the dictionaries of samples are read or written by Swift's forms.
    let attachmentLock = Mutex(())
    private let state: Mutex<State>

    init(_ parts: SampleParts) {
        (format, count, timings, sizes) = (parts.format, parts.count, parts.timings, parts.sizes)
        attachmentStore = AttachmentStore(parts.attachments)
        state = Mutex(
            State(
                dataBuffer: parts.dataBuffer, imageBuffer: parts.imageBuffer, readiness: parts.readiness,
                makeDataReady: parts.makeDataReady, tracked: parts.tracked,
                outputPresentationTimeStamp: parts.outputPresentationTimeStamp,
                sampleAttachments: parts.sampleAttachments, dependencies: parts.dependencies))
    }

    /// What may change, as it is now, whether the buffer is valid or not.
    var now: State { state.withLock { $0 } }

    /// One thing of what may change, as it is now.
    func look<Value>(_ body: (borrowing State) -> Value) -> Value { state.withLock { body($0) } }

    /// Whether it was not made invalid.
    var isUsable: Bool { look { $0.isValid } }

    /// What may change, as it is now.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`.
    func current() throws(CoreMediaFailure) -> State {
        let state = now
        guard state.isValid else { throw CoreMediaFailure(kCMSampleBufferError_Invalidated) }
        return state
    }

    /// Changes what may change.
    ///
    /// - Parameter body: Nothing of a client's may be called in it.
    /// - Throws: `kCMSampleBufferError_Invalidated`; what the body throws.
    func change(_ body: (inout State) throws(CoreMediaFailure) -> Void) throws(CoreMediaFailure) {
        // What is replaced goes after the lock: its end may be anybody's code.
        let old = try state.withLock { state throws(CoreMediaFailure) -> State in
            guard state.isValid else { throw CoreMediaFailure(kCMSampleBufferError_Invalidated) }
            let old = state
            try body(&state)
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Makes the buffer invalid, tells the handler, and lets go of the data; nothing happens the second time.
    func makeInvalid() {
        let before = state.withLock { state in
            let before = state
            state.isValid = false
            return before
        }
        guard before.isValid else { return }
        before.invalidateHandler?(self)
        // Only now: the handler may have kept what it needs. All goes after the lock, as in `change`.
        let old = state.withLock { state in
            let old = state
            state = State(readiness: old.readiness, outputPresentationTimeStamp: .invalid, dependencies: [])
            state.isValid = false
            // Memory that clients were given an address in lasts as long as the buffer.
            state.packetDescriptions = old.packetDescriptions
            return old
        }
        withExtendedLifetime(old) {}
    }
}

/// Given a sample buffer whose data is to be there; returns 0 if it is.
public typealias CMSampleBufferMakeDataReadyHandler = (CMSampleBuffer) -> OSStatus
/// Given a sample buffer that was invalidated.
public typealias CMSampleBufferInvalidateHandler = (CMSampleBuffer) -> Void

/// Given a sample buffer whose data is to be there and the reference of the buffer's making; returns 0 if it is.
///
/// - Note: A function of C in Core Media; Swift's functions and closures do as well here.
public typealias CMSampleBufferMakeDataReadyCallback = (CMSampleBuffer, UnsafeMutableRawPointer?) -> OSStatus
/// Given a sample buffer that was invalidated and the reference that was set with it.
///
/// - Note: A function of C in Core Media; Swift's functions and closures do as well here.
public typealias CMSampleBufferInvalidateCallback = (CMSampleBuffer, UInt64) -> Void

extension CMSampleBuffer {
    /// Whether the data of a buffer is there.
    public enum DataReadiness: Hashable, Sendable {
        /// Not yet.
        case notReady
        /// It is there.
        case ready
        /// It will never be there; why.
        case failed(OSStatus)
    }
}

extension CMSampleBuffer: Hashable {
    /// Whether it is one buffer.
    public static func == (left: CMSampleBuffer, right: CMSampleBuffer) -> Bool { left === right }
    /// Mixes in which buffer it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
