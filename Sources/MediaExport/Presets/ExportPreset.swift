/// What an export makes of a file: the document of a preset.
///
/// The fields are explained in `presets/README.md`. What a preset makes of one
/// given track also depends on the track: no preset enlarges pictures, raises
/// frame rates or sample rates, or adds channels.
///
/// Reading a document checks the ranges given here; what is set in code is not checked so. Beyond AVFoundation.
public struct ExportPreset: Codable, Hashable, Sendable {
    /// What it is called by: up to 64 letters, digits, `.`, `-` and `_`, a letter or digit first.
    public var name: String
    /// What it is for, in one sentence of up to 500 characters.
    public var description: String
    /// The AVFoundation preset that it stands for; `nil` for none.
    public var avFoundationName: String?
    /// The kinds of files that it can make, at least one, each once, the preferred one first.
    public var fileTypes: [AVFileType]
    /// What becomes of pictures; not left out if sound is.
    public var video: VideoRule
    /// What becomes of sound.
    public var audio: AudioRule
    /// What becomes of subtitles.
    public var subtitles: Inclusion
    /// What becomes of timecode, timed metadata and attachments.
    public var otherTracks: Inclusion
    /// What becomes of chapters.
    public var chapters: Inclusion
    /// What becomes of metadata.
    public var metadata: Inclusion
    /// How many bytes the file may have, from 10,000 on; `nil` for any number.
    public var fileLengthLimit: Int64?

    /// Whether something is taken over.
    public enum Inclusion: String, Codable, CaseIterable, Sendable {
        /// It is, as far as the new file can hold it.
        case keep
        /// It is not.
        case drop
    }

    /// What becomes of tracks with pictures.
    public enum VideoRule: Hashable, Sendable {
        /// They are left out.
        case none
        /// Their samples stay as they are.
        case passthrough
        /// They are encoded anew.
        case encode(VideoEncoding)
    }

    /// What becomes of tracks with sound.
    public enum AudioRule: Hashable, Sendable {
        /// They are left out.
        case none
        /// Their samples stay as they are.
        case passthrough
        /// They are encoded anew.
        case encode(AudioEncoding)
    }
}

extension ExportPreset {
    /// How pictures are encoded.
    public struct VideoEncoding: Hashable, Sendable {
        /// FFmpeg's name of the encoder.
        public var encoder: String
        /// Which layouts of samples it may get, by FFmpeg's names, at least one; the one is taken that loses least.
        public var pixelFormats: [String]
        /// What bounds the amount of data.
        public var rateControl: VideoRateControl
        /// Options of the encoder, by FFmpeg's names.
        public var options: [String: String] = [:]
        /// Parameters of the encoder's own, by its names.
        public var parameters: [String: String] = [:]
        /// The box in pixels that pictures have to fit into, aspect kept; `nil` for any size.
        public var maximumSize: MaximumSize?
        /// Frames for each second, from 1 to 1000; `nil` for any number.
        public var maximumFrameRate: Double?
        /// The longest time between two keyframes in seconds, from 0.1 to 60; `nil` leaves it to the encoder.
        public var keyframeSeconds: Double?
        /// What becomes of HDR; made SDR by default.
        public var dynamicRange: DynamicRange = .standard
        /// Whether interlaced pictures become progressive ones, as by default.
        public var deinterlaces = true
        /// Whether transparency is kept, which takes a layout with alpha; false by default, which makes it black.
        public var keepsAlpha = false
        /// What is kept of pictures as they are shown; `nil` for all of it.
        public var crop: Crop?
        /// By how many degrees pictures are turned clockwise: 0, 90, 180 or 270.
        public var rotation = 0
    }

    /// A part of pictures as they are shown, in their own pixels from the top left, before they are turned or made
    /// smaller.
    ///
    /// Positions are from 0 to 16384, sides from 2. A part that reaches beyond the pictures fails the export.
    public struct Crop: Codable, Hashable, Sendable {
        /// Columns left of it.
        public var x: Int
        /// Rows above it.
        public var y: Int
        /// Pixels in each of its rows.
        public var width: Int
        /// Its rows of pixels.
        public var height: Int

        /// Makes a part.
        public init(x: Int, y: Int, width: Int, height: Int) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    /// A size in pixels that is not exceeded: sides from 2 to 16384.
    public struct MaximumSize: Codable, Hashable, Sendable {
        /// Pixels in each row.
        public var width: Int
        /// Rows of pixels.
        public var height: Int

        /// Makes a size.
        public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
    }

    /// What bounds the amount of data for pictures.
    public enum VideoRateControl: Hashable, Sendable {
        /// The pictures are equally good throughout.
        ///
        /// - quality: On the encoder's scale, where less is better; `presets/README.md` has the scales.
        /// - maximumBitRate: Bits for each second that no stretch of the film exceeds, from 10,000 to 10⁹; `nil` for
        ///   any number.
        case constantQuality(quality: Double, maximumBitRate: Int64?)
        /// So many bits for each second on average, from 10,000 to 10⁹.
        ///
        /// - passes: 1, or 2 where the encoder can: then the pictures are analysed in a pass of their own first.
        case bitRate(Int64, passes: Int)
        /// The encoder and its options say, as with ProRes.
        case encoder
    }

    /// What becomes of HDR pictures.
    public enum DynamicRange: String, Codable, CaseIterable, Sendable {
        /// They are made SDR ones of BT.709.
        case standard
        /// They stay what they are.
        case source
    }

    /// How sound is encoded.
    public struct AudioEncoding: Hashable, Sendable {
        /// FFmpeg's name of the encoder.
        public var encoder: String
        /// Bits for each second, by the number of channels; empty leaves it to the encoder.
        public var bitRates: [Int: Int64] = [:]
        /// A quality on the encoder's scale, instead of bit rates; `nil` for none.
        public var quality: Double?
        /// Options of the encoder, by FFmpeg's names.
        public var options: [String: String] = [:]
        /// More channels are mixed down to this number, from 1 to 16; `nil` for any number.
        public var maximumChannels: Int?
        /// Samples for each second, from 8000 to 192,000; `nil` for any number.
        public var maximumSampleRate: Int?
    }
}

extension ExportPreset {
    /// Whether it encodes pictures or sound anew, rather than keep or drop them.
    public var encodes: Bool { videoEncoding != nil || audioEncoding != nil }

    /// How pictures are encoded; `nil` if they are not.
    public var videoEncoding: VideoEncoding? {
        get { if case .encode(let encoding) = video { encoding } else { nil } }
        set { if let newValue { video = .encode(newValue) } }
    }

    /// How sound is encoded; `nil` if it is not.
    public var audioEncoding: AudioEncoding? {
        get { if case .encode(let encoding) = audio { encoding } else { nil } }
        set { if let newValue { audio = .encode(newValue) } }
    }
}
