internal import FFmpegKit
internal import MediaCore
internal import MediaEngine
internal import SampleBuffers

/// Makes PCM of one form PCM of another; one thread at a time may use it.
final class SoundConversion {
    /// What comes in, and what comes out.
    struct Forms {
        fileprivate let input: PCMForm
        fileprivate let output: PCMForm

        /// - Returns: `nil` for formats that are not PCM or cannot be read.
        init?(_ from: AVAudioFormat, _ to: AVAudioFormat) {
            guard let input = try? PCMForm(from.formatDescription), let output = try? PCMForm(to.formatDescription)
            else { return nil }
            (self.input, self.output) = (input, output)
        }
    }

    /// How it is done.
    struct Options: Sendable {
        /// Whether channels are mixed by what they mean.
        var mixes = false
        /// Whether noise hides that samples are rounded.
        var dithers = false
    }

    private let forms: Forms
    private let graph: FilterGraph
    private let inputBase: TimeBase
    private let outputBase: TimeBase
    /// What the client gave, and how much of it was taken.
    private var given: (buffer: AVAudioPCMBuffer, taken: Int)?
    /// What came out of the filters, and how much of it was taken.
    private var piece: (frame: Frame, taken: Int)?
    private var framesIn: Int64 = 0
    private var framesOut: Int64 = 0
    private var isEnded = false
    private var isFlushed = false
    /// Whether all has come out.
    private(set) var isFinished = false

    /// Frames that are converted at once.
    private static let pieceLength = 1 << 14

    /// - Parameter map: For each channel that comes out one that comes in, -1 for silence; `nil` for the usual.
    /// - Throws: `AVError.incorrectlyConfigured` for a map of other channels.
    init(_ forms: Forms, _ options: Options, map: [Int]?) throws(AVError) {
        if let map {
            guard map.count == forms.output.channels, map.allSatisfy({ (-1..<forms.input.channels).contains($0) })
            else {
                throw AVError(
                    .incorrectlyConfigured,
                    reason: "channelMap \(map.prefix(64)) does not make \(forms.output.channels) of "
                        + "\(forms.input.channels) channels")
            }
        }
        self.forms = forms
        inputBase = TimeBase(numerator: 1, denominator: Int32(clamping: forms.input.sampleRate))
        outputBase = TimeBase(numerator: 1, denominator: Int32(clamping: forms.output.sampleRate))
        let filters = Self.filters(forms, options, map)
        var configuration = FilterGraph.Configuration(timeBase: inputBase) { _ in FilterDescription(filters) }
        configuration.threads = 1
        graph = FilterGraph(configuration)
    }

    // MARK: Filters

    private static func filters(_ forms: Forms, _ options: Options, _ map: [Int]?) -> String {
        let (input, output) = (forms.input.frameFormat, forms.output.frameFormat)
        let mixes = map == nil && options.mixes && input.channelLayout != output.channelLayout
        let channels =
            map ?? (mixes || input.channels == output.channels ? nil : usualMap(input.channels, output.channels))
        var filters: [String] = []
        if let channels {
            let taken = channels.enumerated().map { $1 < 0 ? "c\($0)=0*c0" : "c\($0)=c\($1)" }
            filters.append("pan=\(output.channelLayout)|" + taken.joined(separator: "|"))
        }
        if mixes || input.sampleRate != output.sampleRate || input.sampleFormat != output.sampleFormat {
            // Coefficients as they are: whole numbers would be made quieter so that the loudest sound fits.
            let mixing = mixes ? ":rematrix_maxval=16:internal_sample_fmt=fltp" : ""
            filters.append("aresample=dither_method=\(options.dithers ? "triangular" : "none")" + mixing)
            filters.append(
                "aformat=sample_fmts=\(output.sampleFormat):sample_rates=\(output.sampleRate)"
                    + (mixes ? ":channel_layouts=\(output.channelLayout)" : ""))
        } else if channels != nil {
            filters.append("aformat=sample_fmts=\(output.sampleFormat)")
        }
        return filters.isEmpty ? "anull" : filters.joined(separator: ",")
    }

