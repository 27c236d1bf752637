internal import CFFmpeg
package import MediaCore

/// What a decoded frame is, beyond its samples and its time.
package enum FrameFormat: Sendable, Equatable {
    case video(VideoFormat)
    case audio(AudioFormat)

    package struct VideoFormat: Sendable, Equatable {
        package var width: Int
        package var height: Int
        package var pixelFormat: String
        package var sampleAspectRatio: Ratio?
        package var color: ColorInfo
    }

    package struct AudioFormat: Sendable, Equatable {
        package var sampleRate: Int
        package var sampleFormat: String
        package var channelLayout: String
        package var channels: Int

        package init(sampleRate: Int, sampleFormat: String, channelLayout: String, channels: Int) {
            (self.sampleRate, self.sampleFormat) = (sampleRate, sampleFormat)
            (self.channelLayout, self.channels) = (channelLayout, channels)
        }
    }
}

extension Frame {
    /// Whether it holds sound rather than a picture.
    package var isSound: Bool { pointer.pointee.nb_samples > 0 && pointer.pointee.width == 0 }
    package var sampleCount: Int { Int(pointer.pointee.nb_samples) }
    package var sampleRate: Int { Int(pointer.pointee.sample_rate) }
    package var channels: Int { Int(pointer.pointee.ch_layout.nb_channels) }
    package var channelLayout: String { ChannelLayout.name(of: &pointer.pointee.ch_layout) }
    package var sampleFormat: String {
        av_get_sample_fmt_name(AVSampleFormat(rawValue: pointer.pointee.format)).map { String(cString: $0) }
            ?? "unknown"
    }

    package var format: FrameFormat {
        isSound
            ? .audio(
                .init(
                    sampleRate: sampleRate, sampleFormat: sampleFormat, channelLayout: channelLayout,
                    channels: channels))
            : .video(
                .init(
                    width: width, height: height, pixelFormat: pixelFormat, sampleAspectRatio: sampleAspectRatio,
                    color: color))
    }

    /// A frame with the same samples, whose fields are its own.
    func sharingData() throws(FFmpegError) -> Frame {
        let copy = Frame()
        guard av_frame_ref(copy.pointer, pointer) >= 0 else {
            throw FFmpegError(kind: .limit, operation: .filter, reason: "not enough memory")
        }
        return copy
    }
}
