/// The sound side of a format description, which lends its facts as C's functions do.
final class SoundFormat: @unchecked Sendable {
    // @unchecked Sendable: the memory is written once, before anybody else knows of it.

    let streamDescription: AudioStreamBasicDescription
    let channelLayout: ManagedAudioChannelLayout?
    /// What a decoder is set up with; empty for nothing.
    let magicCookie: [UInt8]
    private let streamMemory: UnsafeMutablePointer<AudioStreamBasicDescription>
    private let layoutMemory: UnsafeMutablePointer<AudioChannelLayout>?

    init(
        _ streamDescription: AudioStreamBasicDescription, channelLayout: ManagedAudioChannelLayout?,
        magicCookie: [UInt8] = []
    ) {
        (self.streamDescription, self.channelLayout) = (streamDescription, channelLayout)
        self.magicCookie = magicCookie
        streamMemory = .allocate(capacity: 1)
        streamMemory.initialize(to: streamDescription)
        layoutMemory = channelLayout.map { layout in
            let memory = UnsafeMutablePointer<AudioChannelLayout>.allocate(capacity: 1)
            memory.initialize(to: layout.plain)
            return memory
        }
    }

    deinit {
        streamMemory.deallocate()
        layoutMemory?.deallocate()
    }

    /// The description in memory that lasts as long as this object.
    var streamPointer: UnsafePointer<AudioStreamBasicDescription> { UnsafePointer(streamMemory) }
    /// The layout in memory that lasts as long as this object.
    var layoutPointer: UnsafePointer<AudioChannelLayout>? { layoutMemory.map { UnsafePointer($0) } }
}