    /// Channels in their places; one alone in the first two.
    private static func usualMap(_ input: Int, _ output: Int) -> [Int] {
        (0..<output).map { $0 < input ? $0 : input == 1 && $0 == 1 ? 0 : -1 }
    }

    // MARK: Sound

    /// Frames of the input that give about as many of the output, at least one.
    func inputFrames(for count: Int) -> Int64 {
        max(1, inputBase.ticks(atOrAfter: outputBase.time(of: Int64(count))))
    }

    /// Takes a buffer, after all before it was converted.
    ///
    /// - Parameter buffer: Of the input's form; it stays as it is until it is converted.
    func give(_ buffer: AVAudioPCMBuffer) { given = (buffer, 0) }

    /// There is no more input.
    func finish() { isEnded = true }

    /// Puts converted frames into a buffer.
    ///
    /// - Parameters:
    ///   - start: The first frame of the buffer to be filled.
    ///   - end: The frame of the buffer before which it ends.
    /// - Returns: How many; fewer than wanted if more input is needed, or after the end.
    func fill(_ buffer: AVAudioPCMBuffer, from start: Int, to end: Int) throws -> Int {
        do {
            return try buffer.withPlanes { planes in
                var place = start
                while place < end, try advance() {
                    place += take(end - place, to: planes.map { rest(of: $0, from: place) })
                }
                return place - start
            }
        } catch {
            throw readerError(for: error)
        }
    }

    private func rest(of plane: UnsafeMutableRawBufferPointer, from frame: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: plane[min(plane.count, frame * forms.output.bytesPerFrame)...])
    }

    private func take(_ limit: Int, to planes: [UnsafeMutableRawBufferPointer]) -> Int {
        guard let (frame, taken) = piece else { return 0 }
        let count = min(limit, frame.sampleCount - taken)
        forms.output.copy(taken..<(taken + count), of: frame, to: planes)
        piece = taken + count < frame.sampleCount ? (frame, taken + count) : nil
        framesOut += Int64(count)
        return count
    }

    /// Sees to it that there is something to take.
    ///
    /// - Returns: Whether there is.
    private func advance() throws -> Bool {
        while piece == nil, !isFinished {
            if case .frame(let frame) = try graph.pull() {
                try hold(frame)
            } else if let (buffer, taken) = given {
                try push(buffer, from: taken)
            } else if isFlushed {
                // What the filters left out at the end.
                let missing = expected - framesOut
                if missing > 0 { try hold(silence(Int(clamping: min(missing, Int64(Self.pieceLength))))) }
                isFinished = missing <= 0
            } else if isEnded {
                try graph.finish()
                isFlushed = true
            } else {
                return false
            }
        }
        return piece != nil
    }

    /// How many frames there have to be in all, once the input has ended.
    private var expected: Int64 { outputBase.ticks(nearest: inputBase.time(of: framesIn)) }

    private func hold(_ frame: Frame) throws {
        let room = isFlushed ? expected - framesOut : .max
        guard room > 0 else { return }
        piece = (try frame.part(of: 0..<Int(clamping: min(room, Int64(frame.sampleCount)))), 0)
    }

    private func silence(_ count: Int) throws -> Frame {
        try Frame.silence(samples: count, like: forms.output.frameFormat)
    }

    private func push(_ buffer: AVAudioPCMBuffer, from start: Int) throws {
        let end = min(Int(buffer.frameLength), start + Self.pieceLength)
        given = end < Int(buffer.frameLength) ? (buffer, end) : nil
        guard start < end else { return }
        let width = forms.input.bytesPerFrame
        let frame = try buffer.withFilledPlanes { planes in
            try forms.input.frame(
                of: planes.map { UnsafeRawBufferPointer(rebasing: $0[(start * width)..<(end * width)]) },
                count: end - start)
        }
        try graph.push(frame, atTicks: framesIn)
        framesIn += Int64(end - start)
    }
}
