/// How pictures are encoded.
public struct VideoEncoding: Hashable, Sendable {
    /// FFmpeg's name of the encoder.
    public var encoder: String
    /// Which layouts of samples it may get, by FFmpeg's names, at least one; the one is taken that loses least.
    public var pixelFormats: [String]
    /// What bounds the amount of data.
    public var rateControl: RateControl
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

    /// Makes an encoding.
    package init(encoder: String, pixelFormats: [String], rateControl: RateControl) {
        (self.encoder, self.pixelFormats, self.rateControl) = (encoder, pixelFormats, rateControl)
    }
}

extension VideoEncoding {
    /// A part of pictures as they are shown, in their own pixels from the top left, before they are turned or made
    /// smaller.
    ///
    /// Positions are from 0 to 16384, sides from 2. A part that reaches beyond the pictures fails the export.
    public struct Crop: Encodable, Hashable, Sendable {
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
    public struct MaximumSize: Encodable, Hashable, Sendable {
        /// Pixels in each row.
        public var width: Int
        /// Rows of pixels.
        public var height: Int

        /// Makes a size.
        public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
    }

    /// What bounds the amount of data for pictures.
    public enum RateControl: Hashable, Sendable {
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

    /// Makes an encoding.
    package init(encoder: String) { self.encoder = encoder }
}
