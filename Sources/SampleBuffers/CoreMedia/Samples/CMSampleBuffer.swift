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

extension CMSampleBuffer {
    /// The number of the type of sample buffers.
    public static var typeID: CFTypeID { CMSampleBufferGetTypeID() }

    // MARK: Data

    /// The bytes of the samples, nil without any and if the buffer is invalid.
    public var dataBuffer: CMBlockBuffer? { CMSampleBufferGetDataBuffer(self) }
    /// The picture, nil without one and if the buffer is invalid.
    public var imageBuffer: CVImageBuffer? { CMSampleBufferGetImageBuffer(self) }
    /// How the samples are coded, nil if it is not known and if the buffer is invalid.
    public var formatDescription: CMFormatDescription? { CMSampleBufferGetFormatDescription(self) }

    /// Puts the bytes into a buffer that was made without.
    ///
    /// - Throws: ``Error/invalidated``, ``Error/alreadyHasDataBuffer``.
    public func setDataBuffer(_ dataBuffer: CMBlockBuffer) throws {
        try orError { () throws(CoreMediaFailure) in try put(dataBuffer) }
    }

    // MARK: Readiness

    /// Whether the data is there; not ready if the buffer is invalid.
    public var dataReadiness: DataReadiness { (try? readinessOfData()) ?? .notReady }

    /// Marks the data as there, or as never to be there.
    ///
    /// - Parameter newValue: `.notReady` only where that is so: there is no way back.
    /// - Throws: ``Error/invalidated``, ``Error/dataFailed``; ``Error/bufferNotReady`` for `.notReady` where that is
    ///   not so.
    /// - Note: Unlike Core Media's: no notification is posted.
    public func setDataReadiness(_ newValue: DataReadiness) throws {
        try orError { () throws(CoreMediaFailure) in
            switch newValue {
            case .ready: try markReady()
            case .failed(let status): try markFailed(status)
            case .notReady:
                guard try readinessOfData() == .notReady else {
                    throw CoreMediaFailure(kCMSampleBufferError_BufferNotReady)
                }
            }
        }
    }

    /// Has the data made to be there, by the handler that the buffer was made with; nothing happens if it is.
    ///
    /// - Throws: ``Error/invalidated``, ``Error/dataFailed``; ``Error/bufferNotReady`` without a handler and if that
    ///   fails.
    public func makeDataReady() throws { try orError { () throws(CoreMediaFailure) in try makeReady() } }

    /// Lets the data be there when that of another buffer is.
    ///
    /// - Throws: ``Error/invalidated``; ``Error/requiredParameterMissing`` if that one waits for this one.
    public func trackDataReadiness(_ sampleBufferToTrack: CMSampleBuffer) throws {
        try orError { () throws(CoreMediaFailure) in try track(sampleBufferToTrack) }
    }

    // MARK: Validity

    /// Whether the buffer was not made invalid.
    public var isValid: Bool { CMSampleBufferIsValid(self) }

    /// Makes the buffer invalid: calls what was set for it, then lets go of the data.
    ///
    /// - Throws: Never.
    public func invalidate() throws { makeInvalid() }

    /// Sets what is called when the buffer is made invalid, in place of what was set before.
    ///
    /// - Parameter body: What it throws is passed over: nobody waits for it.
    /// - Throws: ``Error/invalidated``.
    public func setInvalidateHandler(_ body: @escaping (CMSampleBuffer) throws -> Void) throws {
        try orError { () throws(CoreMediaFailure) in try onInvalidation { try? body($0) } }
    }

    // MARK: Times

    /// How many samples there are, 0 if the buffer is invalid.
    public var numSamples: Int { CMSampleBufferGetNumSamples(self) }
    /// How long all samples last: the sum of their durations; invalid if it is not known.
    public var duration: CMTime { CMSampleBufferGetDuration(self) }
    /// The earliest time at which a sample is shown; invalid if it is not known.
    public var presentationTimeStamp: CMTime { CMSampleBufferGetPresentationTimeStamp(self) }
    /// When the first sample is decoded; invalid if that is when it is shown, and if it is not known.
    public var decodeTimeStamp: CMTime { CMSampleBufferGetDecodeTimeStamp(self) }
    /// How long the samples take once they are trimmed and played at their speed; invalid if it is not known.
    public var outputDuration: CMTime { CMSampleBufferGetOutputDuration(self) }
    /// When the first of what is left once the samples are trimmed is shown; invalid if it is not known.
    public var outputPresentationTimeStamp: CMTime { CMSampleBufferGetOutputPresentationTimeStamp(self) }
    /// When the first sample is decoded, if it is shown when the output says; invalid if it is not known.
    public var outputDecodeTimeStamp: CMTime { CMSampleBufferGetOutputDecodeTimeStamp(self) }

    /// Sets when the first of the samples is shown.
    ///
    /// - Parameter pts: Invalid to have it calculated again.
    /// - Throws: ``Error/invalidated``.
    public func setOutputPresentationTimeStamp(_ pts: CMTime) throws {
        try orError { () throws(CoreMediaFailure) in
            try change { state throws(CoreMediaFailure) in state.outputPresentationTimeStamp = pts }
        }
    }

    /// The times of the samples: one if it stands for all, otherwise one for each.
    ///
    /// - Throws: ``Error/invalidated``, ``Error/bufferHasNoSampleTimingInfo``.
    public func sampleTimingInfos() throws -> [CMSampleTimingInfo] {
        try orError { () throws(CoreMediaFailure) in try knownTimings(ofOutput: false) }
    }

