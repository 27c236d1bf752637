/// Not offered.
@available(*, unavailable, message: "Sound cannot be worked on by callbacks; read it, and write it anew.")
public final class MTAudioProcessingTap {}
