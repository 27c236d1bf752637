import AssetReadWrite
import Foundation
import MediaCore
import MediaEngine
import MediaTestSupport
import SampleBuffers
import Testing

/// Sound of one rate made sound of another, piece by piece.
struct AudioConverterRateTests {
    /// Converts sound that comes in pieces into buffers of a size.
    private func convert(
        _ sound: AVAudioPCMBuffer, _ converter: AVAudioConverter, pieces: Int, capacity: Int
    ) throws -> [[Float]] {
        var place = 0
        let length = Int(sound.frameLength)
        var result = [[Float]](repeating: [], count: Int(converter.outputFormat.channelCount))
        while true {
            let output = try buffer(converter.outputFormat, capacity)
            var error: NSError?
            let status = converter.convert(to: output, error: &error) { count, status in
                #expect(count > 0)
                let end = min(length, place + pieces)
                guard place < end, let piece = try? sound.part(place..<end) else {
                    status.pointee = .endOfStream
                    return nil
                }
                place = end
                status.pointee = .haveData
                return piece
            }
            #expect(error == nil)
            for channel in result.indices { result[channel] += output.floats(channel) }
            if status == .endOfStream {
                #expect(output.frameLength == 0)
                return result
            }
            #expect(status == .haveData)
            #expect(output.frameLength > 0)
            guard status == .haveData, output.frameLength > 0 else { return result }
        }
    }

    @Test(
        arguments: Tier.some(
            [
                (44_100, 48_000), (48_000, 44_100), (44_100, 16_000), (8000, 44_100), (48_000, 48_000), (96_000, 8000),
                (22_050, 44_100),
            ] as [(Int, Int)], 3))
    func `Converted frames are as many as the rates say, whatever the size of the buffers`(
        _ from: Int, _ to: Int
    ) throws {
        let converter = try #require(
            AVAudioConverter(from: format(Double(from), 2), to: format(Double(to), 2)))
        for count in [0, 1, 2, 3, 100, 1023, 20_000, 33_333] {
            let sound = try AVAudioPCMBuffer.of(sweep(count, rate: Double(from)), rate: Double(from))
            let expected = (2 * count * to + from) / (2 * from)
            var first: [[Float]]?
            for (pieces, capacity) in [(count + 1, expected + 10), (997, 1009), (4096, 300), (1, 5000)] {
                if pieces == 1, count > 1023 { continue }
                converter.reset()
                let result = try convert(sound, converter, pieces: pieces, capacity: capacity)
                #expect(result.map(\.count) == [expected, expected])
                if let first { #expect(isSame(first.flatMap(\.self), result.flatMap(\.self))) }
                first = result
            }
        }
    }

    @Test(arguments: [(44_100, 48_000), (48_000, 16_000), (16_000, 44_100)] as [(Int, Int)])
    func `Audio converted to another rate is the same at the same times`(_ from: Int, _ to: Int) throws {
        func tone(_ rate: Int) -> [Float] {
            (0..<rate).map { Float(0.5 * sin(2 * Double.pi * 440 * Double($0) / Double(rate))) }
        }
        let converter = try #require(
            AVAudioConverter(from: format(Double(from), 1), to: format(Double(to), 1)))
        converter.sampleRateConverterQuality = AVAudioQuality.max.rawValue
        converter.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_Mastering
        converter.primeMethod = .none
        let result = try convert(.of([tone(from)], rate: Double(from)), converter, pieces: 1000, capacity: 1000)
        let expected = tone(to)
        #expect(result[0].count == expected.count)
        // At the ends the tone begins and stops at once.
        let middle = 1000..<(to - 1000)
        let worst = zip(result[0][middle], expected[middle]).map { abs($0 - $1) }.max() ?? 1
        #expect(worst < 0.002)
    }

    @Test func `A file of audio is converted in a loop`() async throws {
        let path = Fixture("audio-only.flac").path
        let file = try AVAudioFile(forReading: URL(fileURLWithPath: path))
        let to = try format(16_000, 1, .pcmFormatInt16, interleaved: true)
        let converter = try #require(AVAudioConverter(from: file.processingFormat, to: to))
        let input = try buffer(file.processingFormat, 5000)
        let output = try buffer(to, 4096)
        var (total, error) = (0, NSError?.none)
        while converter.convert(
            to: output, error: &error,
            withInputFrom: { count, status in
                guard (try? file.read(into: input, frameCount: min(count, 5000))) != nil, input.frameLength > 0 else {
                    status.pointee = .endOfStream
                    return nil
                }
                status.pointee = .haveData
                return input
            }) == .haveData
        { total += Int(output.frameLength) }
        #expect(error == nil)
        let rate = file.processingFormat.sampleRate
        #expect(total == Int((Double(file.length) * 16_000 / rate).rounded()))
    }
}