    /// The times of the samples once they are trimmed and played at their speed: one if it stands for all, otherwise
    /// one for each.
    ///
    /// - Throws: ``Error/invalidated``, ``Error/bufferHasNoSampleTimingInfo``.
    /// - Note: Core Media does not say how trims are divided among samples: here each sample is told of with what is
    ///   left of it, with no duration if that is nothing.
    public func outputSampleTimingInfos() throws -> [CMSampleTimingInfo] {
        try orError { () throws(CoreMediaFailure) in try knownTimings(ofOutput: true) }
    }

    /// The times of a sample, its own ones also where one stands for all.
    ///
    /// - Throws: ``Error/invalidated``, ``Error/sampleIndexOutOfRange``, ``Error/bufferHasNoSampleTimingInfo``.
    public func sampleTimingInfo(at sampleIndex: CMItemIndex) throws -> CMSampleTimingInfo {
        try orError { () throws(CoreMediaFailure) in try timing(at: sampleIndex) }
    }

    // MARK: Sizes

    /// Bytes of the samples: one number if all have it, otherwise one for each.
    ///
    /// - Throws: ``Error/invalidated``, ``Error/bufferHasNoSampleSizes``.
    public func sampleSizes() throws -> [Int] { try orError { () throws(CoreMediaFailure) in try knownSizes() } }

    /// Bytes of a sample, 0 for samples that there are not and if sizes are not known.
    public func sampleSize(at sampleIndex: Int) -> Int { CMSampleBufferGetSampleSize(self, at: sampleIndex) }

    /// Bytes of all samples, 0 if sizes are not known.
    public var totalSampleSize: Int { CMSampleBufferGetTotalSampleSize(self) }

    // MARK: Samples

    /// The samples, each in a buffer of its own, made when it is asked for.
    ///
    /// - Throws: ``Error/invalidated``; ``Error/cannotSubdivide`` where sizes are not known.
    public func singleSampleBuffers() throws -> SingleSampleBuffers {
        try orError { () throws(CoreMediaFailure) in
            _ = try current()
            guard count <= 1 || sizes.areKnown else { throw CoreMediaFailure(kCMSampleBufferError_CannotSubdivide) }
            return SingleSampleBuffers(buffer: self)
        }
    }

    /// Samples, each in a buffer of its own.
    public struct SingleSampleBuffers: Sequence {
        fileprivate let buffer: CMSampleBuffer

        /// The samples in their order; they end early if the buffer is made invalid, or has not all of their bytes.
        public func makeIterator() -> Iterator { Iterator(buffer: buffer) }

        /// Makes buffers of single samples one after another.
        public struct Iterator: IteratorProtocol {
            fileprivate let buffer: CMSampleBuffer
            private var index = 0

            fileprivate init(buffer: CMSampleBuffer) { self.buffer = buffer }

            /// The next sample, nil after the last one.
            public mutating func next() -> CMSampleBuffer? {
                guard index < buffer.count, let sample = try? buffer.part(index..<(index + 1)) else { return nil }
                index += 1
                return sample
            }
        }
    }
}

extension CMSampleBuffer {
    /// Makes a buffer of coded samples of a file, which are there.
    ///
    /// - Parameters:
    ///   - packet: The bytes of the samples, one after another.
    ///   - count: How many samples there are.
    ///   - timings: None, one for all or one for each.
    ///   - sizes: None, one for all or one for each.
    ///   - dependencies: What the file says of the samples, one for each; empty for nothing.
    ///   - trimAtStart: How much of the start is not to be heard, as the priming of an encoder; invalid for nothing.
    ///   - trimAtEnd: How much of the end is not to be heard; invalid for nothing.
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount`, `kCMSampleBufferError_InvalidSampleData`.
    package convenience init(
        packet: CMBlockBuffer, format: CMFormatDescription?, count: Int = 1, timings: [CMSampleTimingInfo],
        sizes: [Int], dependencies: [SampleDependency] = [], trimAtStart: CMTime = .invalid,
        trimAtEnd: CMTime = .invalid
    ) throws(CoreMediaFailure) {
        var parts = try SampleParts(
            dataBuffer: packet, isReady: true, format: format, count: count, timings: timings, sizes: sizes)
        guard dependencies.isEmpty || dependencies.count == count else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidEntryCount)
        }
        parts.dependencies = dependencies
        parts.attachments.setTrim(trimAtStart, by: kCMSampleBufferAttachmentKey_TrimDurationAtStart)
        parts.attachments.setTrim(trimAtEnd, by: kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
        self.init(parts)
    }

    /// Makes a buffer of one coded sample of a file, which is there.
    ///
    /// - Parameters:
    ///   - packet: Its bytes.
    ///   - dependency: What the file says of it; `nil` for nothing.
    package convenience init(
        packet: CMBlockBuffer, byteCount: Int, format: CMFormatDescription?, timing: CMSampleTimingInfo,
        dependency: SampleDependency?
    ) {
        var parts = SampleParts(packet: packet, byteCount: byteCount, format: format, timing: timing)
        if let dependency { parts.dependencies = [dependency] }
        self.init(parts)
    }

    /// Makes a buffer of a picture, which is there.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - format: As the picture is: nobody looks.
    ///   - timing: When it is shown.
    package convenience init(image: CVPixelBuffer, format: CMFormatDescription, timing: CMSampleTimingInfo) {
        self.init(SampleParts(imageBuffer: image, format: format, timing: timing))
    }

    /// Makes a buffer without samples that carries nothing but what is attached to it.
    ///
    /// - Parameter presentationTimeStamp: When it counts.
    package convenience init(markerAt presentationTimeStamp: CMTime) throws(CoreMediaFailure) {
        var parts = try SampleParts(
            dataBuffer: nil, isReady: true, format: nil, count: 0, timings: [], sizes: [])
        parts.outputPresentationTimeStamp = presentationTimeStamp
        self.init(parts)
    }
}
