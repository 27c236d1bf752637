internal import MediaCore

extension SampleParts {
    /// Packets of sound, or frames of linear PCM.
    ///
    /// - Parameter packets: Empty where all packets are as the format says.
    /// - Throws: `kCMSampleBufferError_InvalidMediaTypeForOperation`, `kCMSampleBufferError_RequiredParameterMissing`,
    ///   `kCMSampleBufferError_SampleTimingInfoInvalid`, `kCMSampleBufferError_InvalidMediaFormat`,
    ///   `kCMSampleBufferError_InvalidSampleData`, `kCMSampleBufferError_InvalidEntryCount`.
    init(
        sound dataBuffer: CMBlockBuffer?, isReady: Bool, format: CMFormatDescription, count: Int, start: CMTime,
        packets: [AudioStreamPacketDescription], makeDataReady: CMSampleBufferMakeDataReadyHandler? = nil
    ) throws(CoreMediaFailure) {
        guard let stream = format.audioStreamBasicDescription else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaTypeForOperation)
        }
        guard count > 0 else { throw CoreMediaFailure(kCMSampleBufferError_RequiredParameterMissing) }
        guard start.isNumeric else { throw CoreMediaFailure(kCMSampleBufferError_SampleTimingInfoInvalid) }
        guard packets.isEmpty || packets.count == count else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidEntryCount)
        }
        try self.init(
            dataBuffer: dataBuffer, isReady: isReady, format: format, count: count,
            timings: try stream.timings(of: packets, start: start), sizes: try stream.sizes(of: packets),
            makeDataReady: makeDataReady)
    }
}

extension AudioStreamBasicDescription {
    /// Whether each channel has bytes of its own.
    var isPlanar: Bool { isPCM && mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 }

    /// How long frames last, exactly where the rate is a whole number.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidMediaFormat` if the rate is not known.
    private func duration(frames: UInt32) throws(CoreMediaFailure) -> CMTime {
        guard mSampleRate > 0, mSampleRate.isFinite else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat)
        }
        if let timescale = CMTimeScale(exactly: mSampleRate) {
            return CMTime(value: CMTimeValue(frames), timescale: timescale)
        }
        return CMTime(seconds: Double(frames) / mSampleRate, preferredTimescale: 1_000_000_000)
    }

    /// When packets are heard, which follow one another without gaps: one for all if they last equally long.
    fileprivate func timings(
        of packets: [AudioStreamPacketDescription], start: CMTime
    ) throws(CoreMediaFailure) -> [CMSampleTimingInfo] {
        let frames = packets.map { mFramesPerPacket != 0 ? mFramesPerPacket : $0.mVariableFramesInPacket }
        let first = frames.first ?? mFramesPerPacket
        guard first != 0 else { throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat) }
        if frames.allSatisfy({ $0 == first }) {
            let duration = try duration(frames: first)
            return [
                CMSampleTimingInfo(duration: duration, presentationTimeStamp: start, decodeTimeStamp: .invalid)
            ]
        }
        var (time, timings) = (start, [CMSampleTimingInfo]())
        for count in frames {
            let duration = try duration(frames: count)
            timings.append(
                CMSampleTimingInfo(duration: duration, presentationTimeStamp: time, decodeTimeStamp: .invalid))
            time = time + duration
        }
        return timings
    }

    /// Bytes of packets: one number where all are as the format says, none where channels are apart.
    fileprivate func sizes(of packets: [AudioStreamPacketDescription]) throws(CoreMediaFailure) -> [Int] {
        guard !isPlanar else { return [] }
        guard !packets.isEmpty else {
            guard mBytesPerPacket > 0 else { throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat) }
            return [Int(mBytesPerPacket)]
        }
        var end: Int64 = 0
        for packet in packets {
            guard packet.mStartOffset == end else { throw CoreMediaFailure(kCMSampleBufferError_InvalidSampleData) }
            // Each adds less than 2³² bytes: there is no memory for so many packets that it would overflow.
            end += Int64(packet.mDataByteSize)
        }
        return packets.map { Int($0.mDataByteSize) }
    }

    /// Frames of a packet that lasts so long.
    func frames(lasting duration: CMTime) -> UInt32 {
        let frames = (duration.seconds * mSampleRate).rounded()
        return UInt32(exactly: frames) ?? 0
    }
}
